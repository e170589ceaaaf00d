"""The page in a real Chromium, with a real agent, server and gateway behind it."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from browser.conftest import RECORDER, Recorded
from firstword import audio
from firstword.bench.local_page import local_page
from firstword.llm.scripted.script import Fail, Reply, Say, Script, Stall

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

NAMES = ("one", "two", "three", "four", "five", "six")
LONG = " ".join(f"This is sentence {name} of the long answer." for name in NAMES)
STALLED = (Say(text="The first part is here. "), Stall(seconds=4.0), Say(text="The rest came late."))
COMPARED = re.compile(r"^Mode as it writes: first sound .* Mode after it has written: first sound ")
LOUD = "window.rendered.filter(({ samples }) => samples.some((s) => s !== 0))"
SCRIPT = Script(
    replies=(
        Reply(when="long", turns=((Say(text=LONG),),)),
        Reply(when="stall", turns=(STALLED,)),
        Reply(when="fail", turns=((Say(text="This will break. And it "), Fail(status=500)),)),
        Reply(when="html", turns=((Say(text="<b>bold</b> & <img src=x onerror=alert(1)> שלום 🎈 done."),),)),
        Reply(turns=((Say(text="Hello there. This is a short answer."),),)),
    ),
    tokens_per_s=60,
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with local_page(SCRIPT, routes=(RECORDER,)) as address:
        yield address


def _ask(page: Page, prompt: str, *, door: str = "ws", mode: str = "bidi") -> None:
    page.get_by_label("Your question").fill(prompt)
    page.get_by_label("Route").select_option(door)
    page.locator(f"input[value={mode}]").check()
    page.get_by_role("button", name="Ask").click()


def _wait_for(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_contain_text(text, timeout=60_000)


def _without_lead(samples: np.ndarray) -> np.ndarray:
    return samples[np.flatnonzero(samples)[0] :] if np.any(samples) else samples[:0]


def _saved(page: Page) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as WAV").click()
    return Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_every_sample_sent_is_rendered_bit_by_bit_without_a_gap(recorded: Recorded, url: str, door: str) -> None:
    page = recorded.page
    page.goto(url)
    _ask(page, "hello", door=door)
    _wait_for(page, "Done.")
    expect(page.locator("#answer")).to_have_text("Hello there. This is a short answer.")
    wanted = _without_lead(recorded.sent_samples())
    recorded.wait_until_rendered(len(wanted))
    rendered = _without_lead(recorded.rendered())
    assert len(wanted) > 24_000
    assert np.array_equal(rendered[: len(wanted)], wanted)
    assert not np.any(rendered[len(wanted) :])
    assert audio.wav_pcm(_saved(page))[0] == recorded.sent_pcm()


@pytest.mark.parametrize("door", ["ws", "sse"])
def test_stop_silences_at_once_and_tells_what_was_heard(recorded: Recorded, url: str, door: str) -> None:
    page = recorded.page
    page.goto(url)
    _ask(page, "a long one", door=door)
    page.wait_for_function(f"() => {LOUD}.length > 300")
    page.get_by_role("button", name="Stop").click()
    clicked_s = page.evaluate("window.rendered.at(-1).at")
    _wait_for(page, "Stopped. You heard:")
    loud_s = page.evaluate(f"Math.max(...{LOUD}.map(({{ at }}) => at))")
    assert loud_s - clicked_s < 0.25  # on the audio clock; the bench prints the bar of 50 ms
    heard = page.evaluate("document.getElementById('status').textContent")
    told = heard.removeprefix("Stopped. You heard: “").removesuffix("”")
    assert LONG.startswith(told)
    assert 0 < len(told) < len(LONG)
    before = page.evaluate(f"{LOUD}.length")
    _ask(page, "hello", door=door)
    _wait_for(page, "Done.")
    assert page.evaluate(f"{LOUD}.length") > before


def test_typing_interrupts_the_answer(recorded: Recorded, url: str) -> None:
    page = recorded.page
    page.goto(url)
    _ask(page, "a long one")
    _wait_for(page, "Speaking.")
    page.get_by_label("Your question").press_sequentially("x")
    _wait_for(page, "Stopped.")


def test_a_stall_is_one_rebuffer_and_loses_nothing(recorded: Recorded, url: str) -> None:
    page = recorded.page
    page.goto(url)
    _ask(page, "please stall")
    _wait_for(page, "Done.")
    figures = page.locator("#figures").inner_text()
    assert figures.split("Stalls")[1].split()[0] == "1"
    sent = recorded.sent_samples()
    recorded.wait_until_rendered(int(np.count_nonzero(sent)))
    loud = recorded.rendered()
    assert np.array_equal(loud[loud != 0], sent[sent != 0])


def test_an_answer_that_breaks_is_told_and_the_next_one_works(recorded: Recorded, url: str) -> None:
    page = recorded.page
    page.goto(url)
    _ask(page, "please fail")
    expect(page.locator("#status.fault")).not_to_be_empty(timeout=60_000)
    _ask(page, "hello")
    _wait_for(page, "Done.")


def test_markup_in_question_and_answer_is_only_ever_text(recorded: Recorded, url: str) -> None:
    page = recorded.page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.goto(url)
    _ask(page, "html <script>alert(2)</script> مرحبا 🎉 " + "x" * 15_000)
    _wait_for(page, "Done.")
    expect(page.locator("#answer")).to_contain_text("<b>bold</b> & <img src=x onerror=alert(1)> שלום 🎈 done.")
    assert page.locator("#answer *").count() == 0
    assert dialogs == []


def test_compare_draws_both_modes_on_one_axis(recorded: Recorded, url: str) -> None:
    page = recorded.page
    page.goto(url)
    _ask(page, "hello", mode="compare")
    expect(page.locator("#timeline")).to_have_attribute("aria-label", COMPARED, timeout=90_000)
    assert page.locator("#timeline svg").count() == 1
    assert page.locator("#timeline .mark").count() == 2


def test_everything_can_be_done_with_the_keyboard_alone(recorded: Recorded, url: str) -> None:
    page = recorded.page
    page.goto(url)
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.value"))
    assert {"prompt", "bidi", "voice", "speed", "door", "send"} <= set(reached)
    page.get_by_label("Your question").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("a long one")
    page.keyboard.press("Enter")
    _wait_for(page, "Speaking.")
    page.keyboard.press("Escape")
    _wait_for(page, "Stopped.")


def test_a_gateway_that_is_gone_is_told_and_the_page_works_again_when_it_is_back(recorded: Recorded, url: str) -> None:
    page = recorded.page
    page.goto(url)
    page.context.set_offline(True)
    _ask(page, "hello", door="sse")
    expect(page.locator("#status.fault")).to_contain_text("cannot be reached", timeout=30_000)
    page.context.set_offline(False)
    _ask(page, "hello", door="sse")
    _wait_for(page, "Done.")


def test_without_audio_worklets_the_page_says_so(recorded: Recorded, url: str) -> None:
    page = recorded.page
    page.add_init_script("delete window.AudioWorkletNode;")
    page.goto(url)
    _ask(page, "hello")
    expect(page.locator("#status.fault")).to_contain_text("AudioWorklet", timeout=10_000)


def test_axe_finds_nothing_serious(recorded: Recorded, url: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = recorded.page
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(url)
        _ask(page, "hello")
        _wait_for(page, "Done.")
        found = Axe().run(page).response["violations"]
        assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []
