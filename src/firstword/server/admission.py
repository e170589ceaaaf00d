"""Who may come in: a bounded number of sessions and running requests. Whether the voice has room is `speech`'s to say.

A slot is a context: it cannot leak. Knows nothing of what a slot is used for.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from firstword.errors import RequestRefused

__all__ = ["Admission"]


class Admission:
    def __init__(self, max_slots: int) -> None:
        self._max_slots = max_slots
        self._taken = 0
        self._left = asyncio.Event()

    @property
    def taken(self) -> int:
        return self._taken

    @contextmanager
    def slot(self) -> Iterator[None]:
        """One of the slots while the block runs. Raises RequestRefused (overloaded) if none is free."""
        if self._taken >= self._max_slots:
            raise RequestRefused(
                f"All {self._max_slots} places are taken.", code="overloaded", hint="Try again soon.", retryable=True
            )
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1
            self._left.set()

    async def until_empty(self) -> None:
        while self._taken:
            self._left.clear()
            await self._left.wait()
