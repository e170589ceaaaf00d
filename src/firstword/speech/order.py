"""Who is served next, and who may still come in: both are questions of when whose playback runs dry. Pure.

A listener that hears nothing yet is a newcomer; a later one is due when its playback would run dry. Newcomers go before
later ones, except before one that would run dry if a newcomer's step went first, and no newcomer is passed any more
once it has waited `PATIENCE_S`. Above it: `scheduler`. Whose claims these are is `listener`'s to say.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["PATIENCE_S", "Claim", "Demand", "expected_wait_s", "first", "load"]

PATIENCE_S: Final = 0.5
"""How long those that listen already may pass one that hears nothing yet."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A step that may run now and is expected to take `work_s`.

    `waits_since_s`: a newcomer's, when its text came; None for a later one, whose playback ends at `dry_at_s`.
    """

    waits_since_s: float | None
    dry_at_s: float
    work_s: float


@dataclass(frozen=True, kw_only=True)
class Demand:
    """What a listener that is not all provided for still asks of the voice.

    `first_s`: work until it hears something, 0 for one that does. `rate`: seconds of work a second of its playback
    takes. It needs that from `dry_at_s` on, and `left_s` in all if that is known.
    """

    first_s: float
    dry_at_s: float
    rate: float
    left_s: float = math.inf


def first(claims: Sequence[Claim], now_s: float) -> int:
    """The position of the claim that goes first, of one or more."""
    window_s = max((claim.work_s for claim in claims if claim.waits_since_s is not None), default=0.0)

    def rank(claim: Claim) -> tuple[int, float]:
        if claim.waits_since_s is None:
            slack_s = claim.dry_at_s - now_s - claim.work_s
            return (1 if slack_s < window_s else 3), claim.dry_at_s
        return (0 if now_s - claim.waits_since_s >= PATIENCE_S else 2), claim.waits_since_s

    return min(range(len(claims)), key=lambda index: rank(claims[index]))


def load(demands: Sequence[Demand]) -> float:
    """Seconds of work that a second of everyone's playback asks for; above 1 somebody runs dry, sooner or later."""
    return sum(demand.rate for demand in demands)


def expected_wait_s(demands: Sequence[Demand], first_s: float, now_s: float, limit_s: float) -> float:
    """When a newcomer with `first_s` of work would hear something, with nobody running dry for it; infinite if not
    within `limit_s`.

    Those that hear nothing yet go before it. What they need afterwards is not foreseen: they may have little to say.
    """
    firsts_s = first_s + sum(demand.first_s for demand in demands)
    later = [demand for demand in demands if not demand.first_s]
    wait_s = firsts_s
    while wait_s <= limit_s:
        work_s = firsts_s + sum(_needed_s(demand, now_s + wait_s) for demand in later)
        if work_s <= wait_s + 1e-6:
            return wait_s
        wait_s = max(work_s, wait_s + 0.001)
    return math.inf


def _needed_s(demand: Demand, until_s: float) -> float:
    """Work that has to be done by then, so that the listener does not run dry before."""
    return min(demand.left_s, demand.rate * max(0.0, until_s - demand.dry_at_s))
