"""One child process from spawn to reaped: wait for its ready line, keep draining what it prints, stop it for sure.

The caller owns a task that runs `run_process`; cancelling that task is how the process is stopped. Knows nothing of
which parts there are. Below it: `child`, which ties the process to our own life. Above it: `launcher`.
"""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from firstword.errors import StackError, first_cause

__all__ = ["Ready", "Spawn", "run_process"]

_LAST_LINES: Final = 40
_MAX_LINE_BYTES: Final = 65_536
_LISTENING: Final = "listening on "
_EXPORT: Final = "export "


@dataclass(frozen=True, kw_only=True)
class Ready:
    """What a process said about itself before it was ready: where it listens, and variables for its users."""

    url: str = ""
    exports: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Spawn:
    """How to start one process. `argv` is a module and its arguments; `on_line` sees every line it prints."""

    title: str
    argv: Sequence[str]
    environ: Mapping[str, str]
    ready_timeout_s: float
    stop_grace_s: float
    on_line: Callable[[str], None]


async def run_process(spawn: Spawn, ready: asyncio.Future[Ready]) -> None:
    """Start the process, tell `ready` when it is, and stay until cancelled; the process is then stopped and reaped.

    Raises StackError, with the process's last line as hint, if it ends by itself or is not ready in time.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "firstword.stack.child", *spawn.argv),
        stdin=PIPE, stdout=PIPE, stderr=PIPE, env=dict(spawn.environ), start_new_session=True,
    )  # fmt: skip
    said: deque[str] = deque(maxlen=_LAST_LINES)
    try:
        async with asyncio.TaskGroup() as drains:
            drains.create_task(_drain_output(process, spawn, said, ready))
            drains.create_task(_drain_errors(process, spawn, said))
            drains.create_task(_in_time(spawn, said, ready))
        code = await process.wait()
    except ExceptionGroup as group:
        raise first_cause(group) from None
    finally:
        await _stop(process, spawn.stop_grace_s)
    when = "" if ready.done() else " before it was ready"
    raise StackError(f"The {spawn.title} ended with exit code {code}{when}.", hint=_last(said))


async def _in_time(spawn: Spawn, said: deque[str], ready: asyncio.Future[Ready]) -> None:
    done, _ = await asyncio.wait({ready}, timeout=spawn.ready_timeout_s)
    if not done:
        raise StackError(f"The {spawn.title} was not ready within {spawn.ready_timeout_s:g} s.", hint=_last(said))


async def _drain_output(process: Process, spawn: Spawn, said: deque[str], ready: asyncio.Future[Ready]) -> None:
    exports: dict[str, str] = {}
    async for line in _lines(process.stdout):
        said.append(line)
        spawn.on_line(line)
        if line.startswith(_EXPORT):
            name, _, value = line.removeprefix(_EXPORT).partition("=")
            exports[name] = value.strip("'\"")
        elif not ready.done() and (line == "ready" or line.startswith(_LISTENING)):
            ready.set_result(Ready(url=line.removeprefix(_LISTENING) if line != "ready" else "", exports=exports))
    if not ready.done():
        await process.wait()
        raise StackError(
            f"The {spawn.title} ended with exit code {process.returncode} before it was ready.", hint=_last(said)
        )


async def _drain_errors(process: Process, spawn: Spawn, said: deque[str]) -> None:
    async for line in _lines(process.stderr):
        said.append(line)
        spawn.on_line(line)


async def _lines(stream: asyncio.StreamReader | None) -> AsyncIterator[str]:
    """Lines of any length, cut where they are too long to keep, so that a chatty child never blocks on a full pipe."""
    rest = b""
    while stream is not None and (data := await stream.read(_MAX_LINE_BYTES)):
        *whole, rest = (rest + data).split(b"\n")
        if len(rest) > _MAX_LINE_BYTES:
            whole, rest = [*whole, rest], b""
        for line in whole:
            yield line.decode(errors="replace").rstrip()
    if rest:
        yield rest.decode(errors="replace").rstrip()


async def _stop(process: Process, grace_s: float) -> None:
    try:
        if process.returncode is None:
            with contextlib.suppress(TimeoutError, ProcessLookupError):
                process.terminate()
                async with asyncio.timeout(grace_s):
                    await process.wait()
    finally:
        # Also what the process itself started and left behind: it leads a process group of its own.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _last(said: deque[str]) -> str:
    return next((line for line in reversed(said) if line.strip()), "It printed nothing.")
