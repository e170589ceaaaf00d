"""The model's graph cut in three, once per model file, and kept in the cache.

front: text to prosody (how long, how high, how loud). body: prosody to the generator's input. generator: that to
samples. Cutting needs the `onnx` package and half a second, loading the parts needs neither.
"""

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from firstword.errors import AssetCorrupt, AssetError
from firstword.kokoro.assets.manifest import sha256_of

__all__ = ["BODY_OUTPUTS", "FRONT_OUTPUTS", "PARTS", "Part", "open_parts"]

_log = logging.getLogger(__name__)
_RECIPE: Final = 1
"""Raise it whenever this module makes other graphs of the same model."""

FRONT_OUTPUTS: Final = (
    "/encoder/Clip_output_0",  # frames of 25 ms a token lasts, [1, tokens]
    "/encoder/MatMul_1_output_0",  # text features of every frame, [1, 512, frames]
    "/encoder/Reshape_output_0",  # fundamental frequency, two a frame
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


@contextmanager
def open_parts(model: Path, cache: Path) -> Iterator[Mapping[str, Path]]:
    """Paths of the three parts, to be loaded before the block ends.

    They stand in the cache, or where that cannot be written in a temporary directory. Raises AssetError if the model
    is no Kokoro of a form known here.
    """
    kept = cache / "graphs" / f"{sha256_of(model)[:16]}-{_RECIPE}"
    if _whole(kept):
        yield _paths(kept)
        return
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=kept.parent, prefix=".cut-"))
    except OSError as error:
        _log.warning("cut graphs are not kept", extra={"error": error.strerror})
        made = Path(tempfile.mkdtemp(prefix="firstword-graphs-"))
        kept = made
    try:
        _cut(model, made)
        if kept != made:
            _move(made, kept)
        yield _paths(kept)
    except OSError as error:
        raise AssetError(
            f"The model's parts cannot be written ({error.strerror}).",
            hint="Set FIRSTWORD_ASSETS_CACHE_DIR to a directory with 100 MB of space.",
        ) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _paths(directory: Path) -> dict[str, Path]:
    return {name: directory / f"{name}.onnx" for name in PARTS}


def _whole(directory: Path) -> bool:
    """Whether the parts there are those that were written there."""
    try:
        digests = json.loads((directory / "digests.json").read_text())
        return all(sha256_of(path) == digests[name] for name, path in _paths(directory).items())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _move(made: Path, kept: Path) -> None:
    """Put them in place at once. Whoever else made the same in the meantime made the same."""
    shutil.rmtree(kept, ignore_errors=True)
    try:
        os.rename(made, kept)  # noqa: PTH104  # Path.rename would do the same; the point is that it is one call
    except OSError:
        if not _whole(kept):
            raise


def _cut(model: Path, into: Path) -> None:
    import onnx
    from google.protobuf.message import DecodeError
    from onnx.utils import Extractor

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
        onnx.save(extractor.extract_model(list(part.inputs), list(part.outputs)), str(into / f"{name}.onnx"))
    digests = {name: sha256_of(path) for name, path in _paths(into).items()}
    (into / "digests.json").write_text(json.dumps(digests))


def _rename(graph: Any, names: Mapping[str, str]) -> None:
    """Give inputs and outputs of other exports the names used here."""
    for item in (*graph.input, *graph.output):
        item.name = names.get(item.name, item.name)
    for node in graph.node:
        for index, name in enumerate(node.input):
            node.input[index] = names.get(name, name)
        for index, name in enumerate(node.output):
            node.output[index] = names.get(name, name)
