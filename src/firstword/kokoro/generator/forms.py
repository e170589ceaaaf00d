"""Other forms of the graph that decodes a window, to be measured beside ours: as the model has it, and in static int8.

Needs the `onnx` package.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static

from firstword.kokoro.generator.layout import NORMS, STAGES, Norm
from firstword.kokoro.generator.window_graph import WindowGraph

__all__ = ["FIRST_STAGE", "RESIDUAL_BLOCKS", "PlainWindowGraph", "layers_of", "write_static_int8"]

type Feeds = Mapping[str, NDArray[Any]]

_SMALL: Final = 1e-6
RESIDUAL_BLOCKS: Final = tuple(block.name for stage in STAGES for block in stage.blocks)
FIRST_STAGE: Final = tuple(block.name for block in STAGES[0].blocks)


class PlainWindowGraph(WindowGraph):
    """Norms, snakes and convolutions as the model has them: seven passes, and one dimension."""

    def alpha(self, norm: Norm) -> NDArray[np.float32]:
        """Nothing is moved into scale, shift and weights."""
        return np.ones(norm.channels, np.float32)

    def snake(self, norm: Norm, h: str) -> str:
        alpha = super().alpha(norm).reshape(1, -1, 1, 1)
        wave = self.op("Sin", self.op("Mul", h, self.floats(alpha)))
        return self.op("Add", h, self.op("Mul", self.op("Mul", wave, wave), self.floats(1 / alpha)))

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
        y = self.op(
            "Conv",
            self.op("Squeeze", x, self.integers([2])),
            self.floats(weight),
            self.floats(bias),
            kernel_shape=[weight.shape[2]],
            strides=[stride],
            dilations=[dilation],
            pads=[padding, padding],
        )
        return self.height_one(y)


def write_static_int8(window: Path, blocks: Sequence[str], feeds: Sequence[Feeds], path: Path) -> None:
    """Write `window` with the convolutions of `blocks` in int8, by the ranges that `feeds` show.

    Activations unsigned by tensor, weights signed by channel and of seven bits, which pairs of products do not
    saturate. Channels are made alike first: what goes into each is scaled by the square root of its weight's range
    over its own, and the weight the other way.
    """
    model = onnx.load(str(window))
    layers = layers_of(model, blocks)
    ranges = _ranges(model, [node.input[0] for node in layers], feeds, path.with_suffix(".seen.onnx"))
    _equalize(model, layers, ranges)
    even = path.with_suffix(".even.onnx")
    onnx.save(model, str(even))
    quantize_static(
        str(even),
        str(path),
        _Feeds(feeds),
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=["Conv"],
        nodes_to_quantize=[node.name for node in layers],
        per_channel=True,
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        calibrate_method=CalibrationMethod.MinMax,
    )


class _Feeds(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, feeds: Sequence[Feeds]) -> None:
        self._left = iter(feeds)

    def get_next(self) -> Feeds | None:
        return next(self._left, None)


def layers_of(model: Any, blocks: Sequence[str]) -> list[Any]:
    """The nodes of the convolutions after each norm of `blocks`: those whose input is a snake of that norm."""
    names = {norm.name for norm in NORMS if norm.block in blocks}
    made_by = {name: node for node in model.graph.node for name in node.output}
    return [
        node for node in model.graph.node if node.op_type == "Conv" and _norm_before(node.input[0], made_by) in names
    ]


def _norm_before(x: str, made_by: Mapping[str, Any]) -> str | None:
    """A snake is h + sin(h)^2, and h ends with the norm's shift."""
    snake = made_by.get(x)
    shifted = made_by.get(snake.input[0]) if snake is not None and snake.op_type == "Add" else None
    if shifted is None or shifted.op_type != "Add" or not shifted.input[1].startswith("shift."):
        return None
    name: str = shifted.input[1]
    return name.removeprefix("shift.")


def _ranges(model: Any, names: Sequence[str], feeds: Sequence[Feeds], scratch: Path) -> dict[str, NDArray[np.float32]]:
    """The largest magnitude of every channel of each tensor."""
    seen = onnx.ModelProto()
    seen.CopyFrom(model)
    del seen.graph.output[:]
    seen.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    onnx.save(seen, str(scratch))
    session = InferenceSession(str(scratch), providers=["CPUExecutionProvider"])
    most = [[np.abs(value).max(axis=(0, 2, 3)) for value in session.run(list(names), dict(each))] for each in feeds]
    return {name: np.max(of, axis=0) for name, of in zip(names, zip(*most, strict=True), strict=True)}


def _equalize(model: Any, layers: Sequence[Any], ranges: Mapping[str, NDArray[np.float32]]) -> None:
    weights = {item.name: item for item in model.graph.initializer}
    chosen = {node.name for node in layers}
    nodes = []
    for node in model.graph.node:
        if node.name in chosen:
            weight = numpy_helper.to_array(weights[node.input[1]])
            factor = np.sqrt(np.abs(weight).max(axis=(0, 2, 3)) / (ranges[node.input[0]] + _SMALL))
            factor = (factor / np.median(factor)).astype(np.float32).reshape(1, -1, 1, 1)
            weights[node.input[1]].CopyFrom(numpy_helper.from_array(weight / factor, node.input[1]))
            named, even = f"{node.name}.factor", f"{node.name}.even"
            model.graph.initializer.append(numpy_helper.from_array(factor, named))
            nodes.append(helper.make_node("Mul", [node.input[0], named], [even], name=even))
            node.input[0] = even
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
