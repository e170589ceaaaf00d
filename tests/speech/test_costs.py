"""What steps took, and what is expected of the next."""

import pytest

from firstword.speech.costs import StepCosts


def test_nothing_is_expected_before_anything_was_measured() -> None:
    costs = StepCosts()
    assert (costs.rate, costs.first_s, costs.step_s) == (0.0, 0.0, 0.0)
    costs.spoken(0.1, 0.0)
    assert costs.rate == 0.0


def test_the_rate_is_work_for_a_second_of_audio() -> None:
    costs = StepCosts()
    for _ in range(5):
        costs.spoken(1.0, 4.0)
    assert costs.rate == pytest.approx(0.25)


def test_a_word_says_less_of_the_rate_than_a_sentence() -> None:
    costs = StepCosts()
    for _ in range(5):
        costs.spoken(1.6, 8.0)
    costs.spoken(0.3, 0.4)  # three quarters of real time, all by itself
    assert costs.rate < 0.22


def test_the_rate_follows_a_machine_that_has_become_slower() -> None:
    costs = StepCosts()
    costs.spoken(0.8, 4.0)
    for _ in range(12):
        costs.spoken(2.0, 4.0)
    assert costs.rate == pytest.approx(0.5, abs=0.03)


def test_what_comes_first_is_front_body_and_a_window() -> None:
    costs = StepCosts()
    costs.begun(0.06, 60)
    costs.prepared(0.08, 4.0)
    costs.stepped(0.1)
    assert costs.first_s == pytest.approx(0.24)
