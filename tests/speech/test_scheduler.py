"""Whose step is next: by the moment a listener runs dry, first words first, nobody held up by another's fault."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from firstword.speech.order import Claim
from firstword.speech.scheduler import Offer, Pool, Scheduler

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


class Job:
    """A source with a number of equal steps; notes each in `log` as it runs."""

    def __init__(
        self,
        name: str,
        log: list[str],
        *,
        due_s: float = 0.0,
        hears: bool = True,
        not_before_s: float = 0.0,
        steps: int = 1,
        pool: Pool = Pool.SPEAK,
        work: Callable[[], None] | None = None,
    ) -> None:
        self._name, self._log, self._pool, self._work = name, log, pool, work
        self._claim = Claim(waits_since_s=None if hears else due_s, dry_at_s=due_s, work_s=0.1)
        self.not_before_s = not_before_s
        self._steps = steps
        self.done = asyncio.Event()
        self.failed = False

    def offer(self, pool: Pool) -> Offer | None:
        if pool is not self._pool or not self._steps:
            return None
        return Offer(claim=self._claim, not_before_s=self.not_before_s, work=self._run, failed=self._fail)

    def _run(self) -> Callable[[], None]:
        if self._work is not None:
            self._work()
        self._log.append(self._name)
        return self._settle

    def _settle(self) -> None:
        self._steps -= 1
        if not self._steps:
            self.done.set()

    def _fail(self) -> None:
        self.failed = True
        self._steps = 0
        self.done.set()


@asynccontextmanager
async def _running(scheduler: Scheduler, *jobs: Job) -> AsyncIterator[None]:
    for job in jobs:
        scheduler.attach(job)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(scheduler.run())
        yield
        task.cancel()


async def test_the_listener_that_runs_dry_first_is_served_first() -> None:
    log: list[str] = []
    jobs = [Job("later", log, due_s=9.0), Job("soon", log, due_s=2.0), Job("between", log, due_s=5.0)]
    async with _running(Scheduler(), *jobs):
        await asyncio.gather(*(job.done.wait() for job in jobs))
    assert log == ["soon", "between", "later"]


async def test_a_first_word_goes_before_those_that_hear_something_and_have_the_time() -> None:
    log: list[str] = []
    jobs = [Job("old", log, due_s=11.0), Job("pressed", log, due_s=10.15), Job("new", log, due_s=9.9, hears=False)]
    async with _running(Scheduler(clock=lambda: 10.0), *jobs):
        await asyncio.gather(*(job.done.wait() for job in jobs))
    assert log == ["pressed", "new", "old"]


async def test_one_that_waits_with_plenty_lets_the_less_urgent_pass_and_is_served_in_its_time() -> None:
    log: list[str] = []
    scheduler = Scheduler(clock=lambda: 10.0)
    plenty = Job("plenty", log, due_s=11.0, not_before_s=1000.0)
    needy = Job("needy", log, due_s=50.0, steps=3)
    async with _running(scheduler, plenty, needy):
        await needy.done.wait()
        assert log == ["needy"] * 3
        plenty.not_before_s = 5.0
        scheduler.poke()
        await plenty.done.wait()


async def test_a_step_that_becomes_due_by_time_alone_is_run() -> None:
    log: list[str] = []
    scheduler = Scheduler()
    job = Job("timed", log, not_before_s=asyncio.get_running_loop().time() + 0.02)
    async with _running(scheduler, job):
        await job.done.wait()


async def test_phonemes_are_made_while_an_inference_runs() -> None:
    log: list[str] = []
    planned = threading.Event()
    inference = Job("inference", log, work=lambda: None if planned.wait(20) else log.append("stuck"))
    planning = Job("planning", log, pool=Pool.PLAN, work=planned.set)
    async with _running(Scheduler(), inference, planning):
        await inference.done.wait()
    assert log == ["planning", "inference"]


async def test_a_step_that_raises_ends_its_own_source_only(caplog: pytest.LogCaptureFixture) -> None:
    log: list[str] = []

    def broken() -> None:
        raise RuntimeError("a bug")

    bad, good = Job("bad", log, due_s=1.0, work=broken), Job("good", log, due_s=2.0)
    with caplog.at_level(logging.CRITICAL):
        async with _running(Scheduler(), bad, good):
            await asyncio.gather(bad.done.wait(), good.done.wait())
    assert bad.failed
    assert log == ["good"]
