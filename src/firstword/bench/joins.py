"""Faults of audio that was put together from pieces: clicks, gaps, repeated blocks. Pure.

Transcription cannot hear them (a recogniser reads every word of speech with a tenth of it cut out), so the samples are
looked at: a click is a jump that its neighbourhood does not explain, at a join also what cannot be foreseen from it, a
gap is digital silence with sound on both sides, a repetition is a block that stands twice in a row. Pauses that
punctuation asks for are not gaps: they are longer than `MAX_GAP_S`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.audio import SAMPLE_RATE_HZ, pcm_to_float

__all__ = ["MAX_GAP_S", "MIN_GAP_S", "Fault", "find_faults"]

MIN_GAP_S: Final = 0.002
MAX_GAP_S: Final = 0.045
"""Shorter digital silence between sounds is a fault; the shortest pause of punctuation is longer."""

_QUIET: Final = 0.004
_ALIKE: Final = 1e-3
_ALIKE_PART: Final = 0.1
"""A repeated block differs by less than both: what a codec adds, and this part of its own height."""
_CLICK_FLOOR: Final = 0.06
_CLICK_RATIO: Final = 4.0
_CLICK_FLOOR_AT_JOIN: Final = 0.02
_CLICK_RATIO_AT_JOIN: Final = 2.0
_ORDER: Final = 16
_UNFORESEEN_FLOOR: Final = 0.02
_UNFORESEEN_RATIO: Final = 2.5
_BLOCKS_S: Final = (0.005, 0.010, 0.020, 0.025, 0.040, 0.050, 0.100, 0.250)


@dataclass(frozen=True, kw_only=True)
class Fault:
    kind: str
    at_s: float


def find_faults(pcm: bytes, joins_s: Sequence[float] = (), sample_rate_hz: int = SAMPLE_RATE_HZ) -> list[Fault]:
    """Every fault: clicks and gaps anywhere, repeated blocks at the joins (each join in seconds)."""
    samples = pcm_to_float(pcm)
    found = [Fault(kind="gap", at_s=at / sample_rate_hz) for at in _gaps(samples, sample_rate_hz)]
    joins = sorted(round(join_s * sample_rate_hz) for join_s in joins_s)
    clicks = _clicks(samples, joins, sample_rate_hz)
    near = round(0.001 * sample_rate_hz)
    clicks += [
        join
        for join in joins
        if _unforeseen(samples, join, sample_rate_hz) and not any(abs(at - join) <= near for at in clicks)
    ]
    found += [Fault(kind="click", at_s=at / sample_rate_hz) for at in clicks]
    found += [
        Fault(kind="repeat", at_s=at / sample_rate_hz)
        for before, at in pairwise([0, *joins])
        if _repeats(samples, at, at - before, sample_rate_hz)
    ]
    return sorted(found, key=lambda fault: fault.at_s)


def _gaps(samples: NDArray[np.float32], rate_hz: int) -> list[int]:
    """Starts of runs of exact zeros, of fault length, with sound within 2 ms on both sides."""
    zero = np.concatenate(([0], (samples == 0).astype(np.int8), [0]))
    edges = np.flatnonzero(np.diff(zero))
    near = max(1, round(0.002 * rate_hz))
    found = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if not MIN_GAP_S * rate_hz <= end - start <= MAX_GAP_S * rate_hz:
            continue
        before, after = samples[max(0, start - near) : start], samples[end : end + near]
        if len(before) and len(after) and np.abs(before).max() > _QUIET and np.abs(after).max() > _QUIET:
            found.append(int(start))
    return found


def _clicks(samples: NDArray[np.float32], joins: Sequence[int], rate_hz: int) -> list[int]:
    """Where the second difference stands far above everything within 10 ms, itself excepted.

    A plosive does that too, if less: over 30 spoken texts the highest ratio was 3.1 in 24,000 local maxima, and a dozen
    were above 1.85. At a join, where a click is to be expected, less is enough; but 1.5 was too little: it told two
    clicks in a thousand places where speech decoded whole has no join at all.
    """
    if len(samples) < 8:
        return []
    jump = np.abs(np.diff(samples, n=2))
    near = np.zeros(len(jump), dtype=bool)
    for join in joins:
        near[max(0, join - round(0.001 * rate_hz)) : join + round(0.001 * rate_hz)] = True
    reach, own, found = round(0.010 * rate_hz), 3, []
    for at in np.flatnonzero(jump > np.where(near, _CLICK_FLOOR_AT_JOIN, _CLICK_FLOOR)):
        around = np.concatenate((jump[max(0, at - reach) : max(0, at - own)], jump[at + own + 1 : at + reach]))
        largest = jump[at] >= jump[max(0, at - own) : at + own].max()
        wanted = _CLICK_RATIO_AT_JOIN if near[at] else _CLICK_RATIO
        if largest and len(around) and jump[at] > wanted * around.max():
            found.append(int(at) + 1)
    return found


def _unforeseen(samples: NDArray[np.float32], join: int, rate_hz: int) -> bool:
    """Whether something within 1 ms of the join differs from its linear prediction by far more than all within 30 ms.

    A hiss jumps from sample to sample as much as a click does, and yet is foreseen better. Of clicks of a tenth, a
    fifth and a half of full scale, put into 116 texts decoded whole at 580 places, 20, 7 and 0.2 % are found by neither
    this nor the jump; by the jump alone 29, 13 and 4 % were not. Of 13,920 places where there is no click it tells
    seven. Within 10 ms it told more: a deep voice has no second pulse there to compare with.
    """
    reach, own = round(0.030 * rate_hz), round(0.001 * rate_hz)
    start = max(0, join - reach - _ORDER)
    around = samples[start : join + reach].astype(np.float64)
    if len(around) < 3 * _ORDER + 2 * own:
        return False
    rows = np.lib.stride_tricks.sliding_window_view(around, _ORDER + 1)
    ends = np.arange(_ORDER, len(around)) - (join - start)
    near, clear = np.abs(ends) <= own, (ends < -own) | (ends - _ORDER > own)
    heard, next_ones = rows[:, :-1], rows[:, -1]
    power = heard[clear].T @ heard[clear]
    steadied = power + (1e-6 * np.trace(power) / _ORDER + 1e-9) * np.eye(_ORDER)
    wrong = np.abs(next_ones - heard @ np.linalg.solve(steadied, heard[clear].T @ next_ones[clear]))
    most = wrong[near].max(initial=0.0)
    return bool(most > max(_UNFORESEEN_FLOOR, _UNFORESEEN_RATIO * wrong[clear].max()))


def _repeats(samples: NDArray[np.float32], at: int, piece: int, rate_hz: int) -> bool:
    """Whether some block that ends at `at`, or the whole `piece` that does, stands there again and is no silence."""
    for size in {piece, *(round(length_s * rate_hz) for length_s in _BLOCKS_S)}:
        before, after = samples[at - size : at], samples[at : at + size]
        if size == 0 or at < size or len(after) < size or (height := np.abs(before).max()) < _QUIET:
            continue
        if np.abs(before - after).max() < min(_ALIKE, _ALIKE_PART * height):
            return True
    return False
