"""Windows: they cover what is wanted once, reach no further than there is, and never depend on anything else."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.kokoro.generator.windows import CONTEXT_STEPS, windows


@given(st.integers(0, 900), st.integers(0, 900), st.integers(0, 60))
def test_windows_follow_each_other_and_cover_everything_once(first: int, length: int, after: int) -> None:
    steps = first + length + after
    end = first
    for window in windows(first, first + length, steps):
        assert window.first == end < window.last
        assert 0 <= window.reach_first <= window.first
        assert window.last <= window.reach_last <= steps
        assert window.first - window.reach_first == min(CONTEXT_STEPS, window.first)
        assert window.reach_last - window.last == min(CONTEXT_STEPS, steps - window.last)
        end = window.last
    assert end == first + length


def test_the_first_window_lasts_until_the_second_is_made_and_none_is_a_crumb_or_holds_up_the_others() -> None:
    for length in range(100, 700):
        sizes = [window.last - window.first for window in windows(0, length, length)]
        assert sizes[0] == 32
        assert min(sizes) >= 18
        assert max(sizes) <= 36
