"""What our graphs of the generator are built of: layers of the model's weights, in forms that run fast.

All is float32. Convolutions are two-dimensional with a height of one, for which onnxruntime and OpenVINO have faster
kernels. A norm and the snake after it, y + sin(ay)^2 / a, take five passes: the factor a goes into the norm's scale and
shift, h = ay, and 1 / a into the weights of the convolution that hears h + sin(h)^2. Above it `whole_graph` and
`window_graph`.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from firstword.kokoro.generator.layout import NORMS, Norm
from firstword.kokoro.generator.names import SAMPLES
from firstword.kokoro.generator.weights import Weights

__all__ = ["FFT", "HOP", "Builder"]

_FFT_BINS: Final = 11
HOP: Final = 5
FFT: Final = 20


class Builder:
    """Nodes are added one by one; each method gives the name of what it made."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.norms = {norm.name: norm for norm in NORMS}
        self._nodes: list[Any] = []
        self._values: list[Any] = []

    def save(self, path: Path, inputs: dict[str, list[Any]], outputs: dict[str, list[Any]], **types: int) -> None:
        """Write what leads from the inputs to the outputs; all are float32 unless `types` says otherwise. An input
        may be what a node makes: then that node is another graph's."""
        nodes = self._between(inputs, outputs)
        heard = {name for node in nodes for name in node.input}
        values = [
            [
                helper.make_tensor_value_info(name, types.get(name, TensorProto.FLOAT), shape)
                for name, shape in of.items()
            ]
            for of in (inputs, outputs)
        ]
        constants = [value for value in self._values if value.name in heard]
        graph = helper.make_graph(nodes, "generator", values[0], values[1], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 9
        onnx.save(model, str(path))

    def _between(self, inputs: Iterable[str], outputs: Iterable[str]) -> list[Any]:
        made_by = {name: node for node in self._nodes for name in node.output}
        found, wanted = set(inputs) | {value.name for value in self._values}, list(outputs)
        chosen: set[int] = set()
        while wanted:
            name = wanted.pop()
            if name not in found:
                found.add(name)
                chosen.add(id(made_by[name]))
                wanted += made_by[name].input
        return [node for node in self._nodes if id(node) in chosen]

    def height_one(self, x: str) -> str:
        return self.op("Unsqueeze", x, self.integers([2]))

    def norm_vector(self, name: str) -> None:
        """Split the long vector `name` into `name.norm`, each times the alpha of the snake after its norm."""
        alpha = self.floats(np.concatenate([self.alpha(norm) for norm in NORMS]).reshape(1, -1, 1))
        column = self.op("Unsqueeze", self.op("Mul", name, alpha), self.integers([3]))
        outputs = [f"{name}.{norm.name}" for norm in NORMS]
        sizes = self.integers([norm.channels for norm in NORMS])
        self._nodes.append(helper.make_node("Split", [column, sizes], outputs, axis=1))

    def alpha(self, norm: Norm) -> NDArray[np.float32]:
        return self.weights.vector(f"{norm.block}.alpha{norm.half}.{norm.turn}")

    def snake(self, norm: Norm, h: str) -> str:  # noqa: ARG002 - other forms go by the norm
        """The snake after `norm` times its alpha, of its input times alpha."""
        wave = self.op("Sin", h)
        return self.op("Add", h, self.op("Mul", wave, wave))

    def after_snake(self, norm: Norm, x: str, *, padding: int, dilation: int) -> str:
        """The convolution that hears the snake after `norm`."""
        return self.conv(x, *self.heard_by(norm), padding=padding, dilation=dilation)

    def heard_by(self, norm: Norm) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Weight and bias of that convolution, for a snake times its alpha."""
        layer = self.weights.convolution(f"{norm.block}.convs{norm.half}.{norm.turn}")
        return layer.weight / self.alpha(norm).reshape(1, -1, 1), layer.bias

    def up(self, index: int, x: str, *, kernel: int, stride: int, cut: int) -> str:
        """The transposed convolution before a stage, less `cut` frames on either side."""
        layer = self.weights.convolution(f"ups.{index}")
        return self.op(
            "ConvTranspose",
            self.op("LeakyRelu", x, alpha=0.1),
            self.floats(layer.weight[:, :, None]),
            self.floats(layer.bias),
            kernel_shape=[1, kernel],
            strides=[1, stride],
            pads=[0, cut] * 2,
        )

    def third(self, parts: list[str]) -> str:
        """The mean of three."""
        total = self.op("Add", self.op("Add", parts[0], parts[1]), parts[2])
        return self.op("Mul", total, self.floats(np.float32(1 / 3)))

    def waveform(self, x: str, *, padding: int, cut: int) -> None:
        """What the second stage says as samples, less `cut` of them on either side."""
        post = self.weights.convolution("conv_post")
        x = self.conv(self.op("LeakyRelu", x, alpha=0.01), post.weight, post.bias, padding=padding)
        magnitude = self.op("Exp", self.slice(x, 0, _FFT_BINS, 1))
        phase = self.op("Sin", self.slice(x, _FFT_BINS, 2 * _FFT_BINS, 1))
        real = self.op("Mul", magnitude, self.op("Cos", phase))
        imaginary = self.op("Mul", magnitude, self.op("Sin", phase))
        spectrum = self.op("Concat", real, imaginary, axis=1)
        basis = self.weights.matrix("stft.istft.stft.inverse_basis") * np.float32(FFT / HOP)
        y = self.op("ConvTranspose", spectrum, self.floats(basis[:, :, None]), kernel_shape=[1, FFT], strides=[1, HOP])
        y = self.slice(y, cut, -cut, 3)
        self.op("Reshape", y, self.integers([-1]), out=SAMPLES)

    def conv(
        self,
        x: str,
        weight: NDArray[np.float32],
        bias: NDArray[np.float32],
        *,
        padding: int,
        stride: int = 1,
        dilation: int = 1,
    ) -> str:
        made = self.floats(weight[:, :, None]), self.floats(bias)
        return self.conv_of(x, *made, kernel=weight.shape[2], padding=padding, stride=stride, dilation=dilation)

    def conv_of(
        self, x: str, weight: str, bias: str, *, kernel: int, padding: int, stride: int = 1, dilation: int = 1
    ) -> str:
        """A convolution by what was made in the graph."""
        return self.op(
            "Conv",
            x,
            weight,
            bias,
            kernel_shape=[1, kernel],
            strides=[1, stride],
            dilations=[1, dilation],
            pads=[0, padding, 0, padding],
        )

    def slice(self, x: str, start: int, end: int, axis: int) -> str:
        return self.op("Slice", x, self.integers([start]), self.integers([end]), self.integers([axis]))

    def op(self, kind: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        name = out or f"t{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def floats(self, values: NDArray[np.floating] | np.floating) -> str:
        return self.constant(np.ascontiguousarray(values, dtype=np.float32))

    def integers(self, values: list[int]) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def constant(self, values: NDArray[Any]) -> str:
        name = f"c{len(self._values)}"
        self._values.append(numpy_helper.from_array(values, name))
        return name
