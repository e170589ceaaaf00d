"""Seconds of audio become characters of text, right to the word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.agent.heard import Heard
from firstword.protocol.messages import Word

TEXT = "One two three. Four five six."


def _heard(*, sent_s: float = 2.9, complete: bool = True) -> Heard:
    """Ten characters a second, as the fake voice speaks."""
    heard = Heard()
    heard.text = TEXT
    at = 0
    words = []
    for word in TEXT.split():
        start = TEXT.index(word, at)
        at = start + len(word)
        words.append(Word(word=word, start_s=start / 10, end_s=at / 10, char_start=start, char_end=at))
    heard.time(words[:3])
    heard.time(words[3:])
    heard.audio_bytes = round(sent_s * 48000)
    heard.complete = complete
    return heard


@pytest.mark.parametrize(
    ("played_s", "text"),
    [
        (0.0, ""),
        (0.29, ""),
        (0.3, "One"),
        (0.5, "One"),
        (0.7, "One two"),
        (1.39, "One two"),
        (1.4, "One two three."),
        (2.89, "One two three. Four five"),
        (2.9, TEXT),
        (99.0, TEXT),
    ],
)
def test_a_word_is_heard_when_all_of_it_was_played(played_s: float, text: str) -> None:
    assert TEXT[: _heard().char_end(played_s)] == text


def test_more_than_was_sent_cannot_have_been_heard() -> None:
    assert TEXT[: _heard(sent_s=0.75, complete=False).char_end(5.0)] == "One two"


def test_without_timings_the_share_of_the_audio_decides_and_words_stay_whole() -> None:
    heard = Heard()
    heard.text, heard.audio_bytes, heard.complete = TEXT, round(2.9 * 48000), True

    assert TEXT[: heard.char_end(1.0)] == "One two"
    assert TEXT[: heard.char_end(0.1)] == ""
    assert TEXT[: heard.char_end(2.9)] == TEXT


def test_an_answer_without_audio_was_not_heard() -> None:
    heard = Heard()
    heard.text, heard.complete = TEXT, True

    assert heard.char_end(5.0) == 0


@given(st.lists(st.floats(min_value=0, max_value=4), min_size=2))
def test_who_listens_longer_has_heard_no_less(times: list[float]) -> None:
    ends = [_heard().char_end(played_s) for played_s in sorted(times)]

    assert ends == sorted(ends)
