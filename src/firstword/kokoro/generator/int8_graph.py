"""The graph that decodes a window, some of its convolutions in static int8: known ranges, so nothing is looked for.

Activations are unsigned, one scale a tensor; weights signed, one scale an output channel, and of seven bits, whose
products do not saturate in pairs on AVX2. Channels are made alike first: what goes into each is scaled by the square
root of its weight's range over its own, and the weight the other way. In pairs of QuantizeLinear and DequantizeLinear,
which onnxruntime and OpenVINO make integer convolutions of.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.layout import Norm
from firstword.kokoro.generator.ranges import Range
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.window_graph import WindowGraph

__all__ = ["Int8WindowGraph"]

type Floats = NDArray[np.float32]

_ACTIVATION_STEPS: Final = 255
_WEIGHT_MOST: Final = 63
_BIAS_MOST: Final = 2.0**30
_SMALL: Final = 1e-6


class Int8WindowGraph(WindowGraph):
    """In int8 are the convolutions after the norms that `ranges` names."""

    def __init__(self, weights: Weights, ranges: Mapping[str, Range]) -> None:
        super().__init__(weights)
        self._ranges = ranges

    def after_snake(self, norm: Norm, x: str, *, padding: int, dilation: int) -> str:
        known = self._ranges.get(norm.name)
        if known is None:
            return super().after_snake(norm, x, padding=padding, dilation=dilation)
        weight, bias = self.heard_by(norm)
        factor = _evening(weight, known)
        x = self.op("Mul", x, self.floats(factor.reshape(1, -1, 1, 1)))
        x, scale = self._rounded(x, float((known.low * factor).min()), float((known.high * factor).max()))
        weight = weight / factor.reshape(1, -1, 1)
        scales = _scales(weight, bias, scale)
        rounded = np.rint(weight / scales.reshape(-1, 1, 1)).astype(np.int8)[:, :, None]
        whole_bias = np.rint(bias / (scales * scale)).astype(np.int32)
        y = self.conv_of(
            x,
            self._read_as_floats(rounded, scales),
            self._read_as_floats(whole_bias, scales * scale),
            kernel=weight.shape[2],
            padding=padding,
            dilation=dilation,
        )
        return self._rounded(y, known.made_low, known.made_high)[0]

    def _rounded(self, x: str, low: float, high: float) -> tuple[str, np.float32]:
        """`x` in 256 steps from low to high, nought among them, and the step."""
        low, high = min(low, 0.0), max(high, 0.0)
        scale = np.float32((high - low) / _ACTIVATION_STEPS)
        parameters = self.floats(scale), self.constant(np.array(round(-low / scale), dtype=np.uint8))
        return self.op("DequantizeLinear", self.op("QuantizeLinear", x, *parameters), *parameters), scale

    def _read_as_floats(self, values: NDArray[np.int8] | NDArray[np.int32], scales: Floats) -> str:
        """Whole numbers times one scale each of the first axis."""
        zeros = self.constant(np.zeros(len(scales), dtype=values.dtype))
        return self.op("DequantizeLinear", self.constant(values), self.floats(scales), zeros, axis=0)


def _scales(weight: Floats, bias: Floats, scale: np.float32) -> Floats:
    """One step of each output channel's weights, and so wide that its bias is a whole number of 32 bits too."""
    for_weight = np.abs(weight).max(axis=(1, 2)) / _WEIGHT_MOST
    for_bias = np.abs(bias) / (_BIAS_MOST * scale)
    scales: Floats = np.maximum(np.maximum(for_weight, for_bias), _SMALL * _SMALL).astype(np.float32)
    return scales


def _evening(weight: Floats, known: Range) -> Floats:
    """What each input channel is multiplied by."""
    most = np.maximum(np.abs(known.low), np.abs(known.high))
    factor = np.sqrt((np.abs(weight).max(axis=(0, 2)) + _SMALL) / (most + _SMALL))
    evening: Floats = (factor / np.median(factor)).astype(np.float32)
    return evening
