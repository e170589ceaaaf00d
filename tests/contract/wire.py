"""How the protocol's contract reaches a speech server: HTTP, and a session of frames.

`SpeechPeer` is all that the contract knows of one; a server behind a URL is `UrlPeer`. Whoever carries sessions by
other means (a SageMaker endpoint) brings a peer of its own and runs the same tests.
"""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

__all__ = ["Received", "SessionWire", "SpeechPeer", "UrlPeer", "answers", "audio_of"]


class SessionWire(Protocol):
    """One session. `receive` returns control frames as text, audio as bytes, None once the peer has ended it."""

    async def send(self, frame: str | bytes) -> None: ...

    async def receive(self) -> str | bytes | None: ...


class SpeechPeer(Protocol):
    def session(self) -> AbstractAsyncContextManager[SessionWire]: ...

    def http(self) -> AbstractAsyncContextManager[httpx.AsyncClient]: ...


class UrlPeer:
    """A speech server behind a URL."""

    def __init__(self, url: str) -> None:
        self.url = url

    @asynccontextmanager
    async def session(self) -> AsyncIterator[SessionWire]:
        address = self.url.replace("http", "ws", 1) + "/invocations-bidirectional-stream"
        async with connect(address, max_size=None, proxy=None) as websocket:
            yield _WebSocketWire(websocket)

    @asynccontextmanager
    async def http(self) -> AsyncIterator[httpx.AsyncClient]:
        async with httpx.AsyncClient(base_url=self.url, timeout=30.0, trust_env=False) as client:
            yield client


class _WebSocketWire:
    def __init__(self, websocket: ClientConnection) -> None:
        self._websocket = websocket

    async def send(self, frame: str | bytes) -> None:
        await self._websocket.send(frame)

    async def receive(self) -> str | bytes | None:
        try:
            return await self._websocket.recv()
        except ConnectionClosed:
            return None


@dataclass(kw_only=True)
class Received:
    """Everything of a session up to a point, in order: messages as dictionaries, audio as bytes."""

    frames: list[dict[str, Any] | bytes] = field(default_factory=list)

    def messages(self, kind: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if isinstance(frame, dict) and frame["type"] == kind]

    def kinds(self) -> list[str]:
        """The order of events, runs of audio as one."""
        kinds: list[str] = []
        for frame in self.frames:
            kind = "audio" if isinstance(frame, bytes) else str(frame["type"])
            if kind != "audio" or kinds[-1:] != ["audio"]:
                kinds.append(kind)
        return kinds

    @property
    def audio(self) -> bytes:
        return b"".join(frame for frame in self.frames if isinstance(frame, bytes))


async def answers(wire: SessionWire, *messages: dict[str, Any] | str | bytes, until: str, count: int = 1) -> Received:
    """Send these, then receive until `count` messages of type `until` have come; fails if the session ends before."""
    for message in messages:
        await wire.send(json.dumps(message) if isinstance(message, dict) else message)
    received = Received()
    while count:
        frame = await wire.receive()
        assert frame is not None, f"the session ended before {until}: {received.kinds()}"
        received.frames.append(json.loads(frame) if isinstance(frame, str) else frame)
        count -= isinstance(frame, str) and received.frames[-1]["type"] == until  # type: ignore[call-overload]
    return received


def audio_of(received: Received, request_id: str) -> bytes:
    """The audio between the start and the end of one request."""
    audio, inside = b"", False
    for frame in received.frames:
        if isinstance(frame, bytes):
            audio += frame if inside else b""
        elif frame.get("request_id") == request_id and frame["type"] == "synthesis_start":
            inside = True
        elif frame["type"] in ("synthesis_complete", "synthesis_cancelled", "error") and inside:
            inside = frame.get("request_id") != request_id
    return audio
