"""What came from an agent, numbered and kept for a while, so that a page that lost its connection misses nothing.

One task puts, one page reads; a second reader takes the place of the first. Knows no network. Above it: `streams`.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from firstword.errors import FirstwordError

__all__ = ["Item", "Spool"]

_KEPT_BYTES: Final = 8 * 1024 * 1024
_AHEAD_BYTES: Final = 1024 * 1024

type Item = str | bytes
"""An event's text, or audio."""


class Spool:
    """Bounded: what has been read is kept up to `kept_bytes`, and `put` waits while `ahead_bytes` are unread."""

    def __init__(self, *, kept_bytes: int = _KEPT_BYTES, ahead_bytes: int = _AHEAD_BYTES) -> None:
        self._items: dict[int, Item] = {}
        self._first = self._read = self._next = 0
        self._kept = self._ahead = 0
        self._kept_bytes = kept_bytes
        self._ahead_bytes = ahead_bytes
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._ended = False
        self._error: FirstwordError | None = None
        self._reader = 0

    async def put(self, item: Item) -> None:
        while self._ahead >= self._ahead_bytes:
            self._room.clear()
            await self._room.wait()
        self._items[self._next] = item
        self._next += 1
        self._ahead += len(item)
        self._changed.set()

    def end(self, error: FirstwordError | None = None) -> None:
        """Nothing more comes; the reader gets what there is, then the error if there is one."""
        self._ended, self._error = True, error
        self._changed.set()

    def holds(self, count: int) -> bool:
        """Whether a page that has `count` items can be given all that follow."""
        return self._first <= count <= self._next

    async def read(self, count: int) -> AsyncGenerator[tuple[int, Item]]:
        """The items after the first `count`, as they come, each with its number (from 1). Raises what it ended with."""
        self._reader += 1
        mine = self._reader
        self._changed.set()
        self._rewind(count)
        while mine == self._reader:
            if self._read < self._next:
                yield self._take()
            elif not self._ended:
                self._changed.clear()
                await self._changed.wait()
            elif self._error is not None:
                raise self._error
            else:
                return

    def _take(self) -> tuple[int, Item]:
        item = self._items[self._read]
        self._read += 1
        self._ahead -= len(item)
        self._kept += len(item)
        self._room.set()
        while self._kept > self._kept_bytes:
            self._kept -= len(self._items.pop(self._first))
            self._first += 1
        return self._read, item

    def _rewind(self, count: int) -> None:
        self._read = count
        self._kept = sum(len(self._items[number]) for number in range(self._first, count))
        self._ahead = sum(len(self._items[number]) for number in range(count, self._next))
