"""A graph of our own for the generator, built from the model's weights, in two forms.

`window`: the norms' scale and shift are inputs, so that any stretch of an utterance can be decoded by itself.
`measure`: the norms are computed over what is given, and their means and variances come out beside the samples.

Both are float32. Convolutions are two-dimensional with a height of one, for which onnxruntime and OpenVINO have
faster kernels. A norm and the snake after it, y + sin(ay)^2 / a, take five passes: the factor a goes into the norm's
scale and shift, h = ay, and 1 / a into the weights of the convolution that hears h + sin(h)^2. Of a window's context
the second stage hears only the last steps, for it hears less far than the first.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from firstword.kokoro.generator.layout import CHANNELS, DILATIONS, NORMS, STAGES, Block, Norm, Stage
from firstword.kokoro.generator.names import CROP, HARMONICS, HIDDEN, MEANS, SAMPLES, SCALE, SHIFT, VARIANCES
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.source import FRAMES_PER_STEP

__all__ = ["write_graph"]

_EPSILON: Final = 1e-5
_FFT_BINS: Final = 11
_HOP: Final = 5
_FFT: Final = 20


def write_graph(weights: Weights, path: Path, *, measure: bool) -> None:
    """Write one form to `path`.

    Inputs: hidden [1, 512, steps], harmonics [1, 22, 60 x steps + 1], scale and shift [1, CHANNELS, 1]: of the whole
    norm for `window`, of the style alone for `measure`; for `window` also crop [2], the steps `crop[0]:crop[1]` that
    the second stage is given. Outputs: samples, 300 for each of these steps; for `measure` of all steps, and means and
    variances [1, CHANNELS, 1, 1].
    """
    builder = _Builder(weights, measure=measure)
    builder.build()
    onnx.save(builder.model(), str(path))


class _Builder:
    def __init__(self, weights: Weights, *, measure: bool) -> None:
        self._weights = weights
        self._measure = measure
        self._nodes: list[Any] = []
        self._values: list[Any] = []
        self._norms = {norm.name: norm for norm in NORMS}
        self._statistics: dict[str, tuple[str, str]] = {}
        self._by_input: dict[str, tuple[str, str]] = {}

    def model(self) -> Any:
        inputs = [
            helper.make_tensor_value_info(HIDDEN, TensorProto.FLOAT, [1, 512, "steps"]),
            helper.make_tensor_value_info(HARMONICS, TensorProto.FLOAT, [1, 22, "frames"]),
            helper.make_tensor_value_info(SCALE, TensorProto.FLOAT, [1, CHANNELS, 1]),
            helper.make_tensor_value_info(SHIFT, TensorProto.FLOAT, [1, CHANNELS, 1]),
        ]
        if not self._measure:
            inputs.append(helper.make_tensor_value_info(CROP, TensorProto.INT64, [2]))
        outputs = [helper.make_tensor_value_info(SAMPLES, TensorProto.FLOAT, ["samples"])]
        if self._measure:
            outputs += [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, CHANNELS, 1, 1])
                for name in (MEANS, VARIANCES)
            ]
        graph = helper.make_graph(self._nodes, "generator", inputs, outputs, self._values)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 9
        return model

    def build(self) -> None:
        hidden = self._op("Unsqueeze", HIDDEN, self._integers([2]))
        harmonics = self._op("Unsqueeze", HARMONICS, self._integers([2]))
        alpha = self._floats(np.concatenate([self._alpha(norm) for norm in NORMS]).reshape(1, -1, 1))
        for vector in (SCALE, SHIFT):
            self._split(vector, self._op("Mul", vector, alpha))
        x = self._stage(0, STAGES[0], hidden, harmonics)
        if not self._measure:
            x = self._cropped(x, STAGES[0].stride)
            harmonics = self._cropped(harmonics, FRAMES_PER_STEP, extra=1)
        x = self._stage(1, STAGES[1], x, harmonics)
        x = self._op("LeakyRelu", x, alpha=0.01)
        post = self._weights.convolution("conv_post")
        x = self._conv(x, post.weight, post.bias, padding=3)
        self._waveform(x)
        if self._measure:
            means, variances = zip(*(self._statistics[norm.name] for norm in NORMS), strict=True)
            self._op("Concat", *means, axis=1, out=MEANS)
            self._op("Concat", *variances, axis=1, out=VARIANCES)

    def _stage(self, index: int, stage: Stage, x: str, harmonics: str) -> str:
        source = self._weights.convolution(f"noise_convs.{index}")
        noise = self._conv(
            harmonics, source.weight, source.bias, stride=stage.noise_stride, padding=stage.noise_padding
        )
        noise = self._block(stage.noise, noise)
        up = self._weights.convolution(f"ups.{index}")
        x = self._op("LeakyRelu", x, alpha=0.1)
        x = self._op(
            "ConvTranspose",
            x,
            self._floats(up.weight[:, :, None]),
            self._floats(up.bias),
            kernel_shape=[1, stage.kernel],
            strides=[1, stage.stride],
            pads=[0, (stage.kernel - stage.stride) // 2] * 2,
        )
        if index == 1:  # one frame more, as the harmonics have it
            x = self._op("Pad", x, self._integers([0, 0, 0, 1, 0, 0, 0, 0]), mode="reflect")
        x = self._op("Add", x, noise)
        first, second, third = (self._block(block, x) for block in stage.blocks)
        total = self._op("Add", self._op("Add", first, second), third)
        return self._op("Mul", total, self._floats(np.float32(1 / 3)))

    def _block(self, block: Block, x: str) -> str:
        for turn, dilation in enumerate(DILATIONS):
            y = x
            for half, spread in ((1, dilation), (2, 1)):
                norm = self._norms[f"{block.name}.adain{half}.{turn}"]
                y = self._snake(self._normed(norm, y))
                layer = self._weights.convolution(f"{block.name}.convs{half}.{turn}")
                weight = layer.weight / self._alpha(norm).reshape(1, -1, 1)
                y = self._conv(y, weight, layer.bias, padding=spread * (block.kernel - 1) // 2, dilation=spread)
            x = self._op("Add", y, x)
        return x

    def _normed(self, norm: Norm, x: str) -> str:
        """The norm's output times the alpha of the snake that follows."""
        scale, shift = f"{SCALE}.{norm.name}", f"{SHIFT}.{norm.name}"
        if self._measure:
            if x not in self._by_input:
                mean = self._op("ReduceMean", x, axes=[3], keepdims=1)
                difference = self._op("Sub", x, mean)
                square = self._op("Mul", difference, difference)
                self._by_input[x] = mean, self._op("ReduceMean", square, axes=[3], keepdims=1)
            mean, variance = self._statistics[norm.name] = self._by_input[x]
            deviation = self._op("Sqrt", self._op("Add", variance, self._floats(np.float32(_EPSILON))))
            scale = self._op("Div", scale, deviation)
            shift = self._op("Sub", shift, self._op("Mul", mean, scale))
        return self._op("Add", self._op("Mul", x, scale), shift)

    def _snake(self, h: str) -> str:
        """The snake times alpha, of its input times alpha."""
        wave = self._op("Sin", h)
        return self._op("Add", h, self._op("Mul", wave, wave))

    def _alpha(self, norm: Norm) -> NDArray[np.float32]:
        return self._weights.vector(f"{norm.block}.alpha{norm.half}.{norm.turn}")

    def _cropped(self, x: str, frames: int, *, extra: int = 0) -> str:
        """The frames of the steps that are left for the second stage."""
        bounds = self._op("Mul", CROP, self._integers([frames]))
        first, last = self._slice(bounds, 0, 1, 0), self._slice(bounds, 1, 2, 0)
        return self._op("Slice", x, first, self._op("Add", last, self._integers([extra])), self._integers([3]))

    def _waveform(self, x: str) -> None:
        """Magnitudes and phases to samples; the first and last half frame fall off."""
        magnitude = self._op("Exp", self._slice(x, 0, _FFT_BINS, 1))
        phase = self._op("Sin", self._slice(x, _FFT_BINS, 2 * _FFT_BINS, 1))
        real = self._op("Mul", magnitude, self._op("Cos", phase))
        imaginary = self._op("Mul", magnitude, self._op("Sin", phase))
        spectrum = self._op("Concat", real, imaginary, axis=1)
        basis = self._weights.matrix("stft.istft.stft.inverse_basis") * np.float32(_FFT / _HOP)
        y = self._op(
            "ConvTranspose", spectrum, self._floats(basis[:, :, None]), kernel_shape=[1, _FFT], strides=[1, _HOP]
        )
        y = self._slice(y, _FFT // 2, -(_FFT // 2), 3)
        self._op("Reshape", y, self._integers([-1]), out=SAMPLES)

    def _split(self, name: str, vector: str) -> None:
        column = self._op("Unsqueeze", vector, self._integers([3]))
        outputs = [f"{name}.{norm.name}" for norm in NORMS]
        sizes = self._integers([norm.channels for norm in NORMS])
        self._nodes.append(helper.make_node("Split", [column, sizes], outputs, axis=1))

    def _conv(
        self,
        x: str,
        weight: NDArray[np.float32],
        bias: NDArray[np.float32],
        *,
        padding: int,
        stride: int = 1,
        dilation: int = 1,
    ) -> str:
        return self._op(
            "Conv",
            x,
            self._floats(weight[:, :, None]),
            self._floats(bias),
            kernel_shape=[1, weight.shape[2]],
            strides=[1, stride],
            dilations=[1, dilation],
            pads=[0, padding, 0, padding],
        )

    def _slice(self, x: str, start: int, end: int, axis: int) -> str:
        return self._op("Slice", x, self._integers([start]), self._integers([end]), self._integers([axis]))

    def _op(self, kind: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        name = out or f"t{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def _floats(self, values: NDArray[np.floating] | np.floating) -> str:
        return self._constant(np.ascontiguousarray(values, dtype=np.float32))

    def _integers(self, values: list[int]) -> str:
        return self._constant(np.array(values, dtype=np.int64))

    def _constant(self, values: NDArray[Any]) -> str:
        name = f"c{len(self._values)}"
        self._values.append(numpy_helper.from_array(values, name))
        return name
