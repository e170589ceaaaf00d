"""Windows partly in int8, on the real weights: the convolutions that were meant, and the same speech."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL, sha256_of
from firstword.kokoro.generator.int8_graph import Int8WindowGraph
from firstword.kokoro.generator.ranges import FIRST_STAGE, Range, ranges_for
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.window_graph import write_window_graph
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions

pytestmark = pytest.mark.model

TEXT = "A small boat drifted past the old stone bridge."


@pytest.fixture(scope="module")
def weights() -> Path:
    return open_store(AssetSettings.load()).ensure() / MODEL


def graph_of(weights: Path, into: Path, ranges: Mapping[str, Range]) -> Any:
    write_window_graph(Weights(weights), into / "window.onnx", partial(Int8WindowGraph, ranges=ranges))
    return onnx.load(str(into / "window.onnx")).graph


def test_the_convolutions_after_the_named_norms_are_in_int8_and_no_others(weights: Path, tmp_path: Path) -> None:
    ranges = ranges_for(sha256_of(weights))
    assert ranges is not None
    few = {norm.name: ranges[norm.name] for norm in FIRST_STAGE[:5]}
    for named, count in ((few, 5), (ranges, 18)):
        graph = graph_of(weights, tmp_path, named)
        made_by = {name: node for node in graph.node for name in node.output}
        in_int8 = [
            node
            for node in graph.node
            if node.op_type == "Conv"
            and all(made_by[name].op_type == "DequantizeLinear" for name in node.input if name in made_by)
            and node.input[1] in made_by
        ]
        assert len(in_int8) == count
        assert Counter(node.op_type for node in graph.node)["QuantizeLinear"] == 2 * count


def test_weights_have_seven_bits_and_nought_is_a_step_of_every_activation(weights: Path, tmp_path: Path) -> None:
    ranges = ranges_for(sha256_of(weights))
    assert ranges is not None
    graph = graph_of(weights, tmp_path, ranges)
    values = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    rounded = [value for value in values.values() if value.dtype == np.int8 and value.ndim == 4]
    assert len(rounded) == 18
    assert all(np.abs(value.astype(int)).max(axis=(1, 2, 3)).tolist() == [63] * len(value) for value in rounded)
    for node in graph.node:
        if node.op_type == "QuantizeLinear":
            scale, zero = values[node.input[1]], values[node.input[2]]
            assert scale > 0
            assert zero.dtype == np.uint8


def test_it_speaks_as_in_float32_but_for_its_rounding_and_the_same_every_time() -> None:
    said = {}
    for windows in ("float32", "int8"):
        settings = VoiceSettings(decode="streamed", backend="onnxruntime", windows=windows, tuned=False)
        voice = KokoroVoice(settings, AssetSettings.load())
        assert voice.runs_on().windows == windows
        said[windows] = [_pcm(voice) for _ in range(2)]
    for first, second in said.values():
        assert first == second
    wanted, got = (np.frombuffer(said[windows][0], "<i2").astype(float) for windows in ("float32", "int8"))
    assert 20 < 10 * np.log10(np.sum(wanted**2) / np.sum((wanted - got) ** 2)) < 60


def test_for_a_model_whose_ranges_are_not_known_windows_are_in_float32(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("firstword.kokoro.model.ranges_for", lambda model: None)
    said = []
    for windows in ("float32", "int8"):
        settings = VoiceSettings(decode="streamed", backend="onnxruntime", windows=windows, tuned=False)
        said.append(_pcm(KokoroVoice(settings, AssetSettings.load())))
    assert said[0] == said[1]
    assert any("no ranges for this model" in record.message for record in caplog.records)


def _pcm(voice: KokoroVoice) -> bytes:
    (piece,) = voice.plan(TEXT, VoiceOptions())
    decoding, pcm = voice.begin(piece, CancelToken()), b""
    while (step := decoding.step()) is not None:
        pcm += step
    return pcm
