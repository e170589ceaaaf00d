"""What the predictor sees of an utterance: its generator input, pooled over time, and its style. Pure."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.source import Source

__all__ = ["FEATURES", "STYLE_FEATURES", "features"]

_FLOOR: Final = 1e-6
STYLE_FEATURES: Final = 128
"""The last so many are the style."""
FEATURES: Final = 3 * 512 + 2 * 22 + 3 + STYLE_FEATURES
"""Length of the vector: 1,711."""


def features(source: Source, style: NDArray[np.float32]) -> NDArray[np.float32]:
    """Time means of the hidden channels, their squares and magnitudes; mean and log variance of the harmonics; the
    length; the decoder's half of the style."""
    hidden = source.hidden[0].astype(np.float64)
    harmonics = source.harmonics[0].astype(np.float64)
    steps = hidden.shape[1]
    return np.concatenate(
        [
            hidden.mean(axis=1),
            np.square(hidden).mean(axis=1),
            np.abs(hidden).mean(axis=1),
            harmonics.mean(axis=1),
            np.log(harmonics.var(axis=1) + _FLOOR),
            [1.0, 100.0 / steps, np.log(steps)],
            style[0, :STYLE_FEATURES],
        ]
    ).astype(np.float32)
