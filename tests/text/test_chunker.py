"""Where the chunker cuts: the project's cases, the pauses, the first chunk, length, blocks of code."""

from pathlib import Path

import pytest

from firstword.bench.cuts import Case, judge, load_cases, stream, tokens
from firstword.text.chunker import IncrementalSentenceChunker

CASES = load_cases(Path(__file__).parent / "cases")
LANGUAGES = sorted({case.language for case in CASES})


def chunks(text: str, language: str | None = None, **options: object) -> list[str]:
    chunker = IncrementalSentenceChunker(language, **options)  # type: ignore[arg-type]
    return [chunk for chunk, _ in stream(chunker, tokens(text))]


def is_cut_right(case: Case, language: str | None) -> bool:
    fragments = tokens(case.text)
    return judge(case, stream(IncrementalSentenceChunker(language), fragments), fragments).exact


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_every_language_are_cut_where_they_end(language: str) -> None:
    cases = [case for case in CASES if case.language == language]
    wrong = [case.id for case in cases if not is_cut_right(case, language)]
    assert len(wrong) <= 0.01 * len(cases), wrong


def test_the_language_need_not_be_known() -> None:
    wrong = [case.id for case in CASES if not is_cut_right(case, None)]
    assert len(wrong) <= 0.02 * len(CASES), wrong


def test_cases_are_cut_the_same_whole_by_token_and_by_character() -> None:
    for case in CASES:
        whole = chunks_of(case, [case.text])
        assert chunks_of(case, list(case.text)) == chunks_of(case, tokens(case.text, seed=3)) == whole, case.id


def chunks_of(case: Case, fragments: list[str]) -> list[str]:
    return [chunk for chunk, _ in stream(IncrementalSentenceChunker(case.language), fragments)]


def test_most_sentences_are_released_with_the_next_token() -> None:
    delays: list[int] = []
    for case in CASES:
        fragments = tokens(case.text)
        delays += judge(case, stream(IncrementalSentenceChunker(case.language), fragments), fragments).delays
    assert sum(delays) / len(delays) <= 1.15
    assert sorted(delays)[int(0.95 * len(delays))] <= 2


def test_pauses_after_every_token_cost_few_cases_and_save_half_a_token() -> None:
    exact = 0
    delays: list[int] = []
    for case in CASES:
        fragments = tokens(case.text)
        chunker = IncrementalSentenceChunker(case.language)
        outcome = judge(case, stream(chunker, fragments, chunker.idle), fragments)
        exact += outcome.exact
        delays += outcome.delays
        assert not outcome.unspeakable
    assert exact >= 0.97 * len(CASES)
    assert sum(delays) / len(delays) <= 0.6


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("That is all.", True),
        ("Is it?", True),
        ("好的。", True),
        ("मैं ठीक हूँ।", True),
        ("알겠습니다.", True),
        ("He said “Not today.”", True),
        ("It costs 3.", False),
        ("Ask Dr.", False),
        ("They live in the U.S.", False),
        ('He asked "Why?', False),
        ("彼女は「はい。", False),
        ("Open setup.", False),
        ("I love Yahoo!", False),
        ("```sh\nls. Done.", False),
        ("1.", False),
        ("| Mon.", False),
        ("https://example.com/a?", False),
    ],
)
def test_a_pause_releases_what_is_surely_complete(text: str, released: bool) -> None:
    chunker = IncrementalSentenceChunker()
    assert chunker.feed(text) == []
    assert chunker.idle() == ([text] if released else [])
    assert chunker.flush() == ([] if released else [text])


def test_a_closer_that_comes_after_a_pause_is_never_alone() -> None:
    chunker = IncrementalSentenceChunker()
    chunker.feed("It was great!")
    assert chunker.idle() == ["It was great!"]
    assert chunker.feed(") So") == []
    assert chunker.flush() == [") So"]


@pytest.mark.parametrize("text", ["Great! —", "Good. 🚀 — ", "好的。——", "Yes! ...", "He left. ' .", "Fine. ** **"])
def test_a_tail_with_nothing_to_say_stays_with_the_sentence_of_its_line(text: str) -> None:
    assert chunks(text) == [text.strip()]


def test_a_long_stall_releases_up_to_the_last_clause_mark() -> None:
    chunker = IncrementalSentenceChunker()
    chunker.feed("We could take the early train, or wait until the snow")
    assert chunker.idle() == []
    assert chunker.idle(long=True) == ["We could take the early train,"]
    assert chunker.idle(long=True) == []
    assert chunker.flush() == ["or wait until the snow"]


@pytest.mark.parametrize("text", ["Well, you", "It costs 1,000", "He said “we all know him, and"])
def test_a_long_stall_keeps_what_is_too_short_or_enclosed(text: str) -> None:
    chunker = IncrementalSentenceChunker()
    chunker.feed(text)
    assert chunker.idle(long=True) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The weather will be mostly sunny, with a light breeze. Enjoy.", "The weather will be mostly sunny,"),
        ("Sure, I can help with that — first open the settings. Then tap.", "Sure, I can help with that —"),
        ("That sounds like a good plan, right? Fine.", "That sounds like a good plan, right?"),
        ("It's a really lovely day, isn't it? Yes.", "It's a really lovely day, isn't it?"),
        ("You can get there by train, bus, or bike. Go.", "You can get there by train, bus, or bike."),
        ("We will open on Monday, March 5, 2024, at noon. Come.", "We will open on Monday, March 5, 2024, at noon."),
        ("He told her “come here, my dear friend” again. Bye.", "He told her “come here, my dear friend” again."),
        (
            "To make good coffee you first have to grind the beans because fresh ones taste better. Brew.",
            "To make good coffee you first have to grind the beans",
        ),
        ("今天天气真的非常好，我们一起去公园吧。好。", "今天天气真的非常好，"),
        ("## A plan for the week, in short\nGo.", "## A plan for the week, in short"),
    ],
)
def test_the_first_chunk_may_end_at_a_clause(text: str, first: str) -> None:
    released = chunks(text, first_chunk="clause")
    assert released[0] == first
    assert "".join("".join(released).split()) == "".join(text.split())


def test_only_the_first_chunk_of_a_turn_ends_at_a_clause() -> None:
    text = "When the rain had stopped, we went out. When the sun had set, we came home."
    chunker = IncrementalSentenceChunker("en", "clause")
    wanted = ["When the rain had stopped,", "we went out.", "When the sun had set, we came home."]
    for _turn in range(2):
        assert chunker.feed(text) + chunker.flush() == wanted


def test_the_first_clause_has_the_words_that_are_asked_for() -> None:
    text = "When it rained, we stayed in and slept, as one does there. Then it stopped."
    assert chunks(text, first_chunk="clause", min_first_words=3)[0] == "When it rained,"
    assert chunks(text, first_chunk="clause", min_first_words=6)[0] == "When it rained, we stayed in and slept,"


def test_a_very_long_first_sentence_is_cut_without_a_mark() -> None:
    first = chunks("word " * 60 + "end.", first_chunk="clause")[0]
    assert len(first.split()) == 24


def test_a_sentence_without_an_end_is_cut_at_a_clause_or_a_space() -> None:
    released = chunks("and the river went on, past the mill, " * 40)
    assert all(len(chunk) <= 320 for chunk in released)
    assert all(chunk.endswith(",") for chunk in released)
    assert all(len(chunk) <= 320 for chunk in chunks("river " * 300))
    assert [len(chunk) for chunk in chunks("x" * 1000)] == [319, 319, 319, 43]


def test_a_chinese_sentence_without_an_end_is_cut_sooner() -> None:
    assert all(len(chunk) <= 160 for chunk in chunks("这条河一直流过古老的磨坊，" * 60, "zh"))


def test_a_fenced_block_is_one_chunk_however_long() -> None:
    block = "```py\n" + 'print("One. Two!")\n' * 200 + "x" * 2000 + "\n```"
    assert chunks(f"Run this:\n\n{block}\n\nThen rest.") == ["Run this:", block, "Then rest."]


def test_a_fence_that_never_closes_comes_out_at_the_end() -> None:
    assert chunks("Look:\n~~~\na. b.\nc. d.") == ["Look:", "~~~\na. b.\nc. d."]


def test_nothing_to_say_is_no_chunk() -> None:
    assert chunks("…") == []
    assert chunks(" \n ") == []
    assert chunks("👋 👋") == []
    assert chunks("*" * 5000) == []
    assert chunks("-\n" * 3000 + "Hi.") == ["-\n" * 3000 + "Hi."]


def test_a_wrapped_line_goes_on_and_a_short_one_ends() -> None:
    wrapped = "This line of an old mail was wrapped by its editor at the\nend of the column. Yes."
    assert chunks(wrapped) == [wrapped[:-5], "Yes."]
    assert chunks("roses are red\nviolets are blue") == ["roses are red", "violets are blue"]


HOSTILE = [
    "a",
    ".",
    "*",
    "`",
    "[",
    "a.b.",
    "“",
    "\u0301",
    "!?",
    "U.S. ",
    "x.\u200b",
    "\ud800",
    "1. ",
    "\n",
    "\u202e.\x00",
]


@pytest.mark.parametrize("unit", HOSTILE, ids=ascii)
def test_hostile_text_comes_through_whole(unit: str) -> None:
    text = unit * (30_000 // len(unit))
    chunker = IncrementalSentenceChunker()
    released = [chunk for char in text for chunk in chunker.feed(char)] + chunker.flush()
    assert all(any(char.isalnum() for char in chunk) for chunk in released)
    if any(char.isalnum() for char in text):
        assert "".join("".join(released).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Hmm... let me look that up. One moment.", ["Hmm... let me look that up.", "One moment."]),
        ("It ships in approx. 4 hr. by van. Track it.", ["It ships in approx. 4 hr. by van.", "Track it."]),
        ("1. Wash it. 2. Dry it. 3. Fold it.", ["1. Wash it.", "2. Dry it.", "3. Fold it."]),
        ('She cried "Wait!" and ran. He sat.', ['She cried "Wait!" and ran.', "He sat."]),
        ("All set.Your code is 7741.Thank you.", ["All set.", "Your code is 7741.", "Thank you."]),
        ("See v2.0.Beta and docs.example.com first.", ["See v2.0.Beta and docs.example.com first."]),
        ("Ready", ["Ready"]),
    ],
)
def test_defects_that_peers_have_are_not_ours(text: str, wanted: list[str]) -> None:
    assert chunks(text) == wanted
