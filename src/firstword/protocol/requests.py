"""The life of one request as a table: which step is legal in which phase, where it leads, what it asks for.

Pure values. `session` applies the table to the requests of one session; the published protocol prints it. A pair that
is not in the table cannot happen: the session never takes that step.
"""

from enum import Enum
from typing import Final

__all__ = ["TABLE", "TERMINAL", "Act", "Phase", "Step"]


class Phase(Enum):
    """Where a request stands. The last three are terminal: exactly one message has told the client so."""

    UNKNOWN = "unknown"
    OPEN = "open"
    WHOLE = "whole"
    COMPLETE = "complete"
    CANCELLED = "cancelled"
    FAILED = "failed"


class Step(Enum):
    """What may happen to a request."""

    SYNTHESIZE = "synthesize"
    TEXT_DELTA = "text_delta"
    TEXT_END = "text_end"
    TEXT_TIMEOUT = "text timeout"
    CANCEL = "cancel"
    FAULT = "bad message"
    SPOKEN = "all spoken"
    FAILURE = "failure"


class Act(Enum):
    """What the session does about it, besides moving the request on."""

    BEGIN_WHOLE = "begin, feed, finish"
    BEGIN_LIVE = "begin, feed"
    FEED = "feed"
    FINISH = "finish"
    TELL_AND_FINISH = "error text_timeout (not terminal), finish"
    COMPLETE = "synthesis_complete"
    CANCEL = "stop, synthesis_cancelled"
    ACKNOWLEDGE = "synthesis_cancelled"
    FAIL = "stop, error (terminal)"
    REFUSE = "error (terminal)"
    TELL = "error (not terminal)"
    DUPLICATE = "error duplicate_request_id (not terminal)"
    DROP = "nothing"


TERMINAL: Final = frozenset({Phase.COMPLETE, Phase.CANCELLED, Phase.FAILED})


def _over(phase: Phase) -> dict[tuple[Phase, Step], tuple[Phase, Act]]:
    """A finished request: late messages fall away, a cancel is acknowledged again, its id is never free again."""
    acts = dict.fromkeys(Step, Act.DROP) | {
        Step.SYNTHESIZE: Act.DUPLICATE,
        Step.CANCEL: Act.ACKNOWLEDGE,
        Step.FAULT: Act.TELL,
    }
    return {(phase, step): (phase, act) for step, act in acts.items()}


TABLE: Final[dict[tuple[Phase, Step], tuple[Phase, Act]]] = {
    (Phase.UNKNOWN, Step.SYNTHESIZE): (Phase.WHOLE, Act.BEGIN_WHOLE),
    (Phase.UNKNOWN, Step.TEXT_DELTA): (Phase.OPEN, Act.BEGIN_LIVE),
    (Phase.UNKNOWN, Step.TEXT_END): (Phase.FAILED, Act.REFUSE),
    (Phase.UNKNOWN, Step.CANCEL): (Phase.CANCELLED, Act.ACKNOWLEDGE),
    (Phase.UNKNOWN, Step.FAULT): (Phase.FAILED, Act.REFUSE),
    (Phase.UNKNOWN, Step.FAILURE): (Phase.FAILED, Act.REFUSE),
    (Phase.OPEN, Step.SYNTHESIZE): (Phase.OPEN, Act.DUPLICATE),
    (Phase.OPEN, Step.TEXT_DELTA): (Phase.OPEN, Act.FEED),
    (Phase.OPEN, Step.TEXT_END): (Phase.WHOLE, Act.FINISH),
    (Phase.OPEN, Step.TEXT_TIMEOUT): (Phase.WHOLE, Act.TELL_AND_FINISH),
    (Phase.OPEN, Step.CANCEL): (Phase.CANCELLED, Act.CANCEL),
    (Phase.OPEN, Step.FAULT): (Phase.FAILED, Act.FAIL),
    (Phase.OPEN, Step.FAILURE): (Phase.FAILED, Act.FAIL),
    (Phase.WHOLE, Step.SYNTHESIZE): (Phase.WHOLE, Act.DUPLICATE),
    (Phase.WHOLE, Step.TEXT_DELTA): (Phase.WHOLE, Act.DROP),
    (Phase.WHOLE, Step.TEXT_END): (Phase.WHOLE, Act.DROP),
    (Phase.WHOLE, Step.TEXT_TIMEOUT): (Phase.WHOLE, Act.DROP),
    (Phase.WHOLE, Step.CANCEL): (Phase.CANCELLED, Act.CANCEL),
    (Phase.WHOLE, Step.FAULT): (Phase.WHOLE, Act.TELL),
    (Phase.WHOLE, Step.SPOKEN): (Phase.COMPLETE, Act.COMPLETE),
    (Phase.WHOLE, Step.FAILURE): (Phase.FAILED, Act.FAIL),
    **_over(Phase.COMPLETE),
    **_over(Phase.CANCELLED),
    **_over(Phase.FAILED),
}
