"""Windows: they cover what is wanted once, hear everything once, and never depend on anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.kokoro.generator.windows import AHEAD_STEPS, BEFORE_STEPS, SIZES, windows


@given(st.integers(0, 900), st.integers(1, 900), st.just(SIZES) | st.tuples(st.integers(14, 90), st.integers(14, 90)))
def test_windows_follow_each_other_and_cover_and_hear_everything_once(
    first: int, length: int, sizes: tuple[int, ...]
) -> None:
    end, heard = first, first - BEFORE_STEPS
    for window in windows(first, first + length, sizes=sizes):
        assert window.first == end < window.last
        assert window.fed_first == heard < window.fed_last == window.last + AHEAD_STEPS
        end, heard = window.last, window.fed_last
    assert end == first + length


def test_the_first_window_lasts_until_the_second_is_made_and_none_is_a_crumb_or_holds_up_the_others() -> None:
    for length in range(100, 700):
        sizes = [window.last - window.first for window in windows(0, length)]
        assert sizes[0] == 20
        assert min(sizes) >= 14
        assert max(sizes) <= 40


@pytest.mark.parametrize("real_time_factor", [0.2, 0.5, 0.8])
def test_windows_grow_to_twice_the_first_and_are_in_time_by_no_less_than_the_second(real_time_factor: float) -> None:
    first, *later = (*SIZES, SIZES[-1])
    assert [first, *later] == sorted([first, *later])
    assert later[-1] == 2 * first
    left, spare = float(first), []
    for size in later:
        spare.append(left - real_time_factor * size)
        left = spare[-1] + size
    assert min(spare) == spare[0] > 0


def test_other_sizes_are_taken_in_turn_and_the_last_repeats() -> None:
    assert [window.last - window.first for window in windows(0, 260, sizes=(20, 40, 80))] == [20, 40, 80, 80, 40]
