"""What no honest writer sends: it is said sensibly or not at all, in linear work, and never raises."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.speakable import SpeakableOptions, SpeakableStream, speakable

_EXAMPLES = int(os.environ.get("FIRSTWORD_TEST_EXAMPLES", "100"))

_HOSTILE = {
    "nested brackets": "[" * 10_000 + "]" * 10_000,
    "open links": "[a](" * 3_000,
    "images": "![" * 3_000,
    "a megabyte of stars": "*" * 1_000_000,
    "a megabyte of underscores": "_" * 1_000_000,
    "a megabyte of backticks": "`" * 1_000_000,
    "an open fence": "```\n" + "x = 1\n" * 50_000,
    "a megabyte of one word": "a" * 1_000_000,
    "ten thousand digits": "9" * 10_000,
    "groups of digits": "1" + ",111" * 3_000,
    "half groups": "1," * 3_000,
    "half decimals": "1." * 3_000,
    "half fractions": "1/" * 3_000,
    "half ranges": "1-" * 3_000,
    "half times": "1:" * 3_000,
    "inches": '1"' * 5_000,
    "half addresses": "a@" * 3_000,
    "half urls": "http://" * 3_000,
    "half tags": "<a " * 3_000,
    "half reasoning": "<thin" * 3_000,
    "entities": "&#x41;" * 3_000,
    "formulas": "\\frac{" * 3_000,
    "dollars": "$1" * 3_000,
    "bars": " | " * 6_000,
    "zero width": "\u200b" * 50_000,
    "bidirectional": "\u202e\u2066" * 25_000,
    "surrogates": "\ud800" * 50_000,
    "combining marks": "a" + "\u0301" * 50_000,
    "emoji": "👍" * 50_000,
    "white space": " \n" * 100_000,
    "quotes": "> " * 50_000,
}


@pytest.mark.parametrize("kind", _HOSTILE)
def test_hostile_text_is_survived(kind: str) -> None:
    text = _HOSTILE[kind]
    spoken = speakable(text)
    assert all(0 <= low < high <= len(text) for _, _, low, high in spoken.spans)
    assert "*" not in spoken.text
    assert "`" not in spoken.text


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "🎉", "***", "---", "\u200b\ud800", "<think>x", "[1]", "`", "|---|---|"]
)
def test_nothing_to_say_is_empty(text: str) -> None:
    spoken = speakable(text)
    assert (spoken.text, spoken.spans, spoken.segments) == ("", (), ())


def test_a_number_nobody_can_read_is_counted() -> None:
    assert speakable("9" * 300).text == "a number of three hundred digits"
    assert len(speakable("9" * 10_000).text) < 2_000
    assert speakable("1" * 20).text == " ".join(["one"] * 20)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(
    text=st.text(),
    language=st.sampled_from(["en-us", "en-gb", "es", "fr-fr", "de", "it", "pt-br", "ja", "zh", "hi", "ko", "xx"]),
)
def test_any_text_at_all_is_said_without_an_error(text: str, language: str) -> None:
    spoken = speakable(text, language, SpeakableOptions(emoji="name", stage_directions="keep", code="skip"))
    assert all(0 <= low < high <= len(text) for _, _, low, high in spoken.spans)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(text=st.text(alphabet="ab 19.,:-/$%*_`#<>[]()&=+\n|~^°'\"xkm", max_size=60))
def test_signs_in_any_order_leave_no_markup_behind(text: str) -> None:
    assert not set(speakable(text).text) & set("*_`#<>[]{}|~^&=+$%/\\@")


@settings(max_examples=_EXAMPLES, deadline=None)
@given(pieces=st.lists(st.text(max_size=8), max_size=8))
def test_a_stream_takes_any_pieces(pieces: list[str]) -> None:
    stream, chunker = SpeakableStream(), IncrementalSentenceChunker("en")
    sentences = [sentence for piece in pieces for sentence in chunker.feed(stream.feed(piece))]
    sentences += [*chunker.feed(stream.finish()), *chunker.flush()]
    live = " ".join(stream.say(sentence).text for sentence in sentences)
    assert "".join(live.split()) == "".join(speakable("".join(pieces)).text.split()) or not sentences
