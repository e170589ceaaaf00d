"""What the browser adds: from the click to the first sample that sounds, minus the agent's own first audio; and how
soon a stop is silent. A real Chromium, gateway, agent and server; a voice and a model that take no time.
"""

import asyncio
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from firstword.bench import corpus
from firstword.bench.statistics import Summary, summarize
from firstword.config import WebSettings
from firstword.errors import FirstwordError
from firstword.listen import listening
from firstword.llm.scripted.script import Script
from firstword.stack.launcher import Agent, ScriptedLlm, Speech, Stack
from firstword.web.access import LOOPBACK, Access
from firstword.web.gateway import create_gateway
from firstword.web.relay import open_relay

__all__ = ["CHROMIUM_ARGUMENTS", "DoorCost", "run"]

CHROMIUM_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_WARM_UPS: Final = 2
_ANSWERED: Final = """() => new Promise((resolve) =>
  document.addEventListener("firstword:answered", ({ detail }) => resolve(detail), { once: true }))"""


@dataclass(frozen=True, kw_only=True)
class DoorCost:
    """Milliseconds. `added_ms`: click to first rendered sample, minus the agent's first audio on the agent's clock."""

    door: str
    added_ms: Summary
    silence_after_stop_ms: Summary
    stalls: int


def run(trials: int, progress: Callable[[str], None]) -> list[DoorCost]:
    """Ask `trials` times over each door, and stop each answer once it sounds. Needs a Chromium."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise FirstwordError("There is no Chromium here.", code="missing_program", hint="Install Debian's chromium.")
    with _page_url() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))
        try:
            return [_measure(browser.new_page(), url, door, trials, progress) for door in ("ws", "sse")]
        finally:
            browser.close()


def _measure(page: Any, url: str, door: str, trials: int, progress: Callable[[str], None]) -> DoorCost:
    page.goto(url)
    page.get_by_label("Route").select_option(door)
    added, silent, stalls = [], [], 0
    for trial in range(_WARM_UPS + trials):
        progress(f"{door}: {trial + 1} of {_WARM_UPS + trials}")
        page.get_by_role("button", name="Ask").click()
        page.wait_for_function("() => document.getElementById('status').textContent === 'Speaking.'", timeout=60_000)
        page.evaluate(f"() => {{ window.answered = ({_ANSWERED})(); }}")
        page.get_by_role("button", name="Stop").click()
        detail = page.evaluate("() => window.answered")
        if trial >= _WARM_UPS:
            added.append(round(detail["soundFrom"] - detail["agentFirstAudio"], 1))
            silent.append(round(detail["silenceAfterStop"], 1))
            stalls += detail["stalls"]
    return DoorCost(door=door, added_ms=summarize(added), silence_after_stop_ms=summarize(silent), stalls=stalls)


@contextmanager
def _page_url() -> Iterator[str]:
    """A page with everything behind it. Playwright's interface needs its thread, so the stack has one of its own."""
    ready: list[str] = []
    failed: list[BaseException] = []
    told, over = threading.Event(), threading.Event()

    async def serve(folder: Path) -> None:
        script = folder / "script.json"
        script.write_bytes(msgspec.json.encode(Script.saying(corpus.answer(60))))
        settings = WebSettings(port=0)
        tone = Speech(environ={"FIRSTWORD_VOICE_ENGINE": "tone"})
        async with Stack(tone, ScriptedLlm(script=script), Agent()) as stack:
            relay = open_relay(stack.agent_url, settings)
            gateway = create_gateway(relay, Access(hosts=LOOPBACK), settings, ("af_heart",))
            async with listening(gateway) as url:
                ready.append(url)
                told.set()
                await asyncio.to_thread(over.wait)

    def thread() -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                asyncio.run(serve(Path(folder)))
        except BaseException as error:  # handed to the thread that waits
            failed.append(error)
        finally:
            told.set()

    runner = threading.Thread(target=thread, name="page")
    runner.start()
    try:
        told.wait()
        if failed:
            raise failed[0]
        yield ready[0]
    finally:
        over.set()
        runner.join()
