"""What is rendered is what was sent: on both doors, at any rate, in any tab, under load, cut anywhere."""

import subprocess
import sys

import numpy as np
import pytest
from playwright.sync_api import Browser

from browser.conftest import SHORT, Recorded, record

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

BLOCK = 128
# A background tab: no frames are drawn, and timers fire once a second.
_IN_BACKGROUND = """
Object.defineProperty(Document.prototype, "hidden", { get: () => true });
Object.defineProperty(Document.prototype, "visibilityState", { get: () => "hidden" });
window.requestAnimationFrame = () => 0;
const timer = window.setTimeout;
window.setTimeout = (task, ms, ...rest) => timer(task, Math.max(ms ?? 0, 1000), ...rest);
"""
# The stream of events with CRLF for its line ends, in pieces of 1 to 7 bytes, so that much is cut in its middle.
_CUT = """
const whole = window.fetch;
window.fetch = async function (...request) {
  const response = await whole.apply(this, request);
  if (!String(request[0]).includes("api/answer")) return response;
  const cut = new TransformStream({
    transform(bytes, controller) {
      const crlf = Uint8Array.from([...bytes].flatMap((byte) => (byte === 10 ? [13, 10] : [byte])));
      for (let at = 0, size = 1; at < crlf.length; at += size, size = (size % 7) + 1)
        controller.enqueue(crlf.slice(at, at + size));
    },
  });
  return new Response(response.body.pipeThrough(cut), { status: response.status, headers: response.headers });
};
"""


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_every_sample_sent_is_rendered_bit_by_bit_without_a_gap(recorded: Recorded, url: str, door: str) -> None:
    page = recorded.open(url)
    recorded.ask("hello", door=door)
    recorded.wait_for("Done.")
    assert page.locator("#answer").text_content() == SHORT
    assert len(recorded.sent_samples()) % BLOCK  # so that the last block is a partial one
    recorded.assert_rendered_as_sent()
    assert recorded.saved_pcm() == recorded.sent_pcm()


def test_events_in_crlf_and_cut_within_every_character_play_the_same(recorded: Recorded, url: str) -> None:
    recorded.page.add_init_script(_CUT)
    page = recorded.open(url)
    recorded.ask("html", door="sse")
    recorded.wait_for("Done.")
    assert "שלום עולם 👩‍👩‍👧 🎈" in (page.locator("#answer").text_content() or "")
    recorded.assert_rendered_as_sent()


def test_two_tabs_speak_at_once_each_its_own_answer(chromium: Browser, url: str) -> None:
    context = chromium.new_context()
    tabs = [record(context), record(context)]
    for tab, prompt in zip(tabs, ("hello", "html"), strict=True):
        tab.open(url)
        tab.ask(prompt)
    for tab in tabs:
        tab.wait_for("Done.")
        tab.assert_rendered_as_sent()
    assert tabs[0].sent_pcm() != tabs[1].sent_pcm()
    context.close()


def test_a_tab_in_the_background_plays_on(recorded: Recorded, url: str) -> None:
    recorded.page.add_init_script(_IN_BACKGROUND)
    recorded.open(url)
    recorded.ask("hello")
    other = recorded.page.context.new_page()
    other.bring_to_front()
    recorded.wait_for("Done.")
    recorded.assert_rendered_as_sent()


def test_two_busy_loops_beside_it_make_no_stall(recorded: Recorded, url: str) -> None:
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        recorded.open(url)
        recorded.ask("three parts")
        recorded.wait_for("Done.")
    finally:
        for loop in busy:
            loop.kill()
            loop.wait()
    assert recorded.answered()["stalls"] == 0
    recorded.assert_rendered_as_sent()


def test_each_stall_is_one_rebuffer_and_loses_nothing(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    recorded.ask("please stall")
    recorded.wait_for("Done.")
    assert recorded.answered()["stalls"] == 2
    assert "Stalls\n2" in page.locator("#figures").inner_text()
    sent, played = recorded.sent_samples(), recorded.answered()["playedSeconds"]
    assert round(played * 24_000) == len(recorded.sent_pcm()) // 2
    recorded.wait_until_rendered(len(sent))
    rendered = recorded.rendered()
    assert np.array_equal(rendered[rendered != 0], sent[sent != 0])


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_a_context_of_another_rate_gets_the_same_sound_at_its_rate(recorded: Recorded, url: str, rate: int) -> None:
    recorded.page.add_init_script(
        f"""const Context = window.AudioContext;
        window.AudioContext = class extends Context {{
          constructor(options) {{ super({{ ...options, sampleRate: {rate} }}); }}
        }};"""
    )
    recorded.open(url)
    recorded.ask("hello")
    recorded.wait_for("Done.")
    sent = np.frombuffer(recorded.sent_pcm(), dtype="<i2") / 32768
    length = round(len(sent) * rate / 24_000)
    assert round(recorded.answered()["playedSeconds"] * rate) == length
    wanted = _at_rate(sent, length)
    recorded.wait_until_rendered(length)
    error = recorded.rendered_floats()[:length] - wanted  # the filter rings ahead: no first sample is zero
    quality_db = 10 * np.log10(np.sum(wanted**2) / np.sum(error**2))
    assert quality_db > 50  # a single sample lost between two pieces would make it 20


def _at_rate(samples: np.ndarray, length: int) -> np.ndarray:
    """The ideal: the spectrum as it is, and more samples of it."""
    spectrum = np.fft.rfft(samples)
    wider = np.zeros(length // 2 + 1, dtype=complex)
    wider[: len(spectrum)] = spectrum
    return np.fft.irfft(wider, length) * length / len(samples)
