"""Who goes first, and how long a newcomer would wait: pure rules, held to what they promise for any claims."""

import math

from hypothesis import given
from hypothesis import strategies as st

from firstword.speech.order import PATIENCE_S, Claim, Demand, expected_wait_s, first, load

NOW = 100.0
TIMES = st.floats(-5.0, 5.0).map(lambda offset: NOW + offset)
WORK = st.floats(0.01, 0.4)
NEWCOMERS = st.builds(
    Claim, waits_since_s=st.floats(0.0, 2.0).map(lambda waited: NOW - waited), dry_at_s=st.just(0.0), work_s=WORK
)
LATER = st.builds(Claim, waits_since_s=st.none(), dry_at_s=TIMES, work_s=WORK)
CLAIMS = st.lists(NEWCOMERS | LATER, min_size=1, max_size=8)


def _waits(claims: list[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.waits_since_s is not None]


def _slack_s(claim: Claim) -> float:
    return claim.dry_at_s - NOW - claim.work_s


@given(CLAIMS)
def test_a_later_one_passes_a_newcomer_only_if_it_would_run_dry_behind_it(claims: list[Claim]) -> None:
    chosen, newcomers = claims[first(claims, NOW)], _waits(claims)
    if chosen.waits_since_s is None and newcomers:
        assert _slack_s(chosen) < max(claim.work_s for claim in newcomers)


@given(CLAIMS)
def test_one_that_would_run_dry_behind_a_newcomer_goes_first_while_no_newcomer_has_waited_long(
    claims: list[Claim],
) -> None:
    newcomers = _waits(claims)
    if any(NOW - (claim.waits_since_s or NOW) >= PATIENCE_S for claim in newcomers):
        return
    window_s = max((claim.work_s for claim in newcomers), default=0.0)
    if any(claim.waits_since_s is None and _slack_s(claim) < window_s for claim in claims):
        assert claims[first(claims, NOW)].waits_since_s is None


@given(CLAIMS)
def test_nobody_who_has_waited_too_long_is_passed(claims: list[Claim]) -> None:
    since = [claim.waits_since_s for claim in claims if claim.waits_since_s is not None]
    if any(NOW - waited >= PATIENCE_S for waited in since):
        assert claims[first(claims, NOW)].waits_since_s == min(since)


@given(CLAIMS)
def test_the_first_to_come_and_the_first_to_run_dry_go_first_among_their_like(claims: list[Claim]) -> None:
    chosen = claims[first(claims, NOW)]
    if chosen.waits_since_s is None:
        assert chosen.dry_at_s == min(claim.dry_at_s for claim in claims if claim.waits_since_s is None)
    else:
        assert chosen.waits_since_s == min(claim.waits_since_s for claim in claims if claim.waits_since_s is not None)


@given(CLAIMS, st.randoms())
def test_the_choice_does_not_depend_on_the_order_of_the_claims(claims: list[Claim], random: object) -> None:
    shuffled = list(claims)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = claims[first(claims, NOW)], shuffled[first(shuffled, NOW)]
    assert (one.waits_since_s, one.waits_since_s or one.dry_at_s) == (
        other.waits_since_s,
        other.waits_since_s or other.dry_at_s,
    )


DEMANDS = st.lists(
    st.builds(
        Demand,
        first_s=st.sampled_from([0.0, 0.3]),
        dry_at_s=st.floats(0.0, 4.0).map(lambda lead: NOW + lead),
        rate=st.floats(0.05, 0.5),
        left_s=st.floats(0.0, 5.0) | st.just(math.inf),
    ),
    max_size=6,
)


@given(DEMANDS)
def test_within_the_expected_wait_all_that_is_due_by_then_can_be_done(demands: list[Demand]) -> None:
    wait_s = expected_wait_s(demands, 0.3, NOW, 3.0)
    if wait_s <= 3.0:
        work_s = 0.3 + sum(demand.first_s for demand in demands)
        for demand in demands:
            if not demand.first_s:
                work_s += min(demand.left_s, demand.rate * max(0.0, NOW + wait_s - demand.dry_at_s))
        assert work_s <= wait_s + 1e-3
    else:
        assert wait_s == math.inf


@given(DEMANDS, DEMANDS)
def test_more_listeners_never_shorten_the_wait_and_never_lighten_the_load(
    one: list[Demand], more: list[Demand]
) -> None:
    assert expected_wait_s([*one, *more], 0.3, NOW, 3.0) >= expected_wait_s(one, 0.3, NOW, 3.0) - 1e-3
    assert load([*one, *more]) >= load(one)


def test_a_voice_without_listeners_keeps_nobody_waiting_longer_than_its_own_work() -> None:
    assert expected_wait_s([], 0.3, NOW, 3.0) == 0.3
