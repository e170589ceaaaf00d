"""Int8 convolutions in time as products of matrices: the same integers, in less than half the time.

onnxruntime gathers what a convolution in one dimension sees value by value and packs it anew each time; a product with
weights that stay is packed once. On a processor with VNNI signed weights are multiplied exactly and fastest, so weights
and their zero point are moved down by 128. Without VNNI products of signed weights may saturate: there the
convolutions stay (`backends` knows). Needs the `onnx` package.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import helper, numpy_helper

__all__ = ["as_products"]

_OFFSET: Final = 128
_FEWEST_WEIGHTS: Final = 4096
"""Of a convolution with less than this nothing is to be gained."""


def as_products(model: Any) -> int:
    """Put a product of the same values in place of every ConvInteger that can be one; how many were."""
    graph = model.graph
    constants = {item.name: item for item in graph.initializer}
    nodes, made = [], _Constants(graph)
    count = 0
    for node in graph.node:
        convolution = _convolution(node, constants)
        if convolution is None:
            nodes.append(node)
        else:
            nodes += _product(node, convolution, made)
            count += 1
    del graph.node[:]
    graph.node.extend(nodes)
    wanted = {name for node in nodes for name in node.input}
    kept = [item for item in graph.initializer if item.name in wanted]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    return count


@dataclass(frozen=True, kw_only=True)
class _Convolution:
    """`weights` [out, in, taps] and their zero point; its taps are `apart` by so many steps."""

    weights: NDArray[np.uint8]
    zero: int
    apart: int


def _convolution(node: Any, constants: Mapping[str, Any]) -> _Convolution | None:
    """What the node computes, if it can be a product: as many steps come out as go in."""
    if node.op_type != "ConvInteger" or len(node.input) < 4 or not set(node.input[1::2]) <= constants.keys():
        return None
    attributes = {each.name: helper.get_attribute_value(each) for each in node.attribute}
    weights, zero = (numpy_helper.to_array(constants[name]) for name in node.input[1::2])
    if weights.ndim != 3 or weights.size < _FEWEST_WEIGHTS or weights.dtype != np.uint8 or zero.size != 1:
        return None
    taps, (apart,) = weights.shape[2], attributes.get("dilations", [1])
    reach = taps // 2 * apart
    plain = {"strides": [1], "group": 1, "pads": [reach, reach], "auto_pad": b"NOTSET"}
    if taps % 2 == 0 or any(attributes.get(name, wanted) != wanted for name, wanted in plain.items()):
        return None
    if taps > 1 and "pads" not in attributes:
        return None
    return _Convolution(weights=weights, zero=int(zero.reshape(())), apart=apart)


def _product(node: Any, of: _Convolution, made: "_Constants") -> list[Any]:
    """What the node gives, [1, out, steps], by a product over [1, steps, taps x in]."""
    given, name = node.input[0], node.output[0]
    given_zero = node.input[2]
    rows, channels, taps = of.weights.shape
    table = of.weights.transpose(2, 1, 0).reshape(taps * channels, rows).astype(np.int16) - _OFFSET
    seen = f"{name}/steps"
    nodes = [helper.make_node("Transpose", [given], [seen], perm=[0, 2, 1])]
    if taps > 1:
        nodes += _unfolded(seen, given_zero, taps, of.apart, f"{name}/seen", made)
        seen = f"{name}/seen"
    factors = [
        seen,
        made.add(f"{name}/weights", table.astype(np.int8)),
        given_zero,
        made.add(f"{name}/zero", np.array(of.zero - _OFFSET, dtype=np.int8)),
    ]
    nodes.append(helper.make_node("MatMulInteger", factors, [f"{name}/product"], name=f"{name}/product"))
    nodes.append(helper.make_node("Transpose", [f"{name}/product"], [name], perm=[0, 2, 1]))
    return nodes


def _unfolded(steps: str, zero: str, taps: int, apart: int, out: str, made: "_Constants") -> list[Any]:
    """To every step, [1, steps, in], those that its taps see, [1, steps, taps x in]; beyond the ends there is zero."""
    reach = taps // 2 * apart
    padded, axis = f"{out}/padded", made.integers(1)
    nodes = [helper.make_node("Pad", [steps, made.integers(0, reach, 0, 0, reach, 0), zero], [padded])]

    def moved(tap: int, name: str) -> str:
        end = np.iinfo(np.int64).max if tap == taps - 1 else apart * (tap - taps + 1)
        nodes.append(
            helper.make_node("Slice", [padded, made.integers(apart * tap), made.integers(int(end)), axis], [name])
        )
        return name

    parts = list(starmap(moved, ((tap, f"{out}/{tap}") for tap in range(taps))))
    return [*nodes, helper.make_node("Concat", parts, [out], axis=2)]


class _Constants:
    """What is added to a graph, each thing once."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._names: set[str] = set()

    def integers(self, *values: int) -> str:
        return self.add(f"products/{'_'.join(map(str, values))}", np.array(values, dtype=np.int64))

    def add(self, name: str, values: NDArray[Any]) -> str:
        if name not in self._names:
            self._names.add(name)
            self._graph.initializer.append(numpy_helper.from_array(values, name))
        return name
