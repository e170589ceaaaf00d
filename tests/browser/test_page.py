"""The page as people use it: choosing, comparing, reading along, with keys alone, on a phone, in light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.conftest import RATE_HZ, Recorded

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

COMPARED = re.compile(r"^Mode as it writes: first sound .* Mode after it has written: first sound ")
# The example shows how many stalls there were; where, its player tells whoever asks.
_NOTE_STALLS = """async () => {
  const { Player } = await import("/player/player.js");
  const create = Player.create;
  window.stalls = [];
  Player.create = async () => {
    const player = await create.call(Player);
    player.onunderrun = ({ playedSeconds }) => window.stalls.push(playedSeconds);
    return player;
  };
}"""
SIZES = ((1100, 900), (360, 740))


def test_compare_draws_both_modes_on_one_axis_and_says_how_much_sooner(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    recorded.ask("hello", mode="compare")
    expect(page.locator("#timeline")).to_have_attribute("aria-label", COMPARED, timeout=90_000)
    recorded.wait_for("Done.")
    assert page.locator("#timeline svg").count() == 1
    assert page.locator("#timeline .mark").count() == 2
    expect(page.locator("#verdict")).to_contain_text(re.compile(r"\d+\.\d× sooner"))
    assert [asked["mode"] for asked in recorded.asked] == ["bidi", "batch"]


def test_voice_and_speed_are_what_was_chosen(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    page.get_by_label("Voice").select_option("bm_george")
    page.get_by_label(re.compile("^Speed")).fill("1.5")
    expect(page.locator("#speed-value")).to_have_text("1.5×")
    recorded.ask("hello", mode="batch")
    recorded.wait_for("Done.")
    (asked,) = recorded.asked
    assert (asked["voice"], asked["speed"], asked["mode"]) == ("bm_george", 1.5, "batch")
    assert next(event for event in recorded.told if event["type"] == "audio_stream_start")["voice"] == "bm_george"
    assert page.locator("#voice optgroup").evaluate_all("(all) => all.map(({ label }) => label)") == [
        "American English",
        "British English",
    ]


def test_pronunciations_go_with_the_question_and_one_that_says_nothing_is_told(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    page.get_by_text("Pronunciations").click()
    field = page.get_by_label("Words to be said another way")
    field.fill("nginx = engine x\n\n tomato=/təmˈɑːtO/ ")
    recorded.ask("hello")
    recorded.wait_for("Done.")
    field.fill("hello: there")
    page.get_by_role("button", name="Ask").click()
    recorded.wait_for("one a line: not “hello: there”")
    field.fill("hello=/☃/")
    page.get_by_role("button", name="Ask").click()
    recorded.wait_for("U+2603")
    said = [asked["pronunciations"] for asked in recorded.asked]
    assert said == [{"nginx": "engine x", "tomato": "/təmˈɑːtO/"}, {"hello": "/☃/"}]


def test_a_device_that_runs_dry_gets_a_larger_buffer_for_the_next_answer(recorded: Recorded, url: str) -> None:
    recorded.page.add_init_script(
        """window.asked = [];
        window.AudioContext = class extends AudioContext {
          get playbackStats() { return { underrunEvents: (this.dry = (this.dry ?? 0) + 3) }; }
          constructor(options) { super(options); window.asked.push(options.latencyHint); }
        };"""
    )
    page = recorded.open(url)
    for _ in range(2):
        recorded.ask("hello")
        recorded.wait_for("Speaking.")
        page.keyboard.press("Escape")
        recorded.wait_for("Stopped")
    assert page.evaluate("window.asked") == [0, "interactive"]


def test_words_are_lit_and_captioned_as_they_are_heard(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    recorded.ask("a long one")
    lit = "() => [...(CSS.highlights.get('speaking') ?? [])].map(String)[0]"
    page.wait_for_function(f"() => ({lit})() === 'sentence'", timeout=60_000)
    assert "sentence one" in (page.locator("#caption").text_content() or "")
    page.wait_for_function(f"() => ({lit})() === 'two'", timeout=60_000)
    assert page.evaluate("[...CSS.highlights.get('heard')][0].toString()").endswith("This is sentence ")
    page.keyboard.press("Escape")


def test_everything_can_be_done_with_the_keyboard_alone(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    expect(page.locator("#voice option").first).to_be_attached()
    reached = []
    for _ in range(11):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.localName") == "summary":
            page.keyboard.press("Enter")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.value"))
    assert {"prompt", "send", "bidi", "voice", "speed", "door", "pronunciations"} <= set(reached)
    page.locator("input[value=bidi]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "batch"
    page.get_by_label("Your question").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("hello")
    page.keyboard.press("Enter")
    recorded.wait_for("Speaking.")
    page.keyboard.press("Escape")
    recorded.wait_for("Stopped")
    page.locator("#download").focus()
    with page.expect_download():
        page.keyboard.press("Enter")


def test_axe_finds_nothing_serious_in_light_and_dark_at_both_widths(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    recorded.ask("hello")
    recorded.wait_for("Done.")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            found = Axe().run(page).response["violations"]
            assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []


def test_a_script_that_is_not_a_file_of_ours_does_not_run(recorded: Recorded, url: str) -> None:
    page = recorded.open(url)
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.intruder = true";
          document.body.append(script);
        }"""
    )
    page.wait_for_function("() => window.violations.length === 1")
    assert page.evaluate("[window.intruder ?? false, window.violations.splice(0)]") == [False, ["script-src-elem"]]


def test_the_example_of_the_player_by_itself_speaks(recorded: Recorded, url: str) -> None:
    page = recorded.open(f"{url}/example.html")
    page.evaluate(_NOTE_STALLS)
    page.get_by_role("button", name="Play an answer").click()
    expect(page.locator("#state")).to_have_text(
        re.compile(r"^first sound after \d+ ms; played \d\.\d\d s with \d+ stalls$"), timeout=60_000
    )
    stalls = [round(seconds * RATE_HZ) for seconds in page.evaluate("window.stalls")]
    expect(page.locator("#state")).to_contain_text(f" with {len(stalls)} stalls")
    recorded.assert_rendered(recorded.sent_samples(), stalls)
