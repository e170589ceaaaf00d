"""What was rendered, less the silence of each stall that the player told: a starved page is no wrong sample.

Pure: knows numbers and no page. A gap that the player did not tell stays in, so that it differs from what was sent.
"""

from collections.abc import Sequence

import numpy as np

__all__ = ["BLOCK", "without_gaps"]

BLOCK = 128
"""Samples rendered at a time: an answer begins, and goes on after a stall, with a block."""


def without_gaps(rendered: np.ndarray, sent: np.ndarray, stalls: Sequence[int]) -> np.ndarray:
    """What stands in `rendered`, whole blocks, from the first sample of `sent` on to its end, or as far as it has come.

    `stalls` are the places in `sent` at which the player told that it ran dry. Raises AssertionError where one has no
    gap after it that is silent and ends with a block. A gap within silence that was itself sent cannot be placed in it:
    there, only the whole is known.
    """
    assert list(stalls) == sorted({stall for stall in stalls if 0 < stall <= len(sent)})
    kept: list[np.ndarray] = []
    silent = np.zeros(0)  # sent since the last sound, and wherever in the gap
    dry = 0  # where in `rendered` the player had played all that it had
    for number, part in enumerate(np.split(sent, list(stalls))):
        sound = np.flatnonzero(part)
        if not len(sound):
            silent = np.append(silent, np.zeros(len(part)))
            continue
        coming = np.flatnonzero(rendered[dry:])
        if not len(coming):
            return np.concatenate(kept) if kept else rendered[:0]
        resumed = dry + int(coming[0]) - int(sound[0])
        gap = resumed - dry - len(silent)
        assert resumed % BLOCK == 0, f"it went on within a block, {resumed % BLOCK} samples after its beginning"
        assert gap > 0 if number else gap >= 0, f"a stall was told after {stalls[number - 1]} samples, and is no gap"
        dry = resumed + len(part)
        kept += [silent, rendered[resumed:dry]]
        silent = np.zeros(0)
    return np.concatenate([*kept, rendered[dry:]])
