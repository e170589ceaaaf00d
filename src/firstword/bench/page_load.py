"""Whole answers of the real voice through the page, beside busy loops: where sound ran dry, and whose doing it was.

The gateway notes when each piece of audio came from the agent. A stall at which all that had come was played is the
server's: it was late, and nobody can play what is not there. A stall for which audio had come well before is the page's
(the gateway's, the network's, the browser's).
"""

import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from firstword.audio import BYTES_PER_SAMPLE
from firstword.bench import corpus
from firstword.bench.local_page import CHROMIUM_ARGUMENTS, local_agent, local_gateway
from firstword.bench.playback import listen
from firstword.client.agent import SocketDoor
from firstword.config import WebSettings
from firstword.errors import FirstwordError
from firstword.llm.scripted.script import Script
from firstword.web.relay import Relay

__all__ = ["Arrival", "LoadedAnswer", "NotingRelay", "busy_loops", "run", "stalls_of_the_page", "stalls_told"]

_RATE_HZ: Final = 24_000
_ON_ITS_WAY_MS: Final = 40.0
"""What the way from gateway to audio thread may take: the bar for click to first sample."""
_ANSWERED: Final = """() => new Promise((resolve) =>
  document.addEventListener("firstword:answered", ({ detail }) => resolve(detail), { once: true }))"""

type Arrival = tuple[float, int]
"""When, in milliseconds since 1970, and how many bytes of PCM."""


@dataclass(frozen=True, kw_only=True)
class LoadedAnswer:
    """`server_silence_ms`: what a listener without a page would have had to bear. `whole`: every sample was played."""

    door: str
    audio_s: float
    whole: bool
    page_stalls: int
    server_stalls: int
    server_silence_ms: float
    device_underruns: int


def stalls_of_the_page(
    stalls: Sequence[tuple[float, float]], arrivals: Sequence[Arrival], on_its_way_ms: float = _ON_ITS_WAY_MS
) -> int:
    """How many of the stalls, each (when in ms, after how many seconds of sound), had more audio to play."""

    def come(by_ms: float) -> float:
        return sum(size for at_ms, size in arrivals if at_ms <= by_ms) / (BYTES_PER_SAMPLE * _RATE_HZ)

    return sum(come(at_ms - on_its_way_ms) > played_s + 1 / _RATE_HZ for at_ms, played_s in stalls)


def stalls_told(detail: Mapping[str, Any]) -> list[tuple[float, float]]:
    """The stalls of what the page tells of an answer, each as `stalls_of_the_page` takes it."""
    return [(detail["askedAt"] + stall["renderedMs"], stall["playedSeconds"]) for stall in detail["stalled"]]


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """So many processes that never rest, at this process's own priority."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run(
    busy: int,
    trials: int,
    progress: Callable[[str], None],
    *,
    text: str | None = None,
    doors: Sequence[str] = ("ws", "sse"),
    on_its_way_ms: float = _ON_ITS_WAY_MS,
) -> list[LoadedAnswer]:
    """Play `trials` answers over each door, the first of each without the loops and not told. Needs a Chromium."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise FirstwordError("There is no Chromium here.", code="missing_program", hint="Install Debian's chromium.")
    told = []
    script = Script.saying(text or corpus.answer(60), tokens_per_s=60)
    with local_agent(script, speech={}) as agent:
        relay = NotingRelay(agent, WebSettings(port=0))
        with local_gateway(agent, relay=relay) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))
            for door in doors:
                page = browser.new_page()
                page.goto(url)
                page.get_by_label("Route").select_option(door)
                _answer(page)
                with busy_loops(busy):
                    for trial in range(trials):
                        progress(f"{door}: {trial + 1} of {trials}")
                        relay.arrivals.clear()
                        told.append(_told(door, _answer(page), relay.arrivals, on_its_way_ms))
                page.close()
            browser.close()
    return told


def _answer(page: Any) -> dict[str, Any]:
    page.evaluate(f"() => {{ window.answered = ({_ANSWERED})(); }}")
    page.get_by_role("button", name="Ask").click()
    detail: dict[str, Any] = page.evaluate("() => window.answered")
    return detail


def _told(door: str, detail: dict[str, Any], arrivals: Sequence[Arrival], on_its_way_ms: float) -> LoadedAnswer:
    stalls = stalls_told(detail)
    samples = sum(size for _, size in arrivals) // BYTES_PER_SAMPLE
    mine = stalls_of_the_page(stalls, arrivals, on_its_way_ms)
    return LoadedAnswer(
        door=door,
        audio_s=round(samples / _RATE_HZ, 3),
        whole=round(detail["playedSeconds"] * _RATE_HZ) == samples,
        page_stalls=mine,
        server_stalls=len(stalls) - mine,
        server_silence_ms=round(listen(arrivals, _RATE_HZ).underrun_ms, 1),
        device_underruns=detail["deviceUnderruns"],
    )


class NotingRelay(Relay):
    """Notes what audio came from the agent, and when: `arrivals`."""

    def __init__(self, agent: str, settings: WebSettings) -> None:
        super().__init__(agent, settings)
        self.arrivals: list[Arrival] = []

    async def events(self, payload: bytes, conversation: str) -> AsyncGenerator[str | bytes]:
        async with aclosing(super().events(payload, conversation)) as items:
            async for item in items:
                self._note(item)
                yield item

    async def received(self, door: SocketDoor) -> AsyncGenerator[str | bytes]:
        async with aclosing(super().received(door)) as items:
            async for item in items:
                self._note(item)
                yield item

    def _note(self, item: str | bytes) -> None:
        if isinstance(item, bytes):
            self.arrivals.append((time.time() * 1000, len(item)))
        elif '"audio_chunk"' in item and (data := msgspec.json.decode(item).get("data")):
            self.arrivals.append((time.time() * 1000, len(data) // 4 * 3 - data[-2:].count("=")))
