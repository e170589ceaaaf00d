"""What a piece of an utterance hears of the pieces before it, and how far what it says lags behind. Pure.

A layer that hears `reach` frames in either direction is given the last `2 x reach` frames again, and says what lies
`reach` frames behind the end of what it hears.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.layout import DILATIONS, STAGES, Block, Stage

__all__ = [
    "EARLY_FRAMES", "LAG_SAMPLES", "LATE_FRAMES", "PAST", "block_reach", "first_past", "following", "nothing",
    "turn_reach",
]  # fmt: skip

_POST_REACH: Final = 3
_SPECTRUM_FRAMES: Final = 3
"""Of the last transform, a sample is told by four frames."""
_HOP: Final = 5
_FFT: Final = 20


def turn_reach(block: Block, turn: int) -> int:
    """Frames that one turn of a block, two convolutions, hears in either direction."""
    return (DILATIONS[turn] + 1) * (block.kernel - 1) // 2


def block_reach(block: Block) -> int:
    return sum(turn_reach(block, turn) for turn in range(len(DILATIONS)))


def first_past(stage: Stage, block: Block) -> int:
    """Frames before a piece that a block's first turn is given, as it waits for the block that hears farthest."""
    return 2 * turn_reach(block, 0) + _reach(stage) - block_reach(block)


def _reach(stage: Stage) -> int:
    return max(block_reach(block) for block in stage.blocks)


def _past() -> dict[str, tuple[int, int]]:
    past: dict[str, tuple[int, int]] = {}
    for index, stage in enumerate(STAGES):
        channels = stage.noise.channels
        for turn in range(len(DILATIONS)):
            past[f"{stage.noise.name}.{turn}"] = channels, 2 * turn_reach(stage.noise, turn)
        past[f"stage.{index}"] = channels, max(first_past(stage, block) for block in stage.blocks)
        for block in stage.blocks:
            for turn in range(1, len(DILATIONS)):
                past[f"{block.name}.{turn}"] = channels, 2 * turn_reach(block, turn)
    past["up"] = STAGES[0].noise.channels, 1
    past["post"] = STAGES[1].noise.channels, 2 * _POST_REACH + _SPECTRUM_FRAMES
    return past


PAST: Final[Mapping[str, tuple[int, int]]] = _past()
"""Channels and frames of what is kept, by name."""


def following(name: str) -> str:
    """The output that is the next piece's input `name`."""
    return f"next.{name}"


def nothing() -> dict[str, NDArray[np.float32]]:
    """What the first piece of an utterance is given."""
    return {name: np.zeros((1, channels, 1, frames), np.float32) for name, (channels, frames) in PAST.items()}


_FIRST, _SECOND = STAGES
_FIRST_BEHIND: Final = (_FIRST.kernel - _FIRST.stride) // 2
"""In frames of the first stage, as all before the second."""
_FIRST_LAG: Final = _FIRST_BEHIND + _reach(_FIRST)
_SECOND_BEHIND: Final = _SECOND.stride * _FIRST_LAG + (_SECOND.kernel - _SECOND.stride) // 2 - 1
"""In frames of the second stage, of which the first stands before the first stage's."""
LAG_SAMPLES: Final = _HOP * (_SECOND_BEHIND + _reach(_SECOND) + _POST_REACH) + _FFT // 2
"""What comes out ends so many samples before what went in."""

_EARLY_FRAME: Final = block_reach(_FIRST.noise) - _FIRST_BEHIND
EARLY_FRAMES: Final = (
    _FIRST.noise_stride * _EARLY_FRAME - _FIRST.noise_padding,
    _FIRST.noise_stride * _EARLY_FRAME + _FIRST.noise_padding,
)
"""Harmonics the first stage hears with steps `first:last`: from 60 x first and to 60 x last, plus these."""
LATE_FRAMES: Final = (block_reach(_SECOND.noise) - _SECOND_BEHIND,) * 2
"""The same of the second stage."""
