"""The harmonic source of the body, rebuilt: the same numbers, and the whole body in half its time.

The export works out nine sines per sample at 24 kHz step by step: a frequency that is constant over a step of 300
samples is divided, floored and cut down again at full rate, and onnxruntime's STFT of twenty samples takes nearly half
of the body's time. Here everything that is constant over a step is worked out once a step, and the transform is a
convolution.

Its phases are those of the transform it replaces, rounding included: the mean of the source makes its first bin
negative, so that whether its phase is pi or -pi is decided by the error of its imaginary part, some 1e-7. These
errors are nearly linear in the signal, so the kernel is read off the old transform by unit impulses; what is left of
them where the source is silent becomes the bias. Needs the `onnx` package.
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnx.utils import Extractor

from firstword.kokoro.inference import Inference
from firstword.kokoro.source import SAMPLES_PER_STEP
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["rebuild_harmonics"]

type Floats = NDArray[np.float32]

_SCOPE: Final = "/decoder/decoder/generator/"
_SINES: Final = f"{_SCOPE}m_source/l_sin_gen/"
_RATE_HZ: Final = 24_000.0
_FFT: Final = 20
_HOP: Final = 5
_BINS: Final = _FFT // 2 + 1
_STILL: Final = 4_000
"""Samples of silence: enough that the convolution sums as it does in a sentence."""
_TINY: Final = 1e-30
"""Added to what is divided by: no signal is so small, and nothing over nothing is no phase."""


def rebuild_harmonics(model: Any, pitch: str, harmonics: str) -> Any:
    """`model` with all from `pitch` to `harmonics` built anew, or as it is if it is not the export known here."""
    made_by = {name: node for node in model.graph.node for name in node.output}
    constants = {item.name: numpy_helper.to_array(item) for item in model.graph.initializer}
    try:
        multiples = constants[made_by[f"{_SINES}Mul"].input[1]]
        threshold = constants[made_by[f"{_SINES}Greater_output_0"].input[1]]
        gain = constants[made_by[f"{_SINES}Mul_5_output_0"].input[1]]
        weight = constants[made_by[f"{_SCOPE}m_source/l_linear/MatMul_output_0"].input[1]]
        bias = constants[made_by[f"{_SCOPE}m_source/l_linear/Add_output_0"].input[0]]
        window = constants[made_by[f"{_SCOPE}STFT_output_0"].input[2]]
    except KeyError:
        return model
    if window.shape != (_FFT,) or multiples.size != weight.size:
        return model
    graph = _Graph()
    turns = graph.op("Unsqueeze", pitch, graph.integers([1]))
    turns = graph.op("Div", graph.op("Mul", turns, graph.floats(multiples)), graph.floats(_RATE_HZ))
    turns = graph.op("Sub", turns, graph.op("Floor", turns))
    phase = graph.op("CumSum", turns, graph.constant(np.array(2, dtype=np.int32)))
    for factor in (2.0, np.pi, SAMPLES_PER_STEP):  # one after the other, as the export does: sums grow large
        phase = graph.op("Mul", phase, graph.floats(factor))
    phase = graph.op("Resize", phase, "", graph.floats([1, 1, SAMPLES_PER_STEP]), mode="linear")
    wave = graph.op("MatMul", graph.floats((weight * gain).reshape(1, -1)), graph.op("Sin", phase))
    wave = graph.op("Reshape", wave, graph.integers([1, -1, SAMPLES_PER_STEP]))
    voiced = graph.op("Cast", graph.op("Greater", pitch, graph.floats(threshold)), to=TensorProto.FLOAT)
    wave = graph.op("Mul", wave, graph.op("Unsqueeze", voiced, graph.integers([2])))
    wave = graph.op("Tanh", graph.op("Add", wave, graph.floats(bias)))
    wave = graph.op("Reshape", wave, graph.integers([1, 1, -1]))
    wave = graph.op("Pad", wave, graph.integers([0, 0, _FFT // 2, 0, 0, _FFT // 2]), mode="reflect")
    kernel, rounding = _transform(window, bias.reshape(-1)[:1])
    spectrum = graph.op("Conv", wave, graph.floats(kernel), graph.floats(rounding), kernel_shape=[_FFT], strides=[_HOP])
    real, imaginary = graph.halves(spectrum)
    power = graph.op("Add", graph.op("Mul", real, real), graph.op("Mul", imaginary, imaginary))
    angle = graph.op("Atan", graph.op("Div", imaginary, graph.op("Add", real, graph.floats(_TINY))))
    half_turn = graph.op("Greater", imaginary, graph.floats(0.0))
    half_turn = graph.op("Where", half_turn, graph.floats(np.pi), graph.floats(-np.pi))
    behind = graph.op("Less", real, graph.floats(0.0))
    angle = graph.op("Where", behind, graph.op("Add", angle, half_turn), angle)
    graph.op("Concat", graph.op("Sqrt", power), angle, out=harmonics, axis=1)
    model.graph.node.remove(made_by[harmonics])
    return graph.put_into(model)


def _transform(window: Floats, bias: Floats) -> tuple[Floats, Floats]:
    """The transform of a frame as a kernel [22, 1, 20] and a bias: real parts, then imaginary ones.

    With the bias, frames in which nothing is voiced (the tangent of the source's `bias`) give what they gave.
    """
    frame = helper.make_tensor_value_info("frame", TensorProto.FLOAT, [1, _FFT, 1])
    constants = {"hop": np.array(_HOP), "window": window, "size": np.array(_FFT)}
    old = helper.make_node("STFT", ["frame", *constants], ["spectrum"], onesided=1)
    with TemporaryDirectory() as directory:
        impulses = np.eye(_FFT, dtype=np.float32)
        spectra = [_run(old, frame, constants, row.reshape(1, -1, 1), directory) for row in impulses]
        kernel = np.stack([_stacked(spectrum) for spectrum in spectra], axis=1).reshape(2 * _BINS, 1, _FFT)
        line = helper.make_tensor_value_info("frame", TensorProto.FLOAT, ["samples"])
        tangent = helper.make_node("Tanh", ["frame"], ["spectrum"])  # by onnxruntime: the last bit counts
        still = _run(tangent, line, {}, np.repeat(bias, _STILL), directory)
        wanted = _stacked(_run(old, frame, constants, still[:_FFT].reshape(1, -1, 1), directory))
        signal = helper.make_tensor_value_info("frame", TensorProto.FLOAT, [1, 1, "samples"])
        new = helper.make_node("Conv", ["frame", "kernel"], ["spectrum"], kernel_shape=[_FFT], strides=[_HOP])
        got = _run(new, signal, {"kernel": kernel}, still.reshape(1, 1, -1), directory)[0, :, 0]
    return kernel, wanted - got


def _stacked(spectrum: Floats) -> Floats:
    """[1, 1, bins, 2] as [2 x bins]."""
    return np.concatenate([spectrum[0, 0, :, 0], spectrum[0, 0, :, 1]])


def _run(node: Any, frame: Any, constants: Mapping[str, NDArray[Any]], values: Floats, directory: str) -> Floats:
    """What one node, run by onnxruntime, makes of `values`."""
    spectrum = helper.make_tensor_value_info("spectrum", TensorProto.FLOAT, None)
    initializers = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    model = helper.make_model(
        helper.make_graph([node], "transform", [frame], [spectrum], initializers),
        opset_imports=[helper.make_opsetid("", 17)],
    )
    model.ir_version = 9
    path = Path(directory) / "transform.onnx"
    onnx.save(model, str(path))
    (result,) = Inference(path, threads=1).run(("spectrum",), {"frame": values}, CancelToken())
    return result


class _Graph:
    """Nodes and constants, named apart from those of the model they go into."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def op(self, kind: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        name = out or f"harmonics/{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def halves(self, value: str) -> tuple[str, str]:
        parts = f"{value}/real", f"{value}/imaginary"
        self._nodes.append(helper.make_node("Split", [value, self.integers([_BINS, _BINS])], parts, axis=1))
        return parts

    def floats(self, values: Any) -> str:
        return self.constant(np.asarray(values, dtype=np.float32))

    def integers(self, values: list[int]) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def constant(self, values: NDArray[Any]) -> str:
        name = f"harmonics/constant/{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(values, name))
        return name

    def put_into(self, model: Any) -> Any:
        """`model` with these nodes, without the nodes and constants that nothing asks for any more."""
        graph = model.graph
        graph.node.extend(self._nodes)
        graph.initializer.extend(self._constants)
        inputs = [item.name for item in graph.input]
        return Extractor(model).extract_model(inputs, [item.name for item in graph.output])
