"""The stack is up together and down together: no death goes unnoticed, and nothing outlives whoever started it."""

import asyncio
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from firstword.config import StackSettings, inherited_environment
from firstword.errors import StackError, UsageError
from firstword.llm.scripted.script import Script
from firstword.stack.launcher import Agent, ScriptedLlm, Stack
from firstword.stack.process import Ready

_DEADLINE_S = 30.0
_LISTENER = (
    "import socket; s = socket.create_server(('127.0.0.1', 0)); "
    "print('listening on http://127.0.0.1:%d' % s.getsockname()[1], flush=True); "
)
_DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
_ACCEPT = "held = [s.accept() for _ in range(9)]"

_PARENT = """
import asyncio, sys
from pathlib import Path
from firstword.stack.launcher import ScriptedLlm, Stack

async def main():
    async with Stack(ScriptedLlm(script=Path(sys.argv[1]))) as stack:
        print(stack.llm_url, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@dataclass(frozen=True, kw_only=True)
class Program:
    """A part whose process runs a line of Python."""

    folder: Path
    code: str
    title: str = "program"
    after: Sequence[str] = ()
    environ: Mapping[str, str] = field(default_factory=dict)

    def argv(self, _ready: Mapping[str, Ready], /) -> Sequence[str]:
        name = f"program_{self.title}"
        (self.folder / f"{name}.py").write_text(self.code)
        return (name,)


def _stack(*parts: Program, **settings: float) -> Stack:
    paths = {"PYTHONPATH": str(parts[0].folder)}
    return Stack(*parts, settings=StackSettings(**settings), environ=paths)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.json"
    path.write_bytes(msgspec.json.encode(Script.saying("Hello.")))
    return path


class Watch:
    """A connection that ends when the process at its other end does."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._socket = socket.create_connection((self._address.hostname or "", self._address.port or 0))
        self._socket.setblocking(False)

    async def gone(self) -> None:
        """Returns when the process is gone, and nothing listens where it did."""
        with self._socket:
            async with asyncio.timeout(_DEADLINE_S):
                assert await asyncio.get_running_loop().sock_recv(self._socket, 1) == b""
        with pytest.raises(OSError):
            socket.create_connection((self._address.hostname or "", self._address.port or 0)).close()


@pytest.mark.anyio
async def test_a_part_is_ready_inside_and_gone_after(script: Path) -> None:
    async with Stack(ScriptedLlm(script=script)) as stack, httpx.AsyncClient(base_url=stack.llm_url) as client:
        watch = Watch(stack.llm_url)
        answered = await client.get("/health")

    assert answered.status_code == 200
    await watch.gone()


@pytest.mark.anyio
async def test_a_parent_that_is_killed_leaves_no_orphan(script: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PARENT, str(script)), stdout=asyncio.subprocess.PIPE, env=inherited_environment()
    )
    assert parent.stdout is not None
    async with asyncio.timeout(_DEADLINE_S):
        url = (await parent.stdout.readline()).decode().strip()
    watch = Watch(url)

    parent.send_signal(signal.SIGKILL)
    await parent.wait()

    await watch.gone()


@pytest.mark.anyio
async def test_a_process_deaf_to_its_stop_signal_is_killed(tmp_path: Path) -> None:
    async with _stack(Program(folder=tmp_path, code=_DEAF + _LISTENER + _ACCEPT), stop_grace_s=0.2) as stack:
        watch = Watch(stack.ready("program").url)

    await watch.gone()


@pytest.mark.anyio
async def test_a_death_before_ready_names_the_part_and_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(StackError, match="program ended with exit code 3 before it was ready") as caught:
        async with _stack(Program(folder=tmp_path, code="import sys; print('no disk', file=sys.stderr); sys.exit(3)")):
            pytest.fail("it was never ready")

    assert caught.value.hint == "no disk"


@pytest.mark.anyio
async def test_a_death_later_stops_the_body_and_the_others(tmp_path: Path) -> None:
    steady = Program(folder=tmp_path, code=_LISTENER + _ACCEPT, title="steady")
    mortal = Program(folder=tmp_path, code=_LISTENER + "c = s.accept(); print('farewell', flush=True)", title="mortal")
    watches: list[Watch] = []

    async def body() -> None:
        async with _stack(steady, mortal) as stack:
            watches.extend(Watch(stack.ready(title).url) for title in ("steady", "mortal"))
            await asyncio.Event().wait()

    with pytest.raises(StackError, match="mortal ended with exit code 0") as caught:
        await body()

    assert caught.value.hint == "farewell"
    for watch in watches:
        await watch.gone()


@pytest.mark.anyio
async def test_a_part_that_never_says_it_is_ready_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(StackError, match="not ready within"):
        async with _stack(
            Program(folder=tmp_path, code="import threading; threading.Event().wait()"), ready_timeout_s=1
        ):
            pytest.fail("it was never ready")


@pytest.mark.anyio
async def test_a_chatty_part_never_blocks_on_its_output(tmp_path: Path) -> None:
    chatty = Program(
        folder=tmp_path, code="import sys; sys.stderr.write('x' * 3_000_000 + '\\n' * 9); " + _LISTENER + _ACCEPT
    )

    async with _stack(chatty) as stack:
        assert stack.ready("program").url


@pytest.mark.anyio
async def test_the_error_of_the_body_is_raised_as_it_was(script: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with Stack(ScriptedLlm(script=script)):
            raise ZeroDivisionError


@pytest.mark.anyio
async def test_a_part_without_the_one_it_needs_is_wrong_use(script: Path) -> None:
    with pytest.raises(UsageError, match="needs a speech server"):
        async with Stack(ScriptedLlm(script=script), Agent()):
            pytest.fail("it was never ready")
