"""When one more is too many: one alone is always let in, more as far as all of them can be spoken to."""

import pytest

from firstword.errors import RequestRefused
from firstword.speech.order import Demand
from firstword.speech.room import Room


def _listeners(count: int, *, rate: float, lead_s: float = 2.0) -> list[Demand]:
    return [Demand(first_s=0.0, dry_at_s=lead_s, rate=rate)] * count


def _let_in(room: Room, demands: list[Demand], rate: float, first_s: float = 0.3) -> None:
    room.check(demands, first_s=first_s, rate=rate, now_s=0.0)


def test_as_many_are_let_in_as_the_voice_can_speak_to_in_real_time() -> None:
    for count in range(10):
        _let_in(Room(), _listeners(count, rate=0.1), 0.1)
    with pytest.raises(RequestRefused, match="speaks to 10") as caught:
        _let_in(Room(), _listeners(10, rate=0.1), 0.1)
    assert (caught.value.code, caught.value.retryable) == ("overloaded", True)
    assert "Try again" in caught.value.one_line()


@pytest.mark.parametrize(("rate", "most"), [(0.2, 5), (0.24, 4), (0.36, 2), (0.5, 2), (0.6, 1), (2.0, 1)])
def test_by_default_there_are_never_more_than_the_voice_can_speak_to_and_never_none(rate: float, most: int) -> None:
    for count in range(most):
        _let_in(Room(), _listeners(count, rate=rate), rate)
    with pytest.raises(RequestRefused, match=f"speaks to {most}"):
        _let_in(Room(), _listeners(most, rate=rate), rate)


def test_as_many_as_are_asked_for_are_let_in_however_slow_the_voice_is() -> None:
    for count in range(4):
        _let_in(Room(min_listeners=4), _listeners(count, rate=2.0), 2.0)
    with pytest.raises(RequestRefused):
        _let_in(Room(min_listeners=4), _listeners(4, rate=2.0), 2.0)


def test_one_that_would_wait_too_long_behind_others_is_refused_though_the_load_would_allow_it() -> None:
    waiting = [Demand(first_s=0.5, dry_at_s=0.0, rate=0.01)] * 6
    with pytest.raises(RequestRefused, match="more than 3 s"):
        _let_in(Room(), waiting, 0.01, first_s=0.5)
    _let_in(Room(), waiting[:5], 0.01, first_s=0.5)
