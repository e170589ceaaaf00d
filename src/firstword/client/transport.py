"""The seam to the peer: one frame out, one frame in, and its in-memory twin.

A frame is `str` (control, travels as a text frame or as UTF8) or `bytes` (audio, binary; also control whose label was
lost on the way). A transport knows frames and nothing of the protocol inside them. Implementations: `websocket`,
`sagemaker`. Above it: `session`, which sets the deadline of a wait for a frame, so `receive` has none of its own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, Self

from firstword.errors import ConnectionLost

__all__ = ["Dial", "Frame", "MemoryTransport", "Transport"]

type Frame = str | bytes
type Dial = Callable[[], Awaitable[Transport]]
"""Opens one transport within the connect deadline. Raises ConnectFailed or TransportTimeout."""


class Transport(Protocol):
    """One open way to the peer. Used by one sender and one receiver, which may be different tasks."""

    async def send(self, frame: Frame) -> None:
        """Hand one frame to the network. Raises ConnectionLost, or TransportTimeout after the send deadline."""
        ...

    async def receive(self) -> Frame:
        """The next frame. Raises ConnectionLost when the peer ended, however politely it did."""
        ...

    async def aclose(self) -> None:
        """Let go of the network, within the close deadline. Never raises; closing twice is closing once."""
        ...


class MemoryTransport:
    """One end of a pair joined by bounded queues: what one end sends the other receives."""

    def __init__(self, outgoing: asyncio.Queue[Frame | None], incoming: asyncio.Queue[Frame | None]) -> None:
        self._outgoing = outgoing
        self._incoming = incoming
        self._lost = asyncio.Event()
        self._peer: MemoryTransport = self

    @classmethod
    def pair(cls, capacity: int = 64) -> tuple[Self, Self]:
        """Both ends. A sender waits once `capacity` frames lie unread."""
        there: asyncio.Queue[Frame | None] = asyncio.Queue(capacity)
        back: asyncio.Queue[Frame | None] = asyncio.Queue(capacity)
        left, right = cls(there, back), cls(back, there)
        left._peer, right._peer = right, left
        return left, right

    async def send(self, frame: Frame) -> None:
        await self._unless_lost(self._outgoing.put(frame))

    async def receive(self) -> Frame:
        frame = await self._unless_lost(self._incoming.get())
        self._incoming.task_done()
        if frame is None:
            self.lose()
            raise ConnectionLost("The peer closed the connection.", retryable=True)
        return frame

    async def aclose(self) -> None:
        """The peer still receives what was sent before, then the end."""
        if not self._lost.is_set():
            self._lost.set()
            if self._outgoing.full():
                self._peer._lost.set()
            else:
                self._outgoing.put_nowait(None)

    def lose(self) -> None:
        """Break the connection at once, at both ends; frames under way are gone."""
        self._lost.set()
        self._peer._lost.set()

    async def drained(self) -> None:
        """Wait until the peer has taken every frame sent."""
        await self._unless_lost(self._outgoing.join())

    async def _unless_lost[T](self, work: Awaitable[T]) -> T:
        task = asyncio.ensure_future(work)
        lost = asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait({task, lost}, return_when=asyncio.FIRST_COMPLETED)
            if lost.done():
                raise ConnectionLost("The connection broke.", retryable=True)
            return task.result()
        finally:
            lost.cancel()
            task.cancel()
            await asyncio.gather(task, lost, return_exceptions=True)
