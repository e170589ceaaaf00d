"""Whatever breaks, the page says what happened and works again without a reload."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from browser.conftest import ODD, SHORT, THREE, Recorded, serving
from fakes.wire import Wire

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

# Nobody touches the page before the button is there; whatever Playwright evaluates would count as a touch.
_ASK_BY_ITSELF = """
addEventListener("load", () => {
  const unlock = document.getElementById("unlock");
  new MutationObserver(() => unlock.hidden || console.log("withheld")).observe(unlock, { attributes: true });
  document.getElementById("ask").requestSubmit();
});
"""


def _says(recorded: Recorded, fault: str) -> None:
    expect(recorded.page.locator("#status.fault")).to_contain_text(fault, timeout=60_000)


def _works_again(recorded: Recorded, door: str = "ws") -> None:
    recorded.ask("hello", door=door)
    recorded.wait_for("Done.")


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_an_answer_whose_connection_is_cut_goes_on_where_it_was(recorded: Recorded, wire: Wire, door: str) -> None:
    page = recorded.open(wire.url)
    recorded.ask("three parts", door=door)
    recorded.wait_for("Speaking.")
    wire.cut()
    recorded.wait_for("Done.")
    assert page.locator("#answer").text_content() == THREE
    (end,) = [event for event in recorded.events() if event["type"] == "audio_stream_end"]
    assert len(recorded.saved_pcm()) == round(end["duration_s"] * 48_000)
    recorded.assert_rendered_as_sent()


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_a_gateway_that_was_restarted_is_told_and_the_next_answer_works(
    recorded: Recorded, agent: str, door: str
) -> None:
    with serving(agent) as url:
        recorded.open(url)
        recorded.ask("a long one", door=door)
        recorded.wait_for("Speaking.")
    with serving(agent, port=urlsplit(url).port or 0):
        _says(recorded, "cannot be taken up again")
        _works_again(recorded, door)


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_a_gateway_that_is_gone_is_told_until_it_is_back(recorded: Recorded, wire: Wire, door: str) -> None:
    recorded.open(wire.url)
    wire.go_down()
    recorded.ask("hello", door=door)
    _says(recorded, "The gateway cannot be reached")
    wire.come_back()
    _works_again(recorded, door)


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_an_agent_that_is_down_is_told(recorded: Recorded, door: str) -> None:
    with serving("http://127.0.0.1:9") as url:
        recorded.open(url)
        recorded.ask("hello", door=door)
        _says(recorded, "The agent cannot be used: Cannot reach")


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_an_answer_that_fails_in_its_middle_is_told(recorded: Recorded, url: str, door: str) -> None:
    page = recorded.open(url)
    recorded.ask("please fail", door=door)
    _says(recorded, "model")
    expect(page.locator("#answer")).to_contain_text("This will break.")
    _works_again(recorded, door)


def test_a_prompt_of_20_kb_is_answered_and_a_longer_one_refused_with_its_limit(recorded: Recorded, url: str) -> None:
    recorded.open(url)
    recorded.ask("x" * 20_000)
    recorded.wait_for("Done.")
    recorded.ask("x" * 20_480)
    _says(recorded, "20000")
    recorded.ask("é" * 200_000)
    _says(recorded, "More than 262144 bytes.")
    _works_again(recorded)


def test_a_question_of_blanks_is_not_asked(recorded: Recorded, url: str) -> None:
    recorded.open(url)
    recorded.ask("   ")
    _says(recorded, "Write a question first.")
    assert recorded.asked == []


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_markup_emoji_and_right_to_left_text_are_only_ever_text(recorded: Recorded, url: str, door: str) -> None:
    page = recorded.open(url)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    recorded.ask("html <script>alert(2)</script> مرحبا 🎉", door=door)
    recorded.wait_for("Done.")
    assert page.locator("#answer").text_content() == ODD
    assert page.locator("#answer *").count() == 0
    assert dialogs == []
    lit = "[...CSS.highlights.get('heard')][0].toString()"
    assert page.evaluate(lit) == ODD.removesuffix(".")  # offsets are code points, the page counts in UTF-16


def test_without_audio_worklets_the_answer_is_read_saved_and_not_heard(recorded: Recorded, url: str) -> None:
    recorded.page.add_init_script("delete window.AudioWorkletNode;")
    page = recorded.open(url)
    _says(recorded, "AudioWorklet")
    recorded.ask("hello")
    expect(page.locator("#answer")).to_have_text(SHORT, timeout=60_000)
    _says(recorded, "can be read but not heard")
    assert recorded.saved_pcm() == recorded.sent_pcm()


@pytest.mark.parametrize("told", [True, False])
def test_a_page_that_nobody_has_touched_speaks_from_the_beginning_with_a_tap(
    recorded: Recorded, url: str, told: bool
) -> None:
    if not told:  # an older browser: only that the sound is withheld shows it, when the answer is under way
        recorded.page.add_init_script("delete Navigator.prototype.userActivation;")
    recorded.page.add_init_script(_ASK_BY_ITSELF)
    with recorded.page.expect_console_message(lambda message: message.text == "withheld"):
        page = recorded.open(url)
    recorded.wait_for("The browser asks for a tap")
    unlock = page.get_by_role("button", name="Tap to hear the answer")
    unlock.click()
    recorded.wait_for("Done.")
    expect(unlock).to_be_hidden()
    recorded.assert_rendered_as_sent()
