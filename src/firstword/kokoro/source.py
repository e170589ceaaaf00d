"""What passes between the model's parts, and its clock.

Time is counted in steps of 12.5 ms (300 samples), two to a frame of the model.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["FRAMES_PER_STEP", "SAMPLES_PER_STEP", "STEP_S", "Prosody", "Source"]

SAMPLES_PER_STEP: Final = 300
STEP_S: Final = 0.0125
FRAMES_PER_STEP: Final = 60
"""Of the harmonic source, which has one frame more than that."""

type Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Prosody:
    """What the front says. `ends` is the step at which each token ends, zeros at both ends of the text included."""

    ends: NDArray[np.int64]
    features: Floats
    pitch: Floats
    loudness: Floats

    @property
    def steps(self) -> int:
        return int(self.ends[-1])


@dataclass(frozen=True, kw_only=True)
class Source:
    """What the generator speaks from: `hidden` [1, 512, steps], `harmonics` [1, 22, 60 x steps + 1]."""

    hidden: Floats
    harmonics: Floats

    @property
    def steps(self) -> int:
        return int(self.hidden.shape[2])
