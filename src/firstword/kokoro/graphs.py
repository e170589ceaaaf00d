"""The model's graph cut in three. Needs the `onnx` package; loading the parts does not.

front: text to prosody (how long, how high, how loud). body: prosody to the generator's input. generator: that to
samples.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from firstword.errors import AssetCorrupt, AssetError

__all__ = ["BODY_OUTPUTS", "FRONT_OUTPUTS", "PARTS", "Part", "cut", "write_products"]

_PITCH: Final = "/encoder/Reshape_output_0"
FRONT_OUTPUTS: Final = (
    "/encoder/Clip_output_0",  # frames of 25 ms a token lasts, [1, tokens]
    "/encoder/MatMul_1_output_0",  # text features of every frame, [1, 512, frames]
    _PITCH,  # fundamental frequency, two a frame
    "/encoder/Reshape_1_output_0",  # loudness, two a frame
)
BODY_OUTPUTS: Final = (
    "/decoder/decoder/decode.3/Div_4_output_0",  # generator input, [1, 512, 2 x frames]
    "/decoder/decoder/generator/Concat_3_output_0",  # harmonic source, [1, 22, 120 x frames + 1]
)


class Part(NamedTuple):
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


PARTS: Final[Mapping[str, Part]] = {
    "front": Part(("tokens", "style", "speed"), FRONT_OUTPUTS),
    "body": Part((*FRONT_OUTPUTS[1:], "style"), BODY_OUTPUTS),
    "generator": Part((*BODY_OUTPUTS, "style"), ("audio",)),
}


def cut(model: Path, into: Path) -> None:
    """Write front.onnx, body.onnx and generator.onnx. Raises AssetError if `model` has no known form of Kokoro."""
    import onnx
    from google.protobuf.message import DecodeError
    from onnx.utils import Extractor

    from firstword.kokoro.harmonics import rebuild_harmonics

    try:
        graph = onnx.load(str(model))
    except DecodeError as error:
        raise AssetCorrupt(f"{model.name} is not an ONNX model.") from error
    _rename(graph.graph, {"input_ids": "tokens", "waveform": "audio"})
    known = {name for node in graph.graph.node for name in node.output} | {item.name for item in graph.graph.input}
    missing = sorted({name for part in PARTS.values() for name in (*part.inputs, *part.outputs)} - known)
    if missing:
        raise AssetError(
            f"This export of Kokoro has no tensor {missing[0]}, so it cannot be cut.",
            hint="Use the weights of FIRSTWORD_ASSETS_SOURCE=packages.",
        )
    extractor = Extractor(graph)
    for name, part in PARTS.items():
        cut_out = extractor.extract_model(list(part.inputs), list(part.outputs))
        if name == "body":
            cut_out = rebuild_harmonics(cut_out, _PITCH, BODY_OUTPUTS[1])
        onnx.save(cut_out, str(into / f"{name}.onnx"))


def write_products(parts: Mapping[str, Path], into: Path) -> None:
    """Write `PARTS` as `cut` wrote them once more, their int8 convolutions as products of matrices."""
    import onnx

    from firstword.kokoro.int8_products import as_products

    for name in PARTS:
        graph = onnx.load(str(parts[name]))
        as_products(graph)
        onnx.save(graph, str(into / f"{name}.onnx"))


def _rename(graph: Any, names: Mapping[str, str]) -> None:
    """Give inputs and outputs of other exports the names used here."""
    for item in (*graph.input, *graph.output):
        item.name = names.get(item.name, item.name)
    for node in graph.node:
        for index, name in enumerate(node.input):
            node.input[index] = names.get(name, name)
        for index, name in enumerate(node.output):
            node.output[index] = names.get(name, name)
