"""Playback without a prebuffer: when samples sound, and where it runs dry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.bench.playback import listen

SECOND = 48_000
RATE = 24_000


def test_audio_that_arrives_ahead_plays_without_a_stall() -> None:
    heard = listen([(100.0, SECOND), (300.0, SECOND), (900.0, SECOND)], RATE)
    assert heard.spans == ((100.0, 1100.0), (1100.0, 2100.0), (2100.0, 3100.0))
    assert heard.stalls == ()


def test_a_late_chunk_is_one_stall_from_dry_to_arrival() -> None:
    heard = listen([(0.0, SECOND), (1250.0, SECOND), (2000.0, SECOND)], RATE)
    assert [(stall.start_ms, stall.end_ms, stall.chunk) for stall in heard.stalls] == [(1000.0, 1250.0, 1)]
    assert heard.underrun_ms == 250.0


def test_a_sample_sounds_later_by_the_stalls_before_it() -> None:
    heard = listen([(500.0, SECOND), (2000.0, SECOND)], RATE)
    assert heard.sounds_at_ms(0.0) == 500.0
    assert heard.sounds_at_ms(0.5) == 1000.0
    assert heard.sounds_at_ms(1.5) == pytest.approx(2500.0)
    assert heard.sounds_at_ms(2.0) is None


def test_nothing_received_is_nothing_heard() -> None:
    heard = listen([], RATE)
    assert (heard.spans, heard.stalls, heard.sounds_at_ms(0.0)) == ((), (), None)


@given(st.lists(st.tuples(st.floats(0, 500), st.integers(1, 4800)), min_size=1, max_size=30))
def test_playing_takes_the_length_of_the_audio_plus_the_stalls(steps: list[tuple[float, int]]) -> None:
    now, arrivals = 0.0, []
    for gap, samples in steps:
        now += gap
        arrivals.append((now, 2 * samples))
    heard = listen(arrivals, RATE)
    length_ms = sum(size for _, size in arrivals) / SECOND * 1000
    assert heard.spans[-1][1] - heard.spans[0][0] == pytest.approx(length_ms + heard.underrun_ms)
