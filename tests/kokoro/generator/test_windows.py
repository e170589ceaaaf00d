"""Windows: they cover what is wanted once, hear everything once, and never depend on anything else."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.kokoro.generator.windows import AHEAD_STEPS, BEFORE_STEPS, windows


@given(st.integers(0, 900), st.integers(1, 900))
def test_windows_follow_each_other_and_cover_and_hear_everything_once(first: int, length: int) -> None:
    end, heard = first, first - BEFORE_STEPS
    for window in windows(first, first + length):
        assert window.first == end < window.last
        assert window.fed_first == heard < window.fed_last == window.last + AHEAD_STEPS
        end, heard = window.last, window.fed_last
    assert end == first + length


def test_the_first_window_lasts_until_the_second_is_made_and_none_is_a_crumb_or_holds_up_the_others() -> None:
    for length in range(100, 700):
        sizes = [window.last - window.first for window in windows(0, length)]
        assert sizes[0] == 24
        assert min(sizes) >= 14
        assert max(sizes) <= 28
