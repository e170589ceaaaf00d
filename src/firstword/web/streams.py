"""Agents' streams that outlive a page's connection: a page that comes back in time goes on where it was.

A stream is filled by a task of its own. One that no page reads is stopped after `resume_s`, and with it the agent's
model and voice. Above it: `gateway`. Below it: `spool`.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from types import TracebackType
from typing import Final, Self

from firstword.client.agent import SocketDoor
from firstword.errors import AgentError, FirstwordError
from firstword.web.spool import Item, Spool

__all__ = ["GONE", "Stream", "Streams"]

GONE: Final = "stream_gone"
_MAX_STREAMS: Final = 256

_log = logging.getLogger(__name__)

type Key = tuple[str, str]
"""Door and conversation."""


class Stream:
    """What an agent says to one conversation over one door."""

    def __init__(self, items: AsyncGenerator[Item], door: SocketDoor | None, resume_s: float) -> None:
        self.door = door
        """Where more can be told to the agent, if it is the kind that takes it."""
        self._items = items
        self._spool = Spool()
        self._resume_s = resume_s
        self._readers = 0
        self._expiry: asyncio.TimerHandle | None = None
        self._filling: asyncio.Task[None] | None = None

    def start(self, tasks: asyncio.TaskGroup) -> None:
        self._filling = tasks.create_task(self._fill())

    def holds(self, count: int) -> bool:
        return self._spool.holds(count)

    async def read(self, count: int = 0) -> AsyncGenerator[tuple[int, Item]]:
        """The items after the first `count`, numbered. Raises the FirstwordError that the stream ended with."""
        self._readers += 1
        self._hold()
        try:
            async with aclosing(self._spool.read(count)) as items:
                async for item in items:
                    yield item
        finally:
            self._readers -= 1
            if not self._readers:
                self._expiry = asyncio.get_running_loop().call_later(self._resume_s, self.stop)

    def stop(self) -> None:
        """End it now; the agent stops."""
        self._hold()
        if self._filling is not None:
            self._filling.cancel()

    @property
    def over(self) -> bool:
        return self._filling is not None and self._filling.done() and self._expiry is None and not self._readers

    def _hold(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    async def _fill(self) -> None:
        error: FirstwordError | None = AgentError("The answer was stopped.", code="stopped")
        try:
            async with aclosing(self._items) as items:
                async for item in items:
                    await self._spool.put(item)
            error = None
        except FirstwordError as caught:
            error = caught
        except Exception:
            _log.exception("an agent's stream failed")
            error = AgentError("The gateway failed.", code="internal")
        finally:
            self._spool.end(error)


class Streams:
    """All of a gateway's. Enter it before use; leaving it stops them."""

    def __init__(self, resume_s: float) -> None:
        self._resume_s = resume_s
        self._streams: dict[Key, Stream] = {}
        self._tasks = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in self._streams.values():
            stream.stop()
        await self._tasks.__aexit__(kind, error, trace)

    def begin(self, key: Key, items: AsyncGenerator[Item], door: SocketDoor | None = None) -> Stream:
        """A new stream; one of the same key is stopped. Raises AgentError if there are too many."""
        self._streams = {name: stream for name, stream in self._streams.items() if not stream.over}
        if (old := self._streams.pop(key, None)) is not None:
            old.stop()
        if len(self._streams) >= _MAX_STREAMS:
            raise AgentError("Too many pages are open.", code="overloaded", retryable=True)
        stream = self._streams[key] = Stream(items, door, self._resume_s)
        stream.start(self._tasks)
        return stream

    def resume(self, key: Key, count: int) -> Stream:
        """The stream that can be read on after `count` items. Raises AgentError (`stream_gone`) if there is none."""
        stream = self._streams.get(key)
        if stream is None or stream.over or not stream.holds(count):
            raise AgentError("The answer cannot be taken up again: it was lost too long ago.", code=GONE)
        return stream
