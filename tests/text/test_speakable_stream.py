"""A live text says the words of the text at once, whatever the deltas; every spoken word knows where it was written."""

import os
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.speakable import SpeakableOptions, SpeakableStream, Spoken, speakable
from firstword.text.wordlist import listed

_EXAMPLES = int(os.environ.get("FIRSTWORD_TEST_EXAMPLES", "80"))
"""The acceptance figure is 100,000 texts: set the variable to run as many."""

_PLAIN = listed(
    "time river house seven green morning people answer slowly always because under paper window music after"
)
_WORDS = st.sampled_from(_PLAIN)
_PHRASES = st.lists(_WORDS, min_size=3, max_size=8).map(lambda words: " ".join(words))
_AMOUNTS = st.one_of(
    st.integers(0, 10**9).map(str),
    st.integers(0, 10**7).map(lambda number: f"{number:,}"),
    st.decimals(0, 9999, places=2).map(lambda number: f"${number}"),
    st.integers(0, 100).map(lambda number: f"{number}%"),
    st.integers(1, 99).map(lambda number: f"{number} km"),
    st.dates().map(lambda day: day.isoformat()),
)
_INLINE = st.one_of(
    _PHRASES,
    _PHRASES.map(lambda text: f"**{text}**"),
    _PHRASES.map(lambda text: f"_{text}_"),
    _PHRASES.map(lambda text: f"`{text}`"),
    _PHRASES.map(lambda text: f"[{text}](https://example.com/{text[:4]})"),
    _PHRASES.map(lambda text: f"the {text} 🎉"),
    st.tuples(_PHRASES, _AMOUNTS, _PHRASES).map(" ".join),
    st.just("see https://example.com/docs now"),
    st.just("write to ann@example.com today"),
    st.just("<b>bold</b> &amp; plain text"),
    st.just("*sighs* and goes on"),
)
_SENTENCES = st.lists(_INLINE, min_size=1, max_size=3).map(lambda parts: f"We say {' and '.join(parts)}.")
_BLOCKS = st.one_of(
    st.lists(_SENTENCES, min_size=1, max_size=3).map(" ".join),
    _PHRASES.map(lambda text: f"## {text}"),
    st.lists(_PHRASES, min_size=1, max_size=3).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(_PHRASES, min_size=1, max_size=3).map(
        lambda items: "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    ),
    st.tuples(_PHRASES, _PHRASES).map(lambda row: f"| {row[0]} | {row[1]} |\n|---|---|\n| a cell | 5 |"),
    _PHRASES.map(lambda text: f"```python\n{text}\nx = 1\n```"),
    _SENTENCES.map(lambda text: f"> {text}"),
    st.just("<think>Nobody may hear this. Not a word!</think>"),
    st.just("---"),
)
_TEXTS = st.lists(_BLOCKS, min_size=1, max_size=4).map("\n\n".join)


def _written() -> dict[str, list[str]]:
    """What the cases write, per language: every kind of item that is not said as it stands."""
    written: dict[str, list[str]] = {}
    language = "en-us"
    for line in Path(__file__).with_name("speakable_cases.txt").read_text(encoding="utf-8").splitlines():
        case, arrow, _ = line.rpartition(" =>")
        if arrow:
            written.setdefault(language, []).append(case.replace("\\n", "\n"))
        else:
            language = [*line.split(), "", ""][2] or "en-us"
    return written


_CASES = _written()
_TABLE = "| Item | Price |\n|---|---|\n| {} | $4.50 |"
_MARKED = (
    "{}.", "{}!", "{}?", "**{}**", "_{}_", "`{}`", "[{}](https://example.com/a_b)", "## {}", "- {}", "1. {}",
    "> {}", "<b>{}</b>", "~~{}~~", "({})", '"{}"', "{} 🎉", "*{}*", "```python\n{}\n```", "<think>{}</think>",
    "{}[^1]", "{} [2]",
    _TABLE, "$x^2$ {}", "{}<br>", "<!-- {} -->", "*sighs* {}", "[pause:1s] {}", "{} &amp; more", "{}…",
    "[word](/wɜd/) {}",
)  # fmt: skip
_DIVIDERS = (" ", " ", ". ", "! ", "\n", "\n\n", ", ", "")


def _mixture(chance: random.Random) -> tuple[str, str]:
    """A language, and a text of what the cases write in it, among markup and plain words, cut short at times."""
    language = chance.choice(["en-us", *_CASES])
    text = ""
    for _ in range(chance.randint(1, 6)):
        part = chance.choice(_CASES[language])
        if chance.random() < 0.5:
            part = " ".join(chance.choices(_PLAIN, k=chance.randint(2, 7)))
        if chance.random() < 0.4:
            part = chance.choice(_MARKED).format(part)
        if chance.random() < 0.1:
            part = part[: chance.randint(0, len(part))]
        text += part + chance.choice(_DIVIDERS)
    return language, text


def _live(text: str, cuts: list[int], language: str = "en-us") -> list[Spoken]:
    stream, chunker = SpeakableStream(language), IncrementalSentenceChunker(language)
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    spoken = []
    for low, high in pairwise(edges):
        spoken += [stream.say(sentence) for sentence in chunker.feed(stream.feed(text[low:high]))]
    spoken += [stream.say(sentence) for sentence in chunker.feed(stream.finish())]
    spoken += [stream.say(sentence) for sentence in chunker.flush()]
    return [each for each in [*spoken, stream.say_rest().spoken] if each.text]


def _said(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


@settings(max_examples=_EXAMPLES, deadline=None)
@given(text=_TEXTS, cuts=st.lists(st.integers(0, 10**6), max_size=12))
def test_a_live_text_says_the_words_of_the_text_at_once(text: str, cuts: list[int]) -> None:
    live = _live(text, cuts)
    assert _said(" ".join(spoken.text for spoken in live)) == _said(speakable(text).text)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(seed=st.integers(0, 2**64))
def test_so_does_a_text_of_everything_that_is_not_said_as_it_stands(seed: int) -> None:
    chance = random.Random(seed)
    language, text = _mixture(chance)
    cuts = [chance.randint(0, len(text)) for _ in range(chance.randint(0, 20))]
    live = _live(text, cuts, language)
    assert _said(" ".join(spoken.text for spoken in live)) == _said(speakable(text, language).text)
    for spoken in live:
        _check_map(text, spoken)


def _check_map(text: str, spoken: Spoken) -> None:
    last = 0
    for (start, end, low, high), exact in zip(spoken.spans, spoken.exact, strict=True):
        assert last <= start < end <= len(spoken.text)
        assert 0 <= low < high <= len(text)
        assert spoken.to_source(start, end) == (low, high)
        if exact:
            assert text[low:high] == spoken.text[start:end]
        last = end


@settings(max_examples=_EXAMPLES, deadline=None)
@given(text=_TEXTS, cuts=st.lists(st.integers(0, 10**6), max_size=12))
def test_every_spoken_word_slices_the_source_to_what_was_written_there(text: str, cuts: list[int]) -> None:
    for spoken in [speakable(text), *_live(text, cuts)]:
        _check_map(text, spoken)
        for word in re.finditer(r"[^\W_]+", spoken.text):
            low, high = spoken.to_source(*word.span())
            assert "Nobody" not in text[low:high]
            if word[0] in ("river", "morning", "always", "because"):
                assert text[low:high] == word[0]


@pytest.mark.parametrize("text", ["``` ", "```\n```", "~~~\n", "```\n{}\n```"])
def test_a_fence_without_a_word_is_said_by_neither(text: str) -> None:
    assert speakable(text).text == ""
    assert [spoken.text for spoken in _live(text, [1, 2, 3])] == []


@pytest.mark.parametrize(("text", "said"), [("£ ", "pounds"), ("=", "equals"), ("\n%", "percent")])
def test_a_text_that_is_one_sign_is_said_by_both(text: str, said: str) -> None:
    assert speakable(text).text == said
    assert " ".join(spoken.text for spoken in _live(text, [1])) == said


def test_an_emoji_on_a_line_of_its_own_is_named_by_both() -> None:
    options = SpeakableOptions(emoji="name")
    text = "Well done.\n\n🎉"
    stream, chunker = SpeakableStream(options=options), IncrementalSentenceChunker("en")
    live = [stream.say(sentence).text for sentence in chunker.feed(stream.feed(text))]
    live += [stream.say(sentence).text for sentence in [*chunker.feed(stream.finish()), *chunker.flush()]]
    live.append(stream.say_rest().spoken.text)
    assert "\n".join(live) == speakable(text, options=options).text == "Well done.\nparty popper"


def test_code_that_is_left_out_is_no_part_of_the_word_before_it() -> None:
    assert _said(speakable("구일```\nx = 1\n```", "ko").text) == ["구일", "코드", "예시"]
