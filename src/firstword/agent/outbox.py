"""Events on their way to one reader: in order, bounded, and never waited on for longer than a deadline.

The last item always fits, so that an answer can end although nobody reads. Knows nothing of what the items mean but
which are audio. Above it: `telling` fills it, a door empties it.
"""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final

from firstword.errors import AgentError
from firstword.protocol.events import AgentEvent

__all__ = ["Audio", "Outbox", "OutboxItem"]

_MAX_ITEMS: Final = 256


@dataclass(frozen=True, kw_only=True)
class Audio:
    """PCM on its way out; each door gives it its own form."""

    request_id: str
    t_ms: float
    seq: int
    pcm: bytes


type OutboxItem = AgentEvent | Audio


class Outbox:
    """One writer side, one reader; both on the same loop."""

    def __init__(self, reader_timeout_s: float, *, max_items: int = _MAX_ITEMS) -> None:
        self._items: deque[OutboxItem] = deque()
        self._max_items = max_items
        self._reader_timeout_s = reader_timeout_s
        self._some = asyncio.Event()
        self._room = asyncio.Event()
        self._closed = False

    async def put(self, item: OutboxItem) -> None:
        """Raises AgentError (code reader_gone) if nobody makes room for it in time."""
        try:
            async with asyncio.timeout(self._reader_timeout_s):
                while len(self._items) >= self._max_items:
                    self._room.clear()
                    await self._room.wait()
        except TimeoutError as error:
            raise AgentError("Nobody takes the answer's events.", code="reader_gone") from error
        self._items.append(item)
        self._some.set()

    def finish(self, last: OutboxItem, *, keep_audio: bool = True) -> None:
        """The last item; audio that nobody has taken is dropped unless it is to be kept."""
        if not keep_audio:
            self._items = deque(item for item in self._items if not isinstance(item, Audio))
        self._items.append(last)
        self.close()

    def close(self) -> None:
        """Nothing more comes."""
        self._closed = True
        self._some.set()

    async def take(self) -> OutboxItem | None:
        """The next item, or None after the last."""
        while not self._items:
            if self._closed:
                return None
            self._some.clear()
            await self._some.wait()
        self._room.set()
        return self._items.popleft()
