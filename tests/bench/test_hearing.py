"""Comparing what was said with what was heard: spelling does not count, words do."""

import pytest

from firstword.bench.hearing import word_error_rate, words


def test_case_punctuation_hyphens_and_digits_are_no_difference() -> None:
    assert words("By seven, it’s a well-known place!") == words("by 7 it's a well known place")


@pytest.mark.parametrize(
    ("said", "heard", "rate"),
    [
        ("one two three four", "one two three four", 0.0),
        ("one two three four", "one two four", 0.25),
        ("one two three four", "one too three four", 0.25),
        ("one two", "one two two", 0.5),
        ("…", "", 0.0),
        ("…", "noise", 1.0),
    ],
)
def test_the_rate_counts_wrong_missing_and_added_words(said: str, heard: str, rate: float) -> None:
    assert word_error_rate(said, heard) == pytest.approx(rate)
