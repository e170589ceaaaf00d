"""Medians and their intervals, without assumptions on how times are spread. Pure."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Summary", "median", "ratio", "summarize"]

_P95_NEEDS = 100


@dataclass(frozen=True, kw_only=True)
class Summary:
    """`low`..`high` is a distribution-free interval of the median at 95 %, None below 6 samples.

    `p95` is None below 100 samples: it would be one of the few slowest and nothing more.
    """

    n: int
    median: float
    low: float | None
    high: float | None
    p95: float | None
    samples: tuple[float, ...]


def summarize(samples: Sequence[float]) -> Summary:
    """Summary of at least one sample; the samples are kept in the order they came."""
    ordered = sorted(samples)
    n = len(ordered)
    rank = _interval_rank(n)
    return Summary(
        n=n,
        median=statistics.median(ordered),
        low=None if rank is None else ordered[rank],
        high=None if rank is None else ordered[n - 1 - rank],
        p95=ordered[math.ceil(0.95 * n) - 1] if n >= _P95_NEEDS else None,
        samples=tuple(samples),
    )


def median(samples: Sequence[float | None]) -> float | None:
    """Median of the samples that are there; None if there are none."""
    there = [sample for sample in samples if sample is not None]
    return statistics.median(there) if there else None


def ratio(above: float | None, below: float | None) -> float | None:
    """`above / below`; None where either is missing or `below` is zero."""
    return None if above is None or not below else above / below


def _interval_rank(n: int) -> int | None:
    """Largest k for which the k-th smallest and k-th largest enclose the median with a chance of at least 95 %."""
    rank, outside = None, 0.0
    for k in range(n // 2):
        outside += 2 * math.comb(n, k) / 2**n
        if outside > 0.05:
            break
        rank = k
    return rank
