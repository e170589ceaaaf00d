"""Whose step is next: the one decision this product is for.

Work comes in bounded steps. Planning steps (text to phonemes) and speaking steps (inference) run in two pools of
threads beside each other, so phonemes never wait for inference; by default one inference runs at a time. In each pool
`order` says whose step goes first. A step runs to its end unless its own cancel token ends it. Knows nothing of text or
audio; above it stands `listener`.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from firstword.speech.order import Claim, first

__all__ = ["LeaveLoop", "Offer", "Pool", "Scheduler", "Source", "Work"]

_log = logging.getLogger(__name__)
_MEMORY = 0.8
"""Share of its value that the longest step of late keeps with each further step."""

type Work = Callable[[], Callable[[], None]]
type Order = Callable[[Sequence[Claim], float], int]
type LeaveLoop = Callable[[ThreadPoolExecutor, Work], Awaitable[Callable[[], None]]]


class Pool(Enum):
    PLAN = "plan"
    SPEAK = "speak"


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One step that may run now. `work` blocks, in a thread; what it returns is called on the loop afterwards.

    `failed` is called on the loop if `work` raises: the source then has to end what it was doing.
    """

    claim: Claim
    not_before_s: float
    work: Work
    failed: Callable[[], None]


class Source(Protocol):
    """Someone with steps to run. Asked on the loop, at most one step of a pool out at a time."""

    def offer(self, pool: Pool) -> Offer | None: ...


async def _leave_loop(pool: ThreadPoolExecutor, work: Work) -> Callable[[], None]:
    """The one way by which blocking work of the speech side leaves the event loop."""
    return await asyncio.get_running_loop().run_in_executor(pool, work)


class Scheduler:
    """Owns the pools. `run` serves until it is cancelled; a source is served while it is attached.

    `leave_loop` runs a step; other than in a thread only where time itself is simulated. `order` says which of the
    claims goes first; another than the default only to see what that one is worth.
    """

    def __init__(
        self,
        *,
        speakers: int = 1,
        clock: Callable[[], float] = time.monotonic,
        leave_loop: LeaveLoop = _leave_loop,
        order: Order = first,
    ) -> None:
        self._clock = clock
        self._leave_loop = leave_loop
        self._order = order
        self._speakers = speakers
        self._sources: list[Source] = []
        self._busy: set[tuple[Pool, int]] = set()
        self._changed = {pool: asyncio.Event() for pool in Pool}
        self._slow_step_s = 0.0
        self.spoken_steps_s = 0.0

    @property
    def slow_step_s(self) -> float:
        """What a long step of late has taken: how early a step must begin to be in time."""
        return self._slow_step_s

    def attach(self, source: Source) -> None:
        self._sources.append(source)

    def detach(self, source: Source) -> None:
        self._sources.remove(source)

    def poke(self) -> None:
        """Something has changed: look again at what may run."""
        for event in self._changed.values():
            event.set()

    async def run(self) -> None:
        pools = {
            Pool.PLAN: ThreadPoolExecutor(1, thread_name_prefix="plan"),
            Pool.SPEAK: ThreadPoolExecutor(self._speakers, thread_name_prefix="speak"),
        }
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._serve(Pool.PLAN, pools[Pool.PLAN]))
                for _ in range(self._speakers):
                    group.create_task(self._serve(Pool.SPEAK, pools[Pool.SPEAK]))
        finally:
            for threads in pools.values():
                threads.shutdown(wait=False, cancel_futures=True)

    async def _serve(self, pool: Pool, threads: ThreadPoolExecutor) -> None:
        while True:
            source, offer = await self._next(pool)
            key = (pool, id(source))
            self._busy.add(key)
            began = self._clock()
            try:
                settle = await self._leave_loop(threads, offer.work)
            except Exception:
                _log.exception("a step failed", extra={"pool": pool.value})
                settle = offer.failed
            finally:
                self._busy.discard(key)
            if pool is Pool.SPEAK:
                self._learn(self._clock() - began)
            settle()
            self.poke()

    async def _next(self, pool: Pool) -> tuple[Source, Offer]:
        changed = self._changed[pool]
        while True:
            changed.clear()
            now = self._clock()
            offers = [
                (source, offer)
                for source in self._sources
                if (pool, id(source)) not in self._busy and (offer := source.offer(pool)) is not None
            ]
            ready = [pair for pair in offers if pair[1].not_before_s <= now]
            if ready:
                return ready[self._order([offer.claim for _, offer in ready], now)]
            later_s = min((offer.not_before_s - now for _, offer in offers), default=None)
            try:
                async with asyncio.timeout(later_s):
                    await changed.wait()
            except TimeoutError:
                continue

    def _learn(self, step_s: float) -> None:
        self.spoken_steps_s += step_s
        self._slow_step_s = max(step_s, _MEMORY * self._slow_step_s)
