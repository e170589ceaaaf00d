"""The seam over a plain WebSocket.

Turns a server's URL into the address of its bidirectional route, asks with a bearer key where one is given, and turns
what the WebSocket library reports into this package's errors. Knows nothing of messages. Above it: `connection`.
"""

import asyncio
import contextlib
from typing import Final
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from firstword.client.address import is_loopback, route_url
from firstword.client.faults import reason_of
from firstword.client.transport import Frame
from firstword.config import ClientSettings
from firstword.errors import ConnectFailed, ConnectionLost, TransportTimeout, UsageError

__all__ = ["BIDIRECTIONAL_PATH", "WebSocketTransport", "dial_websocket", "websocket_url"]

BIDIRECTIONAL_PATH: Final = "/invocations-bidirectional-stream"
_MAX_FRAME_BYTES: Final = 16 * 1024 * 1024


def websocket_url(url: str) -> str:
    """The WebSocket address for a server's `http(s)` or `ws(s)` URL; a path of its own is kept. Raises UsageError."""
    return route_url(url, "ws", BIDIRECTIONAL_PATH, own_path=True)


async def dial_websocket(url: str, settings: ClientSettings, *, api_key: str | None = None) -> "WebSocketTransport":
    """Open a WebSocket. Raises UsageError for a bad URL, ConnectFailed when it cannot be opened in time."""
    address = websocket_url(url)
    where = f"the speech server at {urlsplit(address).netloc.rpartition('@')[2]}"
    try:
        socket = await connect(
            address,
            additional_headers={"Authorization": f"Bearer {api_key}"} if api_key else None,
            open_timeout=settings.connect_timeout_s,
            close_timeout=settings.close_timeout_s,
            max_size=_MAX_FRAME_BYTES,
            compression=None,
            proxy=None if is_loopback(address) else True,
        )
    except TimeoutError as error:
        message = f"Nothing came from {where} within {settings.connect_timeout_s:g} s."
        raise ConnectFailed(message, hint="Is it overloaded, or no speech server?", retryable=True) from error
    except InvalidStatus as error:
        raise _refused(where, error.response.status_code) from error
    except InvalidURI as error:
        raise UsageError(f"{url!r} is no address of a speech server.", hint="Use http(s)://HOST:PORT.") from error
    except (InvalidHandshake, EOFError) as error:
        raise ConnectFailed(f"No WebSocket could be opened to {where}.", retryable=True) from error
    except OSError as error:
        hint = "Is it running? `firstword serve` starts one."
        raise ConnectFailed(f"Cannot reach {where}: {reason_of(error)}.", hint=hint, retryable=True) from error
    return WebSocketTransport(socket, settings)


def _refused(where: str, status: int) -> ConnectFailed:
    match status:
        case 401 | 403:
            hint = "Give the key of the server (FIRSTWORD_CLIENT_API_KEY)."
            return ConnectFailed(f"{where} wants a valid API key (HTTP {status}).", code="unauthorized", hint=hint)
        case 404 | 405 | 426:
            return ConnectFailed(f"{where} has no bidirectional route (HTTP {status}).", hint="Is it a speech server?")
        case 429 | 503:
            message = f"{where} is full or still starting (HTTP {status})."
            return ConnectFailed(message, code="overloaded", hint="Try again in a moment.", retryable=True)
        case _:
            return ConnectFailed(f"{where} refused with HTTP {status}.", retryable=status >= 500)


class WebSocketTransport:
    """One open WebSocket; its library answers and sends pings meanwhile."""

    def __init__(self, socket: Connection, settings: ClientSettings) -> None:
        self._socket = socket
        self._settings = settings

    async def send(self, frame: Frame) -> None:
        try:
            await asyncio.wait_for(self._socket.send(frame), self._settings.send_timeout_s)
        except TimeoutError as error:
            message = f"The speech server took no frame for {self._settings.send_timeout_s:g} s."
            raise TransportTimeout(message, retryable=True) from error
        except ConnectionClosed as error:
            raise _lost(error) from error

    async def receive(self) -> Frame:
        try:
            return await self._socket.recv()
        except ConnectionClosed as error:
            raise _lost(error) from error

    async def aclose(self) -> None:
        with contextlib.suppress(TimeoutError, ConnectionClosed, OSError):
            await asyncio.wait_for(self._socket.close(), self._settings.close_timeout_s)


def _lost(error: ConnectionClosed) -> ConnectionLost:
    close = error.rcvd
    how = f"the server closed it with code {close.code}" if close is not None else "no close frame came"
    return ConnectionLost(f"The WebSocket ended: {how}.", retryable=True)
