"""The means of the inner norms' inputs, worked out from the style alone.

After a norm a channel has the mean and the deviation the style gives it, whatever was said. Taken as Gaussian it goes
through the snake activation in closed form, and a convolution of constants is a product with its kernel's sum. That
tells 98.7 % of how the inner means differ between utterances; the predictor foretells the rest.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.layout import CHANNELS, NORMS
from firstword.kokoro.generator.product import times

__all__ = ["InnerMeans"]

type Floats = NDArray[np.float32]


class InnerMeans:
    """Reads inner.npz: for every norm the alpha of its snake, and kernel sum and bias of the convolution after it."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                self._layers = [
                    (stored[f"{norm.name}.alpha"], stored[f"{norm.name}.sum"], stored[f"{norm.name}.bias"])
                    for norm in NORMS
                ]
        except (OSError, ValueError, KeyError) as error:
            raise AssetCorrupt(f"{path.name} cannot be read.", hint="Run firstword models pull.") from error

    def means(self, styled: Floats) -> Floats:
        """[CHANNELS] for what the style does to every norm, scale and shift, [2, CHANNELS].

        What enters a block is counted as zero: a norm deeper in it is told relative to that.
        """
        means = np.zeros(CHANNELS, dtype=np.float32)
        for index, (norm, (alpha, kernel_sum, bias)) in enumerate(zip(NORMS, self._layers, strict=True)):
            here = slice(norm.offset, norm.offset + norm.channels)
            after = times(kernel_sum, _snake_mean(styled[0, here], styled[1, here], alpha)) + bias
            following = index + 1
            if following == len(NORMS) or NORMS[following].block != norm.block:
                continue
            there = slice(NORMS[following].offset, NORMS[following].offset + norm.channels)
            if norm.half == 1:
                means[there] = after
            else:  # the block adds what it made to what it was given this turn
                given = NORMS[index - 1].offset
                means[there] = means[given : given + norm.channels] + after
        return means


def _snake_mean(deviation: Floats, mean: Floats, alpha: Floats) -> Floats:
    """Mean of x + (1 - cos 2ax) / 2a for a Gaussian x."""
    bend = 1 - np.exp(-2 * np.square(alpha * deviation)) * np.cos(2 * alpha * mean)
    return (mean + bend / (2 * alpha)).astype(np.float32)
