"""Pronunciation in English: words where they stand in the text, unknown words said, no text that breaks it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firstword.errors import RequestRefused
from firstword.kokoro.phonemes import LANGUAGES, Pronouncer
from firstword.kokoro.vocabulary import VOCABULARY


@pytest.fixture(scope="module")
def pronouncer() -> Pronouncer:
    return Pronouncer()


def words_of(pronouncer: Pronouncer, text: str, language: str = "en-us") -> dict[str, str]:
    said = pronouncer.pronounce(text, language)
    return {text[word.char_start : word.char_end]: said.phonemes[word.first : word.last] for word in said.words}


def test_words_stand_where_they_stood_and_punctuation_between_them(pronouncer: Pronouncer) -> None:
    said = pronouncer.pronounce("  Hello,\n there!", "en-us")
    assert said.phonemes == "həlˈO, ðˈɛɹ!"
    assert [(word.char_start, word.char_end) for word in said.words] == [(2, 7), (10, 15)]


def test_american_and_british_differ(pronouncer: Pronouncer) -> None:
    assert words_of(pronouncer, "water") != words_of(pronouncer, "water", "en-gb")


def test_a_word_of_no_lexicon_is_said_by_espeak(pronouncer: Pronouncer) -> None:
    assert words_of(pronouncer, "A xylofonk.")["xylofonk"]


def test_one_word_may_be_said_as_many(pronouncer: Pronouncer) -> None:
    assert len(words_of(pronouncer, "It is 4,820.")["4,820"].split()) > 3


def test_scripts_that_english_does_not_read_are_left_out(pronouncer: Pronouncer) -> None:
    assert list(words_of(pronouncer, "Say 世界 and мир now.")) == ["Say", "and", "now"]


@pytest.mark.parametrize("text", ["こんにちは世界", "Привет, мир!", "नमस्ते"])
def test_a_text_of_which_nothing_can_be_said_is_refused_with_what_can(pronouncer: Pronouncer, text: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        pronouncer.pronounce(text, "en-us")
    assert caught.value.code == "bad_language"
    assert all(language in caught.value.hint for language in LANGUAGES)


def test_a_full_stop_that_went_into_an_abbreviation_still_ends_the_text(pronouncer: Pronouncer) -> None:
    assert pronouncer.pronounce("We leave at ten a.m.", "en-us").phonemes.endswith(".")


def test_a_row_of_marks_is_one_mark(pronouncer: Pronouncer) -> None:
    assert pronouncer.pronounce("What?!!!! No......", "en-us").phonemes == "wˌʌt?! nˈO."


_ANY = st.text(alphabet=st.characters(), max_size=50)
_MESSY = st.text(alphabet="abcXYZ 0123456789.,$€£%-'’/:;()\"&@#*_+=½²…—–\n<>", max_size=40)


@settings(max_examples=150, deadline=None)
@given(st.one_of(_ANY, _MESSY))
def test_no_text_breaks_it_and_every_word_is_somewhere(pronouncer: Pronouncer, text: str) -> None:
    try:
        said = pronouncer.pronounce(text, "en-us")
    except RequestRefused:
        return
    assert set(said.phonemes) <= set(VOCABULARY)
    end = last = 0
    for word in said.words:
        assert end <= word.char_start < word.char_end <= len(text)
        assert last <= word.first < word.last <= len(said.phonemes)
        end, last = word.char_end, word.last


def test_a_very_long_word_and_a_very_long_text_are_said_whole(pronouncer: Pronouncer) -> None:
    assert words_of(pronouncer, "a" * 3000)
    assert len(pronouncer.pronounce("one two three " * 1000, "en-us").words) == 3000
