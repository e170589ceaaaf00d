"""What the browser adds: from the click to the first sample, minus the agent's own first audio; and how soon a stop is
silent. A real Chromium, gateway, agent and server; a voice that takes no time, a model of 60 tokens a second.

Two ends are told apart: a sample is rendered when the audio thread hands it on (that thread's clock), and audible when
it leaves the device, later by the latency that the browser reports for it. `BARS` says which the bars are held to.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from firstword.bench import corpus
from firstword.bench.local_page import CHROMIUM_ARGUMENTS, local_page
from firstword.bench.statistics import Summary, summarize
from firstword.errors import FirstwordError
from firstword.llm.scripted.script import Script

__all__ = ["BARS", "DoorCost", "run"]

BARS: Final = (
    "Rendered: handed to the device by the audio thread. Audible: later by the output latency the browser reports.",
    "Added, rendered: the bar is 40 ms (ws), 60 ms (sse): it is said of the first rendered sample.",
    "Stop, audible: the bar is 50 ms from the click to silence at the device, its 20 ms fade within.",
)

_WARM_UPS: Final = 2
_SMALLEST_MS: Final = 20
"""A latency above this is not Chromium's own device with its smallest buffer (16 ms)."""
_ANSWERED: Final = """() => new Promise((resolve) =>
  document.addEventListener("firstword:answered", ({ detail }) => resolve(detail), { once: true }))"""


@dataclass(frozen=True, kw_only=True)
class DoorCost:
    """Milliseconds. `added`: from the click's own time, minus the agent's first audio on the agent's clock."""

    door: str
    added_rendered_ms: Summary
    added_audible_ms: Summary
    silence_rendered_ms: Summary
    silence_audible_ms: Summary
    stalls: int
    larger_buffer: int
    """Answers after the device had run dry with the smallest buffer, so that a larger one was taken."""


def run(trials: int, progress: Callable[[str], None]) -> list[DoorCost]:
    """Ask `trials` times over each door, and stop each answer once it sounds. Needs a Chromium."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise FirstwordError("There is no Chromium here.", code="missing_program", hint="Install Debian's chromium.")
    with local_page(Script.saying(corpus.answer(60), tokens_per_s=60)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))
        try:
            return [_measure(browser.new_page(), url, door, trials, progress) for door in ("ws", "sse")]
        finally:
            browser.close()


def _measure(page: Any, url: str, door: str, trials: int, progress: Callable[[str], None]) -> DoorCost:
    page.goto(url)
    page.get_by_label("Route").select_option(door)
    told = []
    for trial in range(_WARM_UPS + trials):
        progress(f"{door}: {trial + 1} of {_WARM_UPS + trials}")
        page.get_by_role("button", name="Ask").click()
        page.wait_for_function("() => document.getElementById('status').textContent === 'Speaking.'", timeout=60_000)
        page.evaluate(f"() => {{ window.answered = ({_ANSWERED})(); }}")
        page.get_by_role("button", name="Stop").click()
        told.append(page.evaluate("() => window.answered"))
    told = told[_WARM_UPS:]

    def summary(name: str, minus: str | None = None) -> Summary:
        return summarize([round(detail[name] - (detail[minus] if minus else 0), 1) for detail in told])

    return DoorCost(
        door=door,
        added_rendered_ms=summary("renderedFrom", "agentFirstAudio"),
        added_audible_ms=summary("soundFrom", "agentFirstAudio"),
        silence_rendered_ms=summary("renderedSilenceAfterStop"),
        silence_audible_ms=summary("silenceAfterStop"),
        stalls=sum(detail["stalls"] for detail in told),
        larger_buffer=sum(detail["soundFrom"] - detail["renderedFrom"] > _SMALLEST_MS for detail in told),
    )
