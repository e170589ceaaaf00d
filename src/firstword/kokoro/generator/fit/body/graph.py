"""The body as a graph of our own, its norms measured or given: for trying it in windows. Nothing that speaks uses it.

The body is Kokoro's decoder up to the generator's input: one residual block at frames of 25 ms, three more that hear
text, pitch and loudness again, and a last one that doubles the rate. All is float32, dequantized as `weights` does.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import helper

from firstword.errors import AssetError
from firstword.kokoro.generator.graph import Builder
from firstword.kokoro.generator.names import HIDDEN, MEANS, SCALE, SHIFT, VARIANCES
from firstword.kokoro.generator.weights import Convolution, Weights

__all__ = [
    "BODY_CHANNELS", "BODY_NORMS", "FEATURES", "LOUDNESS", "PITCH", "REACH_FRAMES", "SLOPE", "BodyNorm", "BodyWeights",
    "write_body",
]  # fmt: skip

FEATURES: Final = "features"
PITCH: Final = "pitch"
LOUDNESS: Final = "loudness"

_SCOPE: Final = "/decoder/decoder/"
_PREFIX: Final = "decoder.decoder."
_EPSILON: Final = np.float32(1e-5)
SLOPE: Final = 0.2
_TEXT: Final = 514
_AGAIN: Final = 66
_INNER: Final = 1024
_LAST: Final = 512
REACH_FRAMES: Final = 10
"""What a frame of the output hears in either direction: one of the convolutions of pitch and loudness, two of each of
four blocks, and two of the last, whose convolutions work at twice the rate."""

type Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class BodyNorm:
    """A norm of a block, `channels` of the long vector from `offset`. What the last `given` of them are given is known
    before the body runs, for it is the body's input."""

    block: str
    half: int
    channels: int
    given: int
    offset: int

    @property
    def name(self) -> str:
        return f"{self.block}.norm{self.half}"

    @property
    def here(self) -> slice:
        return slice(self.offset, self.offset + self.channels)


def _norms() -> tuple[BodyNorm, ...]:
    norms: list[BodyNorm] = []
    offset = 0
    again = _INNER + _AGAIN
    blocks = [("encode", _TEXT, _TEXT, _INNER), *((f"decode.{i}", again, _AGAIN, _INNER) for i in range(3))]
    for block, heard, given, made in (*blocks, ("decode.3", again, _AGAIN, _LAST)):
        for half, channels, known in ((1, heard, given), (2, made, 0)):
            norms.append(BodyNorm(block=block, half=half, channels=channels, given=known, offset=offset))
            offset += channels
    return tuple(norms)


BODY_NORMS: Final = _norms()
BODY_CHANNELS: Final = sum(norm.channels for norm in BODY_NORMS)
"""Length of the long vectors: 9,482."""


class BodyWeights(Weights):
    """Reads the body's layers of an int8 export by their names below the decoder: `decode.3.conv1`, `F0_conv`."""

    def convolution(self, layer: str) -> Convolution:
        node = self._made_by.get(f"{_path(layer)}/Conv_output_0_output_quantized")
        if node is None:
            raise AssetError(
                f"This export of Kokoro has no {layer} where it is looked for.",
                hint="Use the weights of FIRSTWORD_ASSETS_SOURCE=packages.",
            )
        weight = self._dequantized(node)
        has_bias = f"{_PREFIX}{layer}.bias" in self._values
        bias = self.vector(f"{layer}.bias") if has_bias else np.zeros(len(weight), np.float32)
        return Convolution(weight=weight, bias=bias)

    def doubling(self) -> Convolution:
        """The transposed convolution of the last block, each channel by itself."""
        node = self._made_by[f"{_path('decode.3.pool')}/ConvTranspose_output_0"]
        return Convolution(weight=self._value(node.input[1]), bias=self._value(node.input[2]))

    def styles(self) -> Floats:
        """[2, BODY_CHANNELS, 129]: scale and shift of every norm as a linear function of the decoder's half of the
        style (128) and of one."""
        rows: list[list[Floats]] = [[], []]
        for norm in BODY_NORMS:
            node = self._made_by[f"{_path(norm.name)}/fc/Gemm_output_0_MatMul_output_quantized"]
            weight = self._dequantized(node)
            both = np.concatenate([weight, self.vector(f"{norm.name}.fc.bias")[None]], axis=0).T
            for half, part in zip(rows, np.split(both, 2), strict=True):
                half.append(part)
        style: Floats = np.stack([np.concatenate(half) for half in rows]).astype(np.float32)
        style[0, :, -1] += 1.0  # a norm multiplies by one plus what the style says
        return style

    def vector(self, name: str) -> Floats:
        return self._value(_PREFIX + name).reshape(-1)


def _path(layer: str) -> str:
    """`decode.3.conv1` as the export's `/decoder/decoder/decode.3/conv1`."""
    if layer == "asr_res.0":
        return f"{_SCOPE}asr_res/asr_res.0"
    block, _, last = layer.rpartition(".")
    return f"{_SCOPE}{block}/{last}" if block else _SCOPE + last


def write_body(weights: BodyWeights, path: Path, *, measuring: bool) -> None:
    """Write it to `path`.

    Inputs: features [1, 512, frames]; pitch and loudness [1, 2 x frames]; scale and shift [1, BODY_CHANNELS, 1]: of
    the style if it measures, else of what goes into every norm. Outputs: hidden [1, 512, 1, 2 x frames]; if it
    measures, means and variances [1, BODY_CHANNELS, 1, 1] too.
    """
    graph = _BodyGraph(weights, measuring)
    graph.build()
    column: list[Any] = [1, BODY_CHANNELS, 1]
    inputs: dict[str, list[Any]] = {
        FEATURES: [1, 512, "frames"],
        PITCH: [1, "steps"],
        LOUDNESS: [1, "steps"],
        SCALE: column,
        SHIFT: column,
    }
    told: dict[str, list[Any]] = {MEANS: [*column, 1], VARIANCES: [*column, 1]} if measuring else {}
    graph.save(path, inputs, {HIDDEN: [1, _LAST, 1, "made"], **told})


class _BodyGraph(Builder):
    def __init__(self, weights: BodyWeights, measuring: bool) -> None:
        super().__init__(weights)
        self._body = weights
        self._measuring = measuring
        self._statistics: list[tuple[str, str]] = []

    def build(self) -> None:
        for vector in (SCALE, SHIFT):
            outputs = [f"{vector}.{norm.name}" for norm in BODY_NORMS]
            sizes = self.integers([norm.channels for norm in BODY_NORMS])
            column = self.op("Unsqueeze", vector, self.integers([3]))
            self._nodes.append(helper.make_node("Split", [column, sizes], outputs, axis=1))
        text = self.height_one(FEATURES)
        curves = [self._halved(PITCH, "F0_conv"), self._halved(LOUDNESS, "N_conv")]
        again = [self._layer("asr_res.0", text), *curves]
        x = self._block(0, self.op("Concat", text, *curves, axis=1))
        for place in range(1, 5):
            x = self._block(2 * place, self.op("Concat", x, *again, axis=1), doubles=place == 4)
        self.op("Identity", x, out=HIDDEN)
        if self._measuring:
            means, variances = zip(*self._statistics, strict=True)
            self.op("Concat", *means, axis=1, out=MEANS)
            self.op("Concat", *variances, axis=1, out=VARIANCES)

    def _halved(self, curve: str, layer: str) -> str:
        """Two values a frame become one."""
        made = self._body.convolution(layer)
        return self.conv(
            self.op("Unsqueeze", curve, self.integers([1, 2])), made.weight, made.bias, padding=1, stride=2
        )

    def _block(self, index: int, x: str, *, doubles: bool = False) -> str:
        """The residual block that begins with norm `index`."""
        first, second = BODY_NORMS[index : index + 2]
        y = self._active(first, x)
        beside = self._layer(f"{first.block}.conv1x1", x)
        if doubles:
            y = self._doubled(y)
            twice = [self.op("Unsqueeze", beside, self.integers([4]))] * 2
            beside = self.op("Reshape", self.op("Concat", *twice, axis=4), self.integers([1, _LAST, 1, -1]))
        y = self._layer(f"{first.block}.conv1", y)
        y = self._layer(f"{first.block}.conv2", self._active(second, y))
        return self.op("Mul", self.op("Add", y, beside), self.floats(np.float32(1 / np.sqrt(2))))

    def _layer(self, layer: str, x: str) -> str:
        made = self._body.convolution(layer)
        return self.conv(x, made.weight, made.bias, padding=made.weight.shape[2] // 2)

    def _doubled(self, x: str) -> str:
        made = self._body.doubling()
        weight, bias = self.floats(made.weight[:, :, None]), self.floats(made.bias)
        return self.op("ConvTranspose", x, weight, bias, kernel_shape=[1, 3], strides=[1, 2], pads=[0, 1, 0, 1],
                       output_padding=[0, 1], group=len(made.bias))  # fmt: skip

    def _active(self, norm: BodyNorm, x: str) -> str:
        """A norm and what follows it."""
        scale, shift = f"{SCALE}.{norm.name}", f"{SHIFT}.{norm.name}"
        if self._measuring:
            mean = self.op("ReduceMean", x, axes=[3], keepdims=1)
            difference = self.op("Sub", x, mean)
            square = self.op("Mul", difference, difference)
            variance = self.op("ReduceMean", square, axes=[3], keepdims=1)
            self._statistics.append((mean, variance))
            deviation = self.op("Sqrt", self.op("Add", variance, self.floats(_EPSILON)))
            scale = self.op("Div", scale, deviation)
            x = difference
        return self.op("LeakyRelu", self.op("Add", self.op("Mul", x, scale), shift), alpha=SLOPE)
