"""What is rendered is what was sent: on both doors, at any rate, in any tab, under load, cut anywhere."""

import base64
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Browser

from browser.conftest import RATE_HZ, SHORT, Recorded, record, serving
from browser.gaps import BLOCK
from firstword.bench.page_load import Arrival, NotingRelay, busy_loops, stalls_of_the_page, stalls_told
from firstword.config import WebSettings

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

FIRST_REBUFFER, LONGEST_REBUFFER = 2880, 48_000
"""Samples that the player waits for after it ran dry; twice as many after each time that follows."""
# A background tab: no frames are drawn, and timers fire once a second.
_IN_BACKGROUND = """
Object.defineProperty(Document.prototype, "hidden", { get: () => true });
Object.defineProperty(Document.prototype, "visibilityState", { get: () => "hidden" });
window.requestAnimationFrame = () => 0;
const timer = window.setTimeout;
window.setTimeout = (task, ms, ...rest) => timer(task, Math.max(ms ?? 0, 1000), ...rest);
"""
# The stream of events with CRLF for its line ends, in pieces of 1 to 7 bytes, so that much is cut in its middle; but of
# what comes at once only the head, text or where audio begins: all audio cut so fine would keep the page from playing.
_CUT = """
const whole = window.fetch;
window.fetch = async function (...request) {
  const response = await whole.apply(this, request);
  if (!String(request[0]).includes("api/answer")) return response;
  const cut = new TransformStream({
    transform(bytes, controller) {
      const crlf = Uint8Array.from([...bytes].flatMap((byte) => (byte === 10 ? [13, 10] : [byte])));
      let at = 0;
      for (let size = 1; at < Math.min(crlf.length, 600); at += size, size = (size % 7) + 1)
        controller.enqueue(crlf.slice(at, at + size));
      if (at < crlf.length) controller.enqueue(crlf.slice(at));
    },
  });
  return new Response(response.body.pipeThrough(cut), { status: response.status, headers: response.headers });
};
"""
# What the stream becomes however it is cut: that it does not depend on its pieces is tested in test_player.
_RESAMPLED = """async ([samples, rate]) => {
  const { Resampler } = await import("/player/resampler.js");
  const resampler = new Resampler(24000, rate);
  const all = [...resampler.feed(new Float32Array(Uint8Array.fromBase64(samples).buffer)), ...resampler.flush()];
  return new Uint8Array(Float32Array.from(all).buffer).toBase64();
}"""


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


def test_two_busy_loops_beside_it_make_no_stall(recorded: Recorded, agent: str) -> None:
    relay = NotingRelay(agent, WebSettings(port=0))
    with serving(agent, relay=relay) as url, busy_loops(2):
        recorded.open(url)
        recorded.ask("three parts")
        recorded.wait_for("Done.")
    # On a machine that other tests load too, what came less than a quarter of a second ago may be on its way still.
    assert stalls_of_the_page(stalls_told(recorded.answered()), relay.arrivals, on_its_way_ms=250) == 0
    assert sum(size for _, size in relay.arrivals) == len(recorded.sent_pcm())
    recorded.assert_rendered_as_sent()


def test_each_stall_is_one_rebuffer_and_loses_nothing(recorded: Recorded, agent: str) -> None:
    relay = NotingRelay(agent, WebSettings(port=0))
    with serving(agent, relay=relay) as url:
        page = recorded.open(url)
        recorded.ask("please stall")
        recorded.wait_for("Done.")
    stalls, told = recorded.stalls(), recorded.answered()
    assert told["stalls"] == len(stalls)
    assert f"Stalls\n{len(stalls)}\n" in page.locator("#figures").inner_text() + "\n"
    pauses = _pauses(relay.arrivals)
    assert len(pauses) == 2
    for pause in pauses:
        before = [stall for stall in stalls if stall < pause]
        # A busy machine may make it run dry earlier too: then what is left may be less than it waits for.
        waiting = min(FIRST_REBUFFER * 2 ** (len(before) - 1), LONGEST_REBUFFER)
        assert pause in stalls or (before and pause - before[-1] < waiting)
    assert round(told["playedSeconds"] * RATE_HZ) == len(recorded.sent_samples())
    recorded.assert_rendered_as_sent()


def _pauses(arrivals: Sequence[Arrival]) -> list[int]:
    """After how many samples nothing came for long."""
    come = np.cumsum([size for _, size in arrivals]) // 2
    return [int(come[at]) for at, (one, other) in enumerate(pairwise(arrivals)) if other[0] - one[0] > 1500]


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_a_context_of_another_rate_gets_the_same_sound_at_its_rate(recorded: Recorded, url: str, rate: int) -> None:
    recorded.page.add_init_script(
        f"""const Context = window.AudioContext;
        window.AudioContext = class extends Context {{
          constructor(options) {{ super({{ ...options, sampleRate: {rate} }}); }}
        }};"""
    )
    page = recorded.open(url)
    recorded.ask("hello")
    recorded.wait_for("Done.")
    sent = recorded.sent_samples()
    length = round(len(sent) * rate / RATE_HZ)
    assert round(recorded.answered()["playedSeconds"] * rate) == length
    told = page.evaluate(_RESAMPLED, [base64.b64encode(sent).decode(), rate])
    resampled = np.frombuffer(base64.b64decode(told), dtype="<f4")
    recorded.assert_rendered(resampled, recorded.stalls(rate))
    wanted = _at_rate(sent, length)
    quality_db = 10 * np.log10(np.sum(wanted**2) / np.sum((resampled - wanted) ** 2))
    assert quality_db > 50  # a single sample lost between two pieces would make it 20


def _at_rate(samples: np.ndarray, length: int) -> np.ndarray:
    """The ideal: the spectrum as it is, and more samples of it."""
    spectrum = np.fft.rfft(samples)
    wider = np.zeros(length // 2 + 1, dtype=complex)
    wider[: len(spectrum)] = spectrum
    return np.fft.irfft(wider, length) * length / len(samples)
