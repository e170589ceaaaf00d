"""The page with everything behind it: a voice, a scripted model, the real agent and gateway, as real processes.

Playwright's synchronous interface needs its thread for itself, so the stack runs in a loop of a thread of its own.
"""

import asyncio
import contextlib
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
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

__all__ = ["CHROMIUM_ARGUMENTS", "TONE", "local_page"]

TONE: Final = {"FIRSTWORD_VOICE_ENGINE": "tone"}
CHROMIUM_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextlib.contextmanager
def local_page(
    script: Script,
    *,
    speech: Mapping[str, str] = TONE,
    voices: tuple[str, ...] = ("af_heart", "af_bella"),
    routes: Sequence[Any] = (),
) -> Iterator[str]:
    """The URL of a page in front of an agent that says what the script says.

    `speech` are settings of the speech server, `routes` more (Starlette's) that the gateway serves. Raises what
    kept it from starting.
    """
    page = _Page(script, dict(speech), voices, list(routes))
    runner = threading.Thread(target=page.run, name="local page")
    runner.start()
    try:
        yield page.url()
    finally:
        page.over.set()
        runner.join()


class _Page:
    def __init__(self, script: Script, speech: dict[str, str], voices: tuple[str, ...], routes: list[Any]) -> None:
        self.over = threading.Event()
        self._script = script
        self._speech = speech
        self._voices = voices
        self._routes = routes
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
            with tempfile.TemporaryDirectory() as folder:
                asyncio.run(self._serve(Path(folder)))
        except BaseException as error:  # for the thread that waits for the URL
            self._ready = error
        finally:
            self._told.set()

    async def _serve(self, folder: Path) -> None:
        script = folder / "script.json"
        script.write_bytes(msgspec.json.encode(self._script))
        settings = WebSettings(port=0)
        async with Stack(Speech(environ=self._speech), ScriptedLlm(script=script), Agent()) as stack:
            relay = Relay(stack.agent_url, settings)
            gateway = create_gateway(relay, Access(hosts=LOOPBACK), settings, self._voices)
            gateway.router.routes[:0] = self._routes
            async with listening(gateway) as url:
                self._ready = url
                self._told.set()
                await asyncio.to_thread(self.over.wait)
