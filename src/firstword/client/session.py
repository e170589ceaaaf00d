"""One open session with a speech server: messages out, messages and audio in, over any transport.

Reads all the time, so that `going_away`, `closed` and a loss are known even while nothing is asked. Knows the
protocol's frames and nothing of answers. Below it a `Transport`; above it `line`, which follows one by the next.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Final

import msgspec

from firstword.client.faults import session_failure
from firstword.client.transport import Frame, Transport
from firstword.config import ClientSettings
from firstword.errors import ConnectionLost, FirstwordError, ProtocolError, TransportTimeout
from firstword.protocol.codec import decode_chunk, decode_server, encode
from firstword.protocol.messages import (
    ClientMessage,
    Close,
    Closed,
    Error,
    GoingAway,
    Limits,
    Ready,
    ServerMessage,
)

__all__ = ["Session"]

_log = logging.getLogger(__name__)
_MAX_UNREAD: Final = 256


class Session:
    """Create it inside a running loop; owe it `close` or `abort`."""

    def __init__(self, transport: Transport, settings: ClientSettings, *, on_retire: Callable[[], None]) -> None:
        self._transport = transport
        self._settings = settings
        self._unread: asyncio.Queue[ServerMessage | bytes | None] = asyncio.Queue(_MAX_UNREAD)
        self._failure: FirstwordError | None = None
        self._on_retire = on_retire
        self.retiring = False
        """No new request should be given to this session: it is old, leaving, or lost."""
        self.limits: Limits | None = None
        self.requests_in_flight = 0
        self._rotation = asyncio.get_running_loop().call_later(settings.rotate_after_s, self._retire)
        self._pump = asyncio.create_task(self._read(), name="firstword session")

    @property
    def lost(self) -> bool:
        """The session can carry nothing more."""
        return self._failure is not None

    async def send(self, message: ClientMessage) -> None:
        """Raises TransportTimeout, or what ended the session: ConnectionLost, or what the peer said before it left."""
        if self._failure is not None:
            raise self._failure
        try:
            await self._transport.send(encode(message))
        except ConnectionLost as error:
            # The end is seen here before what came ahead of it has been read.
            await asyncio.wait({self._pump}, timeout=self._settings.close_timeout_s)
            raise self._failure or error from error

    async def receive(self, timeout_s: float) -> ServerMessage | bytes:
        """The next message or audio frame; what came before a loss is given before the loss is told.

        Raises TransportTimeout if none comes in time, ConnectionLost once the session has ended, ProtocolError or
        RemoteError if what came makes no sense.
        """
        try:
            item = await asyncio.wait_for(self._unread.get(), timeout_s)
        except TimeoutError as error:
            raise TransportTimeout(f"The speech server sent nothing for {timeout_s:g} s.", retryable=True) from error
        if item is None:
            self._unread.put_nowait(None)
            raise self._failure or ConnectionLost("The session has ended.", retryable=True)
        return item

    async def close(self) -> None:
        """End politely: `close`, wait for `closed`, let go. Never raises."""
        with contextlib.suppress(FirstwordError, TimeoutError):
            async with asyncio.timeout(self._settings.close_timeout_s):
                await self.send(Close())
                while not self.lost:
                    await self.receive(self._settings.close_timeout_s)
        await self.abort()

    async def abort(self) -> None:
        """End now. Never raises."""
        self._rotation.cancel()
        self._pump.cancel()
        await asyncio.gather(self._pump, return_exceptions=True)
        await self._transport.aclose()
        self._failure = self._failure or ConnectionLost("The session was closed.", retryable=True)
        self._retire()
        while not self._unread.empty():
            self._unread.get_nowait()
        self._unread.put_nowait(None)

    def _retire(self) -> None:
        if not self.retiring:
            self.retiring = True
            self._on_retire()

    async def _read(self) -> None:
        try:
            while True:
                item = _decode(await self._transport.receive())
                match item:
                    case None:
                        continue
                    case Ready():
                        self.limits = item.limits
                    case GoingAway():
                        _log.info("the speech server is going away", extra={"deadline_s": item.deadline_s})
                        self._retire()
                    case Error(request_id=None):
                        raise session_failure(item)
                    case Closed():
                        self._retire()
                    case _:
                        await self._unread.put(item)
        except FirstwordError as error:
            self._failure = error
            self._retire()
            await self._unread.put(None)


def _decode(frame: Frame) -> ServerMessage | bytes | None:
    """A frame as what it is: the whole-chunk rule for bytes, and errors of containers that are not ours."""
    try:
        if isinstance(frame, str):
            return decode_server(frame)
        return decode_chunk(frame)
    except ProtocolError:
        fields: Any = msgspec.json.decode(frame) if _is_json(frame) else None
        if isinstance(fields, dict) and fields.get("type") == "error":
            shown = fields.get("message", fields.get("error", "no message"))
            return Error(code=str(fields.get("code", "remote")), message=str(shown), terminal=True)
        raise


def _is_json(frame: Frame) -> bool:
    try:
        msgspec.json.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True
