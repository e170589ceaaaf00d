"""The stack as one context: every process of it is ready on entry, and none is left on exit, whatever happened between.

    async with Stack(Speech(), Llm(), Agent()) as stack:
        … stack.agent_url …

Parts start at once, each as soon as the parts it needs are ready. If one dies, the body is cancelled, the rest are
stopped and the context raises StackError with what the dead one said last. Knows nothing of what the parts do. Below
it: `parts` (what) and `process` (how). Above it: demo, say, benches, tests.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from firstword.config import StackSettings, inherited_environment
from firstword.errors import UsageError, first_cause
from firstword.stack.parts import Agent, Emulator, Llm, Part, ScriptedLlm, Speech
from firstword.stack.process import Ready, Spawn, run_process

__all__ = ["Agent", "Emulator", "Llm", "ScriptedLlm", "Speech", "Stack"]

_log = logging.getLogger(__name__)


class Stack:
    """Runs parts as processes on loopback, on ports the kernel picks.

    `on_line(part title, line)` sees everything the processes print (default: the log, at DEBUG). `environ` goes on
    top of this process's environment for all parts, a part's own and the emulator's exports on top of that.
    """

    def __init__(
        self,
        *parts: Part,
        settings: StackSettings | None = None,
        environ: Mapping[str, str] | None = None,
        on_line: Callable[[str, str], None] | None = None,
    ) -> None:
        self._parts = {part.title: part for part in parts}
        if len(self._parts) != len(parts):
            raise UsageError("A stack holds each part once.")
        self._settings = settings or StackSettings.load()
        self._environ = dict(environ or {})
        self._on_line = on_line or (lambda title, line: _log.debug("process said", extra={"part": title, "line": line}))
        self._group = asyncio.TaskGroup()
        self._tasks: list[asyncio.Task[None]] = []
        self._ready: dict[str, asyncio.Future[Ready]] = {}

    @property
    def speech_url(self) -> str:
        return self.ready(Speech().title).url

    @property
    def llm_url(self) -> str:
        return self.ready(Llm().title).url

    @property
    def agent_url(self) -> str:
        return self.ready(Agent().title).url

    @property
    def exports(self) -> Mapping[str, str]:
        """Variables that point AWS tools at the emulator; empty without one."""
        title = Emulator().title
        return self.ready(title).exports if title in self._parts else {}

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        try:
            loop = asyncio.get_running_loop()
            self._ready = {title: loop.create_future() for title in self._parts}
            self._tasks = [self._group.create_task(self._run(part), name=part.title) for part in self._parts.values()]
            await asyncio.gather(*self._ready.values())
        except BaseException as error:
            await self.__aexit__(type(error), error, error.__traceback__)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        try:
            await self._group.__aexit__(kind, error, trace)
        except BaseExceptionGroup as group:
            cause = first_cause(group)
            if cause is not error:
                raise cause from None

    async def _run(self, part: Part) -> None:
        needed = {title: self._ready[title] for title in part.after if title in self._parts}
        ready = {title: await future for title, future in needed.items()}
        spawn = Spawn(
            title=part.title,
            argv=part.argv(ready),
            environ=inherited_environment(
                {"PYTHONUNBUFFERED": "1"}, self._environ, *(said.exports for said in ready.values()), part.environ
            ),
            ready_timeout_s=self._settings.ready_timeout_s,
            stop_grace_s=self._settings.stop_grace_s,
            on_line=lambda line: self._on_line(part.title, line),
        )
        await run_process(spawn, self._ready[part.title])

    def ready(self, title: str) -> Ready:
        """What the part of that title said when it was ready."""
        if title not in self._parts:
            raise UsageError(f"This stack has no {title}.")
        return self._ready[title].result()
