"""What the measured speed of a voice asks of the sizes it is given."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.text.pace import Pace

ratios = st.floats(0.0, 3.0)


def measured(first: float, whole: float, *, join_after_s: float = 4.0) -> Pace:
    pace = Pace(join_after_s=join_after_s)
    pace.learn(characters=100, audio_s=5.0, first_s=first * 5.0, whole_s=whole * 5.0)
    return pace


def test_an_unmeasured_voice_is_taken_to_be_kokoro_on_two_cores() -> None:
    assert Pace().least_first_words() == 4


@pytest.mark.parametrize(
    ("first", "whole", "words"),
    [
        (0.02, 0.02, 4),  # a GPU: no less than sounds well
        (0.33, 0.33, 4),
        (0.5, 0.5, 6),
        (0.7, 0.7, 9),
        (1.5, 1.5, 10),  # slower than speech: no more than a conjunction would end anyway
        (0.1, 0.5, 4),  # decoded in windows: the first sound of the second chunk comes soon
        (0.3, 0.9, 9),  # but the end of the first is in its way
    ],
)
def test_the_first_chunk_grows_as_the_voice_slows(first: float, whole: float, words: int) -> None:
    assert measured(first, whole).least_first_words() == words


@given(first=ratios, more=ratios)
def test_a_first_chunk_that_is_not_at_its_longest_plays_until_the_second_is_there(first: float, more: float) -> None:
    pace = measured(first, first + more)
    words = pace.least_first_words()
    assert 4 <= words <= 10
    if words < 10:
        assert (pace.whole - pace.first) * words + pace.first * 12 <= words + 1e-6


def test_what_was_measured_last_counts_most_and_a_single_slow_run_does_not_decide() -> None:
    pace = measured(0.2, 0.2)
    pace.learn(characters=100, audio_s=5.0, first_s=5.0, whole_s=5.0)
    assert pace.whole == pytest.approx(0.52)
    for _ in range(10):
        pace.learn(characters=100, audio_s=5.0, first_s=1.0, whole_s=1.0)
    assert pace.whole == pytest.approx(0.2, abs=0.01)


def test_nothing_is_learnt_of_silence_and_lengths_are_learnt_without_times() -> None:
    pace = measured(0.25, 0.25)
    pace.learn(characters=10, audio_s=0.0, first_s=9.0, whole_s=9.0)
    assert pace.whole == pytest.approx(0.25)
    pace = Pace()
    pace.learn(characters=10, audio_s=2.0)
    assert pace.seconds(5) == pytest.approx(1.0)
    assert pace.least_first_words() == 4


def test_a_text_may_wait_only_while_the_listener_is_provided_for_until_its_first_audio() -> None:
    pace = measured(0.4, 0.5)
    assert pace.lead_for(40) == 4.0
    assert pace.lead_for(200) == pytest.approx(0.4 * 10.0 / 0.5)
    assert measured(1.0, 1.0).lead_for(10) == math.inf
    assert Pace().lead_for(10) == math.inf
    assert measured(0.1, 0.1, join_after_s=0.0).lead_for(10) == math.inf


@given(first=st.floats(0.01, 0.95), lead_s=st.floats(4.0, 60.0))
def test_no_text_that_waited_is_late(first: float, lead_s: float) -> None:
    pace = measured(first, first)
    characters = next((n for n in range(280, 0, -1) if pace.lead_for(n) <= lead_s), 0)
    assert pace.whole * lead_s + pace.first * pace.seconds(characters) <= lead_s + 1e-6
