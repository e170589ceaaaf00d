"""What every scenario's result carries: what was run, where, with what, and the command that repeats it."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from firstword.bench.report import machine

__all__ = ["WARM_UPS", "Result", "interleaved", "result"]

WARM_UPS = 3
"""Trials of each variant that are run first and dropped."""


@dataclass(frozen=True, kw_only=True)
class Result:
    scenario: str
    command: str
    date: str
    machine: dict[str, Any]
    parameters: dict[str, Any]
    results: Any
    not_measured: tuple[str, ...] = ()


def result(scenario: str, parameters: dict[str, Any], results: Any, not_measured: Sequence[str] = ()) -> Result:
    """Wrap a scenario's figures."""
    return Result(
        scenario=scenario,
        command=" ".join(["firstword", *sys.argv[1:]]),
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        machine=machine(),
        parameters=parameters,
        results=results,
        not_measured=tuple(not_measured),
    )


def interleaved[T](variants: Sequence[T], trials: int, warm_ups: int = WARM_UPS) -> list[tuple[T, bool]]:
    """Every variant once a round, so that a slow minute hits all alike; the flag says whether the trial counts.

    The order turns with each round: whoever runs first in one runs last in another.
    """
    order = []
    for round_number in range(warm_ups + trials):
        turn = round_number % len(variants)
        order += [(variant, round_number >= warm_ups) for variant in [*variants[turn:], *variants[:turn]]]
    return order
