"""Cutting in by button, key, typing and talking: what was heard is told right, and nothing old sounds on."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from browser.conftest import LONG, RATE_HZ, Recorded, samples_of
from browser.gaps import BLOCK, without_gaps

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

FADE_SAMPLES = 480
LOUD = "window.rendered.filter(({ samples }) => samples.some((s) => s !== 0))"
# Speech recognition is the browser's; headless Chromium has the name but no service behind it.
_EARS = """
window.webkitSpeechRecognition = class {
  start() { window.ears = this; }
  stop() { this.onend(); }
};
delete window.SpeechRecognition;
"""


def _heard(told: list[dict[str, Any]], played_s: float) -> str:
    """The answer's text up to the last word that had been said to its end."""
    text = "".join(event["text"] for event in told if event["type"] == "text_delta")
    words = [word for event in told if event["type"] == "timings" for word in event["words"]]
    ends = [word["char_end"] for word in words if word["end_s"] <= played_s + 0.0005]
    return text[: max(ends, default=0)]


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_stop_fades_to_silence_and_tells_the_words_that_were_heard(recorded: Recorded, url: str, door: str) -> None:
    page = recorded.open(url)
    recorded.ask("a long one", door=door)
    page.wait_for_function(f"() => {LOUD}.length > 300")
    clicked_at = page.evaluate("window.rendered.at(-1).at")
    page.get_by_role("button", name="Stop").click()
    recorded.wait_for("Stopped. You heard:")
    loud_until = page.evaluate(f"Math.max(...{LOUD}.map(({{ at }}) => at))")
    assert loud_until - clicked_at < 0.5  # of the audio's own clock; `bench page` prints the bar of 50 ms
    sent = recorded.sent_samples()
    heard = without_gaps(recorded.rendered(), sent, recorded.stalls())
    length = int(np.flatnonzero(heard)[-1]) + 1
    whole = length - FADE_SAMPLES - BLOCK
    assert whole > RATE_HZ / 2
    assert np.array_equal(heard[:whole], sent[:whole])
    assert np.all(np.abs(heard[:length]) <= np.abs(sent[:length]))
    events = recorded.events()
    told = (page.locator("#status").text_content() or "").removeprefix("Stopped. You heard: “").removesuffix("”")
    (cut,) = [event for event in events if event["type"] == "interrupted"]
    assert cut["heard_text"].strip() == told
    if door == "ws":
        (cancel,) = [asked for asked in recorded.asked if asked.get("action") == "cancel"]
        assert told == _heard(events, cancel["played_s"])
        assert 0 < cancel["played_s"] <= len(heard) / RATE_HZ
    assert LONG.startswith(told)
    assert 0 < len(told) < len(LONG)


def test_stop_after_the_last_event_still_tells_the_agent_what_was_heard(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    recorded.ask("hello")
    recorded.wait_for("Speaking.")
    page.wait_for_function("() => document.getElementById('answer').textContent.endsWith('answer.')")
    page.get_by_role("button", name="Stop").click()
    recorded.wait_for("Stopped")
    assert [event["type"] for event in recorded.told].count("interrupted") == 1


def test_a_question_within_an_answer_is_answered_and_nothing_old_sounds(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    recorded.ask("a long one")
    recorded.wait_for("Speaking.")
    page.get_by_role("button", name="Ask").click()
    recorded.wait_for("Speaking.")
    page.evaluate("document.getElementById('prompt').value = 'hello'")  # not typed: typing would interrupt by itself
    page.get_by_role("button", name="Ask").click()
    recorded.wait_for("Done.")
    assert page.evaluate("window.answered.length") == 3
    before = recorded.answered(which=-2)["blocks"]
    recorded.assert_rendered(samples_of(recorded.saved_pcm()), recorded.stalls(), since=before)


def test_typing_interrupts_the_answer(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    recorded.ask("a long one")
    recorded.wait_for("Speaking.")
    page.get_by_label("Your question").press_sequentially("x")
    recorded.wait_for("Stopped")


def test_a_voice_interrupts_the_answer_and_its_words_are_asked(recorded: Recorded, url: str) -> None:
    recorded.page.add_init_script(_EARS)
    page = recorded.open(url)
    recorded.ask("a long one")
    recorded.wait_for("Speaking.")
    page.get_by_role("button", name="Talk").click()
    expect(page.get_by_role("button", name="Talk")).to_have_attribute("aria-pressed", "true")
    page.evaluate("window.ears.onspeechstart()")
    recorded.wait_for("Stopped")
    result = "Object.assign([{ transcript: 'hello' }], { isFinal: true })"
    page.evaluate(f"() => {{ window.ears.onresult({{ results: [{result}] }}); window.ears.onend(); }}")
    recorded.wait_for("Done.")
    assert [asked["prompt"] for asked in recorded.asked if "prompt" in asked] == ["a long one", "hello"]
    page.get_by_role("button", name="Talk").click()
    page.evaluate("window.ears.onerror({ error: 'not-allowed' })")
    recorded.wait_for("The microphone could not be used (not-allowed).")


def test_where_the_browser_cannot_listen_there_is_no_button_for_it(recorded: Recorded, url: str) -> None:
    recorded.page.add_init_script("delete window.SpeechRecognition; delete window.webkitSpeechRecognition;")
    page = recorded.open(url)
    expect(page.locator("#voice option").first).to_be_attached()
    expect(page.locator("#talk")).to_be_hidden()


def test_a_question_asked_twice_before_the_page_can_speak_is_answered_once(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    page.get_by_label("Route").select_option("sse")
    page.get_by_label("Your question").fill("hello")
    page.evaluate("() => { const ask = document.getElementById('ask'); ask.requestSubmit(); ask.requestSubmit(); }")
    recorded.wait_for("Done.")
    assert [event["type"] for event in recorded.events()].count("agent_start") == 1
    assert page.locator("#timeline .mark").count() == 1
    recorded.assert_rendered_as_sent()
