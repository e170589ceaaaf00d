"""The ways into an agent that need no AWS: `POST /invocations` with server-sent events, and `/ws`.

A door carries payloads and gives back event texts and audio; what they mean is `arrival`'s. Above it: `connection`.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from firstword.client.address import is_loopback, route_url
from firstword.client.faults import reason_of
from firstword.client.http import post
from firstword.config import ClientSettings
from firstword.errors import ConnectFailed, ConnectionLost, ProtocolError, TransportTimeout
from firstword.protocol.sse import SseReader

__all__ = ["SESSION_HEADER", "Door", "HttpDoor", "SocketDoor", "event_texts"]

SESSION_HEADER: Final = "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"
_MAX_FRAME_BYTES: Final = 16 * 1024 * 1024

type Address = Callable[[], tuple[str, Mapping[str, str]]]
"""Where `/ws` is, and the headers to ask with, made when they are needed: signatures age."""


class Door(Protocol):
    """One conversation's way to an agent. Owe it `aclose`."""

    async def open(self) -> None:
        """Connect ahead of the first payload, where one connection carries them all. Raises TransportError."""
        ...

    def ask(self, payload: bytes) -> AsyncGenerator[str | bytes]:
        """Everything that comes of a payload: event texts, and audio where it is not in them. Raises TransportError."""
        ...

    async def tell(self, payload: bytes) -> list[str]:
        """Send a payload about a running answer. What is told about it, unless the answer's own reader gets that."""
        ...

    async def abandon(self, cancel: bytes) -> None:
        """The running answer is not read any further: stop it, and let nothing of it reach the next one."""
        ...

    async def aclose(self) -> None: ...


async def event_texts(pieces: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """The data of server-sent events, cut anywhere."""
    reader = SseReader()
    async for piece in pieces:
        for event in reader.feed(piece):
            yield event.data


class HttpDoor:
    """An agent's own HTTP server."""

    def __init__(self, url: str, session_id: str, settings: ClientSettings) -> None:
        self._url = route_url(url, "http", "/invocations")
        self._headers = {SESSION_HEADER: session_id, "accept": "text/event-stream"}
        self._settings = settings

    async def open(self) -> None:
        """Every answer has its own connection."""

    async def ask(self, payload: bytes) -> AsyncGenerator[str | bytes]:
        async with post(self._url, payload, self._settings, headers=self._headers) as pieces:
            async for text in event_texts(pieces):
                yield text

    async def tell(self, payload: bytes) -> list[str]:
        async with post(self._url, payload, self._settings, headers=self._headers) as pieces:
            return [text async for text in event_texts(pieces)]

    async def abandon(self, cancel: bytes) -> None:
        await self.tell(cancel)

    async def aclose(self) -> None:
        """Every answer has its own connection; none is kept."""


class SocketDoor:
    """An agent's `/ws`: one socket for the conversation, audio in binary frames, cancel in the stream."""

    def __init__(self, address: Address, settings: ClientSettings) -> None:
        self._address = address
        self._settings = settings
        self._socket: ClientConnection | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        await self._opened()

    async def ask(self, payload: bytes) -> AsyncGenerator[str | bytes]:
        socket = await self._opened()
        await self._send(socket, payload)
        while True:
            yield await self._receive(socket)

    async def received(self) -> AsyncGenerator[str | bytes]:
        """Everything that comes, of whichever payload it comes, until the door is closed. Raises TransportError."""
        socket = await self._opened()
        while True:
            yield await self._receive(socket)

    async def tell(self, payload: bytes) -> list[str]:
        if self._socket is not None:
            await self._send(self._socket, payload)
        return []

    async def abandon(self, cancel: bytes) -> None:  # noqa: ARG002  # a lost socket stops its answer
        await self.aclose()

    async def aclose(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def _opened(self) -> ClientConnection:
        async with self._opening:
            if self._socket is None:
                self._socket = await self._connected()
            return self._socket

    async def _connected(self) -> ClientConnection:
        url, headers = await asyncio.to_thread(self._address)
        try:
            return await connect(
                url,
                additional_headers=headers,
                open_timeout=self._settings.connect_timeout_s,
                close_timeout=self._settings.close_timeout_s,
                max_size=_MAX_FRAME_BYTES,
                compression=None,
                proxy=None if is_loopback(url) else True,
            )
        except TimeoutError as error:
            raise ConnectFailed("The agent's /ws did not open in time.", retryable=True) from error
        except InvalidStatus as error:
            status = error.response.status_code
            raise ConnectFailed(f"The agent refused /ws with HTTP {status}.", retryable=status >= 500) from error
        except (InvalidHandshake, EOFError) as error:
            raise ConnectFailed("The agent has no WebSocket at /ws.", retryable=True) from error
        except OSError as error:
            raise ConnectFailed(f"Cannot reach the agent: {reason_of(error)}.", retryable=True) from error

    async def _send(self, socket: ClientConnection, payload: bytes) -> None:
        try:
            await asyncio.wait_for(socket.send(payload.decode()), self._settings.send_timeout_s)
        except TimeoutError as error:
            raise TransportTimeout("The agent took no frame in time.", retryable=True) from error
        except ConnectionClosed as error:
            raise self._lost() from error

    async def _receive(self, socket: ClientConnection) -> str | bytes:
        try:
            frame = await asyncio.wait_for(socket.recv(), self._settings.receive_timeout_s)
        except TimeoutError as error:
            message = f"The agent sent nothing for {self._settings.receive_timeout_s:g} s."
            raise TransportTimeout(message, retryable=True) from error
        except ConnectionClosed as error:
            raise self._lost() from error
        if isinstance(frame, bytes) and len(frame) % 2:
            raise ProtocolError("The agent sent half a sample.")
        return frame

    def _lost(self) -> ConnectionLost:
        self._socket = None
        return ConnectionLost("The agent's WebSocket ended.", retryable=True)
