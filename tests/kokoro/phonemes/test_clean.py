"""Cleaning: whatever comes in, what goes out can be said, and every code point knows where it came from."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from firstword.kokoro.phonemes.clean import clean, segments


def latin(letter: str) -> bool:
    return ord(letter) < 0x250


@given(st.text(alphabet=st.characters(), max_size=80))
def test_any_text_becomes_printable_and_each_code_point_has_its_origin(text: str) -> None:
    cleaned = clean(text, latin)
    assert cleaned.text.isprintable()
    assert "  " not in cleaned.text
    assert len(cleaned.text) == len(cleaned.starts) == len(cleaned.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(cleaned.starts, cleaned.ends, strict=True))
    assert cleaned.starts == sorted(cleaned.starts)


def test_what_cannot_be_said_becomes_one_space() -> None:
    assert clean("a\x00\ud800\U0001f600 \t世界b", latin).text == "a b"


def test_a_letter_with_its_accent_apart_is_one_letter_with_both_as_origin() -> None:
    cleaned = clean(unicodedata.normalize("NFD", "café!"), latin)
    assert cleaned.text == "café!"
    assert cleaned.origin(3, 4) == (3, 5)


def test_compatibility_letters_are_resolved_and_fractions_are_left() -> None:
    assert clean("ｆｕｌｌ ﬁt ½", latin).text == "full fit ½"


def test_a_paragraph_without_punctuation_is_heard_to_end_and_a_line_break_is_not() -> None:
    assert clean("A title\n\nThen text,\n\nmore\nof it", latin).text == "A title. Then text, more of it"


@given(st.text(alphabet="ab. ", max_size=300), st.integers(min_value=6, max_value=50))
def test_segments_are_the_text_in_order(text: str, longest: int) -> None:
    parts = list(segments(text, longest))
    assert "".join(part for _, part in parts) == text
    assert all(text[offset : offset + len(part)] == part and len(part) <= longest for offset, part in parts)
