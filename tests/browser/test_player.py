"""The player's modules by themselves, in the browser they are made for."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from browser.conftest import Recorded

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

SAMPLES = np.array([((i * 7919) % 60_000) - 30_000 or 1 for i in range(12_345)]) / np.float32(32768)
EVENTS = '{"a":"שלום 👩‍👩‍👧 é"}', "", "two\nlines", '{"b":1}'

# Before anybody has touched the page. Whatever Playwright evaluates would be a touch, so this tells by the console.
_EARLY = """
addEventListener("load", async () => {
  const { Player } = await import("/player/player.js");
  const player = await Player.create();
  window.told = [player.locked];
  player.onlocked = async () => {
    window.told.push("locked", await player.unlock(), player.playedSeconds);
    console.log("withheld");
  };
  player.onunlocked = () => window.told.push("unlocked");
  player.onstart = () => window.told.push("started");
  player.onend = ({ reason, playedSeconds }) => window.told.push(reason, Math.round(playedSeconds * 24_000));
  const samples = Int16Array.from({ length: 12_345 }, (_, i) => ((i * 7919) % 60_000) - 30_000 || 1);
  player.begin();
  for (let at = 0; at < samples.length; at += 500) player.feed(samples.slice(at, at + 500));
  player.end();
  document.addEventListener("click", async () => window.told.push(await player.unlock(), player.locked));
});
"""


@pytest.fixture
def page(recorded: Recorded, url: str) -> Page:
    """Where the modules can be imported from; the page itself is left alone."""
    return recorded.open(f"{url}/player/sse.js")


def _parsed(page: Page, stream: str) -> list[list[str]]:
    """What the parser gives for a stream that is cut once, at each of its bytes, and once at all of them."""
    told: list[list[str]] = page.evaluate(
        """async (stream) => {
          const { SseParser } = await import("/player/sse.js");
          const bytes = new TextEncoder().encode(stream);
          const parsed = (pieces) => {
            const parser = new SseParser();
            return [...pieces.flatMap((piece) => parser.feed(piece)), parser.lastEventId];
          };
          const all = [parsed(Array.from(bytes, (_, at) => bytes.slice(at, at + 1)))];
          for (let at = 0; at <= bytes.length; at += 1) all.push(parsed([bytes.slice(0, at), bytes.slice(at)]));
          return all;
        }""",
        stream,
    )
    return told


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_are_the_same_however_they_are_cut(page: Page, end: str) -> None:
    lines = [": comment", ""]
    for number, event in enumerate(EVENTS, start=1):
        lines += [f"id: {number}", *(f"data: {line}" for line in event.split("\n")), ""]
    stream = "\ufeff" + end.join([*lines, "id: 5", "data: never ended", ""])
    assert all(parsed == [*EVENTS, "4"] for parsed in _parsed(page, stream))


def test_a_stream_taken_up_again_begins_with_a_whole_event(page: Page) -> None:
    told = page.evaluate(
        """async () => {
          const { SseParser } = await import("/player/sse.js");
          const parser = new SseParser();
          const bytes = new TextEncoder().encode("id: 7\\ndata: one\\n\\nid: 8\\ndata: Gr\\u00fc");
          const first = parser.feed(bytes.slice(0, -1));
          const last = parser.lastEventId;
          parser.cutOff();
          return [first, last, parser.feed(new TextEncoder().encode("id: 8\\ndata: two\\n\\n")), parser.lastEventId];
        }"""
    )
    assert told == [["one"], "7", ["two"], "8"]


@pytest.mark.parametrize(("up", "down"), [(44_100, 24_000), (48_000, 24_000), (16_000, 24_000), (24_000, 44_100)])
def test_a_resampled_stream_does_not_depend_on_its_pieces(page: Page, up: int, down: int) -> None:
    told: dict[str, Any] = page.evaluate(
        """async ([to, from]) => {
          const { Resampler } = await import("/player/resampler.js");
          const toneAt = (hertz, i) => 0.5 * Math.sin((2 * Math.PI * 1000 * i) / hertz);
          const tone = Float32Array.from({ length: 5003 }, (_, i) => toneAt(from, i));
          const run = (sizes) => {
            const resampler = new Resampler(from, to);
            const out = [];
            for (let at = 0, n = 0; at < tone.length; at += sizes[n % sizes.length], n += 1)
              out.push(...resampler.feed(tone.slice(at, at + sizes[n % sizes.length])));
            return [...out, ...resampler.flush()];
          };
          const whole = run([5003]);
          let worst = 0;
          for (let i = 200; i < whole.length - 200; i += 1)
            worst = Math.max(worst, Math.abs(whole[i] - toneAt(to, i)));
          const asWhole = (other) => other.length === whole.length && other.every((sample, i) => sample === whole[i]);
          const same = [[1], [127], [1, 500, 3]].map(run).every(asWhole);
          return { length: whole.length, worst, same };
        }""",
        [up, down],
    )
    assert told["same"]
    assert told["length"] == round(5003 * up / down)
    assert told["worst"] < 0.0005  # 60 dB below the tone


def test_pcm_cut_within_a_sample_is_played_whole(recorded: Recorded, page: Page) -> None:
    told = page.evaluate(
        """async () => {
          const { Player } = await import("/player/player.js");
          const player = await Player.create();
          await player.unlock();
          const samples = Int16Array.from({ length: 10_007 }, (_, i) => ((i * 7919) % 60_000) - 30_000 || 1);
          const bytes = new Uint8Array(samples.buffer);
          const stalls = [];
          player.onunderrun = ({ playedSeconds }) => stalls.push(Math.round(playedSeconds * 24_000));
          const ended = new Promise((resolve) => (player.onend = resolve));
          player.begin();
          player.feed(bytes.slice(0, 9001)); // enough that it hardly runs dry between the pieces
          for (let at = 9001; at < bytes.length; at += 13) player.feed(bytes.slice(at, at + 13));
          player.end();
          const { reason, playedSeconds, underruns } = await ended;
          return { reason, played: playedSeconds * 24_000, underruns, stalls };
        }"""
    )
    assert (told["reason"], round(told["played"]), told["underruns"]) == ("finished", 10_007, len(told["stalls"]))
    recorded.assert_rendered(SAMPLES[:10_007], told["stalls"])


def test_a_turn_that_is_begun_anew_leaves_nothing_of_the_one_before(page: Page) -> None:
    told = page.evaluate(
        """async () => {
          const { Player } = await import("/player/player.js");
          const player = await Player.create();
          await player.unlock();
          player.begin();
          player.feed(new Int16Array(24_000).fill(5));
          player.begin();
          const ended = new Promise((resolve) => (player.onend = resolve));
          player.feed(new Int16Array(240).fill(7));
          player.end();
          const { playedSeconds } = await ended;
          player.begin();
          const stopped = await player.stop();
          return [Math.round(playedSeconds * 24_000), stopped, player.underruns];
        }"""
    )
    assert told == [240, 0, 0]


def test_audio_fed_before_any_gesture_is_kept_and_sounds_from_its_beginning_with_a_click(
    recorded: Recorded, url: str
) -> None:
    recorded.page.add_init_script(_EARLY)
    with recorded.page.expect_console_message(lambda message: message.text == "withheld"):
        page = recorded.open(f"{url}/player/sse.js")
    page.mouse.click(50, 50)
    page.wait_for_function("() => window.told.length === 10")
    told = page.evaluate("window.told")
    assert told[:4] == [True, "locked", False, 0]
    assert [what for what in told[4:] if what not in (True, False, "unlocked")] == ["started", "finished", 12_345]
    assert (told.count("unlocked"), told[4:].count(True), told[4:].count(False)) == (1, 1, 1)
    recorded.assert_rendered(SAMPLES, [])  # all had been fed before it sounded


def test_who_is_late_again_is_waited_for_longer(page: Page) -> None:
    told = page.evaluate(
        """async () => {
          const { Player } = await import("/player/player.js");
          const player = await Player.create();
          await player.unlock();
          const next = (name) => new Promise((resolve) => (player[name] = resolve));
          const feed = (samples) => player.feed(new Int16Array(samples).fill(5));
          const played = () => Math.round(player.playedSeconds * 24_000);
          player.begin();
          feed(2400);
          await next("onunderrun");
          feed(3600); // more than the first wait is for
          await next("onunderrun");
          feed(3600); // less than the second
          for (let told = 0; told < 8; told += 1) await next("onposition");
          const waiting = played();
          feed(3600);
          await next("onunderrun");
          return [waiting, played(), player.underruns];
        }"""
    )
    assert told == [6000, 13_200, 3]
