"""When one more listener is too many: it is refused before it can slow the others down, and told to come again. Pure.

Two questions. Would it hear something soon, with nobody running dry for it? And could the voice go on speaking to all
of them as fast as they listen? One alone is always let in: nobody is slowed down by it.
Above it: `service`. What listeners ask of the voice is `listener`'s to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from firstword.errors import RequestRefused
from firstword.speech.order import Demand, expected_wait_s, load

__all__ = ["Room"]


@dataclass(frozen=True, kw_only=True)
class Room:
    """`max_wait_s` until the first audio; a `max_load` of 1 is as much as the voice can speak in real time.

    Neither is asked while there are fewer than `min_listeners`.
    """

    max_wait_s: float = 3.0
    max_load: float = 1.0
    min_listeners: int = 1

    def check(self, demands: Sequence[Demand], *, first_s: float, rate: float, now_s: float) -> None:
        """Raise RequestRefused (overloaded) for a newcomer with `first_s` of work until it hears something, `rate` of
        work for each second after that, beside these."""
        if len(demands) < self.min_listeners:
            return
        if load(demands) + rate > self.max_load:
            raise _refusal(f"it speaks to {len(demands)} already, and no faster than they listen")
        if expected_wait_s(demands, first_s, now_s, self.max_wait_s) > self.max_wait_s:
            raise _refusal(f"first audio would take more than {self.max_wait_s:g} s")


def _refusal(reason: str) -> RequestRefused:
    return RequestRefused(
        f"The voice is busy: {reason}.", code="overloaded", hint="Try again in a second or two.", retryable=True
    )
