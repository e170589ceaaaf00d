"""Whose a stall is: told by when the audio came; and the real voice through the real page, beside two busy loops."""

import os

import pytest

from firstword.bench.page_load import run, stalls_of_the_page

SECOND = 48_000
TEXT = "Two loops never rest beside this. It is said by the real voice. Whatever has come is played without a gap."


def test_a_stall_with_nothing_more_to_play_is_the_servers() -> None:
    arrivals = [(1000.0, SECOND), (2500.0, SECOND)]
    assert stalls_of_the_page([(2010.0, 1.0)], arrivals) == 0


def test_a_stall_with_audio_that_had_come_is_the_pages() -> None:
    arrivals = [(1000.0, SECOND), (1500.0, SECOND)]
    assert stalls_of_the_page([(2010.0, 1.0)], arrivals) == 1


def test_audio_that_came_at_the_last_moment_is_still_on_its_way() -> None:
    arrivals = [(1000.0, SECOND), (1990.0, SECOND)]
    assert stalls_of_the_page([(2010.0, 1.0)], arrivals) == 0


@pytest.mark.skipif("FIRSTWORD_TEST_PAGE_LOAD" not in os.environ, reason="long; FIRSTWORD_TEST_PAGE_LOAD=1 runs it")
@pytest.mark.browser
@pytest.mark.model
@pytest.mark.slow
@pytest.mark.timeout(280)
def test_the_page_never_runs_dry_of_audio_that_has_come_beside_two_busy_loops() -> None:
    # On a machine that other tests load too, what came less than a quarter of a second ago may be on its way still.
    (told,) = run(2, 1, lambda _: None, text=TEXT, doors=("ws",), on_its_way_ms=250)
    assert told.audio_s > 3
    assert told.whole
    assert told.page_stalls == 0
