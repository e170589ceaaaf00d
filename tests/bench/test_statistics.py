"""Medians, their intervals, and what is not said of few samples."""

import pytest

from firstword.bench.statistics import median, ratio, summarize


def test_few_samples_have_no_interval_and_no_p95() -> None:
    summary = summarize([3.0, 1.0, 2.0])
    assert (summary.median, summary.low, summary.high, summary.p95) == (2.0, None, None, None)
    assert summary.samples == (3.0, 1.0, 2.0)


@pytest.mark.parametrize(("n", "low", "high"), [(6, 1, 6), (10, 2, 9), (30, 10, 21), (100, 40, 61)])
def test_the_interval_is_that_of_the_sign_test(n: int, low: int, high: int) -> None:
    summary = summarize([float(value) for value in range(1, n + 1)])
    assert (summary.low, summary.high) == (low, high)


def test_p95_appears_at_a_hundred_samples() -> None:
    assert summarize([float(value) for value in range(1, 100)]).p95 is None
    assert summarize([float(value) for value in range(1, 101)]).p95 == 95.0


def test_what_is_missing_is_left_out_of_a_median_and_ends_a_ratio() -> None:
    assert median([None, 4.0, 2.0]) == 3.0
    assert median([None]) is None
    assert ratio(3.0, 2.0) == 1.5
    assert ratio(3.0, 0.0) is None
    assert ratio(None, 2.0) is None
