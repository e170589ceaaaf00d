"""The means of what the body's norms are given, as far as they follow from the style and the means of its input.

As `generator.moments` does for the generator: a norm's output is taken as Gaussian, goes through the leaky rectifier in
closed form, and a convolution of constants is a product with its kernel's sum.
"""

from math import erf, pi, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.fit.body.graph import BODY_CHANNELS, BODY_NORMS, SLOPE, BodyNorm, BodyWeights
from firstword.kokoro.generator.product import times

__all__ = ["InnerBodyMeans", "known_channels"]

type Floats = NDArray[np.float32]

_erf: Final = np.vectorize(erf, otypes=[np.float64])


def known_channels() -> NDArray[np.bool_]:
    """[BODY_CHANNELS]: whose statistics are the body's input's, and so need not be foretold."""
    known = np.zeros(BODY_CHANNELS, dtype=np.bool_)
    for norm in BODY_NORMS:
        known[norm.offset + norm.channels - norm.given : norm.offset + norm.channels] = True
    return known


class InnerBodyMeans:
    def __init__(self, weights: BodyWeights) -> None:
        self._layers: dict[str, tuple[Floats, Floats]] = {}
        for norm in BODY_NORMS:
            layer = weights.convolution(f"{norm.block}.conv{norm.half}")
            self._layers[norm.name] = layer.weight.sum(axis=2), layer.bias
        for block in sorted({norm.block for norm in BODY_NORMS}):
            self._layers[block] = weights.convolution(f"{block}.conv1x1").weight[:, :, 0], np.zeros(1, np.float32)
        pool = weights.doubling()
        self._doubled = (
            (pool.weight.sum(axis=(1, 2)) / 2).astype(np.float32),
            pool.bias,
        )  # two frames are made by one kernel's sum

    def means(self, styled: Floats, given: Floats) -> Floats:
        """[BODY_CHANNELS] for scale and shift by the style, [2, BODY_CHANNELS], and the true means of the body's input,
        which stand where `known_channels` says."""
        means = np.where(known_channels(), given, np.float32(0)).astype(np.float32)
        for first, second in zip(BODY_NORMS[::2], BODY_NORMS[1::2], strict=True):
            after = _leaky_mean(first, styled)
            if first is BODY_NORMS[-2]:
                after = after * self._doubled[0] + self._doubled[1]
            means[second.here] = self._through(first.name, after)
            made = self._through(second.name, _leaky_mean(second, styled))
            made = (made + self._through(first.block, means[first.here])) / np.float32(sqrt(2))
            if second is not BODY_NORMS[-1]:
                means[second.offset + second.channels :][: len(made)] = made
        return means

    def _through(self, layer: str, means: Floats) -> Floats:
        kernel_sum, bias = self._layers[layer]
        return times(kernel_sum, means) + bias


def _leaky_mean(norm: BodyNorm, styled: Floats) -> Floats:
    """Mean of the leaky rectifier of a Gaussian with this norm's shift as mean and its scale as deviation."""
    mean, deviation = styled[1, norm.here].astype(np.float64), np.abs(styled[0, norm.here]).astype(np.float64) + 1e-9
    ratio = mean / deviation
    positive = mean * (0.5 + 0.5 * _erf(ratio / sqrt(2))) + deviation * np.exp(-0.5 * ratio**2) / sqrt(2 * pi)
    leaky: Floats = (SLOPE * mean + (1 - SLOPE) * positive).astype(np.float32)
    return leaky
