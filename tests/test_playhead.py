"""Where a listener is, by arithmetic alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.playhead import Playhead


def test_playback_starts_with_the_first_audio_and_runs_dry_at_its_end() -> None:
    playhead = Playhead()
    playhead.sent(2.0, now_s=10.0)
    assert playhead.dry_at_s == 12.0
    assert playhead.lead_s(10.5) == 1.5
    assert playhead.lead_s(13.0) == 0.0


def test_after_a_silence_playback_starts_anew() -> None:
    playhead = Playhead()
    playhead.sent(1.0, now_s=10.0)
    playhead.sent(1.0, now_s=20.0)
    assert playhead.dry_at_s == 21.0


def test_a_report_of_the_listener_beats_the_assumption() -> None:
    playhead = Playhead()
    playhead.sent(5.0, now_s=10.0)
    playhead.heard(0.5, now_s=12.0)
    assert playhead.lead_s(12.0) == 4.5
    playhead.heard(5.0, now_s=12.0)
    assert playhead.lead_s(12.0) == 0.0


def test_audio_that_is_thrown_away_is_not_waited_for() -> None:
    playhead = Playhead()
    playhead.sent(1.0, now_s=10.0)
    playhead.sent(3.0, now_s=10.0)
    playhead.dropped(3.0, now_s=10.25)
    assert playhead.lead_s(10.25) == 0.75


def test_what_is_on_its_way_provides_for_a_listener_only_while_it_has_something_to_hear() -> None:
    playhead = Playhead()
    assert playhead.provided_s(9.0, now_s=10.0) == 0.0
    playhead.sent(1.0, now_s=10.0)
    assert playhead.provided_s(9.0, now_s=10.5) == 9.5
    assert playhead.provided_s(9.0, now_s=11.0) == 0.0


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 3)), max_size=20))
def test_the_lead_is_never_negative_and_never_more_than_was_sent(steps: list[tuple[float, float]]) -> None:
    playhead, now_s = Playhead(), 100.0
    for passed_s, sent_s in steps:
        now_s += passed_s
        playhead.sent(sent_s, now_s)
        assert 0.0 <= playhead.lead_s(now_s) <= playhead.sent_s + 1e-9
    assert playhead.sent_s == pytest.approx(sum(sent for _, sent in steps))
