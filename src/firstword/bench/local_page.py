"""The page with everything behind it: a voice, a scripted model, the real agent and gateway, as real processes.

Playwright's synchronous interface needs its thread for itself, so each of these runs in a loop of a thread of its own.
"""

import asyncio
import contextlib
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from firstword.config import WebSettings
from firstword.listen import listening
from firstword.llm.scripted.script import Script
from firstword.stack.launcher import Agent, ScriptedLlm, Speech, Stack
from firstword.web.access import LOOPBACK, Access
from firstword.web.gateway import create_gateway
from firstword.web.relay import Relay

__all__ = ["CHROMIUM_ARGUMENTS", "TONE", "local_agent", "local_gateway", "local_page"]

TONE: Final = {"FIRSTWORD_VOICE_ENGINE": "tone"}
CHROMIUM_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=document-user-activation-required",
)


@contextlib.contextmanager
def local_page(script: Script, *, speech: Mapping[str, str] = TONE) -> Iterator[str]:
    """The URL of a page in front of an agent that says what the script says. Raises what kept it from starting."""
    with local_agent(script, speech=speech) as agent, local_gateway(agent) as url:
        yield url


def local_agent(script: Script, *, speech: Mapping[str, str] = TONE) -> contextlib.AbstractContextManager[str]:
    """The URL of such an agent; `speech` are settings of the speech server behind it."""

    @asynccontextmanager
    async def running() -> AsyncIterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "script.json"
            file.write_bytes(msgspec.json.encode(script))
            async with Stack(Speech(environ=dict(speech)), ScriptedLlm(script=file), Agent()) as stack:
                yield stack.agent_url

    return _in_thread(running)


def local_gateway(
    agent: str,
    *,
    port: int = 0,
    routes: Sequence[Any] = (),
    settings: WebSettings | None = None,
    relay: Relay | None = None,
) -> contextlib.AbstractContextManager[str]:
    """The URL of a gateway in front of an agent; it serves `routes` (Starlette's) too, over `relay` if it is given."""

    @asynccontextmanager
    async def running() -> AsyncIterator[str]:
        told = settings or WebSettings(port=0)
        gateway = create_gateway(
            relay or Relay(agent, told), Access(hosts=LOOPBACK), told, ("af_heart", "af_bella", "bm_george")
        )
        gateway.router.routes[:0] = list(routes)
        async with listening(gateway, port=port, drain_s=0.1) as url:
            yield url

    return _in_thread(running)


@contextlib.contextmanager
def _in_thread(enter: Callable[[], AbstractAsyncContextManager[str]]) -> Iterator[str]:
    runner = _Runner(enter)
    thread = threading.Thread(target=runner.run, name="local page")
    thread.start()
    try:
        yield runner.url()
    finally:
        runner.over.set()
        thread.join()


class _Runner:
    def __init__(self, enter: Callable[[], AbstractAsyncContextManager[str]]) -> None:
        self.over = threading.Event()
        self._enter = enter
        self._told = threading.Event()
        self._ready: str | BaseException = ""

    def url(self) -> str:
        """Waits until it is known. Every part has a deadline of its own, so this ends."""
        self._told.wait()
        if isinstance(self._ready, BaseException):
            raise self._ready
        return self._ready

    def run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # for the thread that waits for the URL
            self._ready = error
        finally:
            self._told.set()

    async def _serve(self) -> None:
        async with self._enter() as url:
            self._ready = url
            self._told.set()
            await asyncio.to_thread(self.over.wait)
