"""The generator by every library and in every form: on the real weights, one sentence."""

from pathlib import Path

import onnx
import pytest

from firstword.bench import generators
from firstword.config import AssetSettings
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL
from firstword.kokoro.generator.forms import FIRST_STAGE, RESIDUAL_BLOCKS, layers_of
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.window_graph import write_window_graph

pytestmark = [pytest.mark.model, pytest.mark.slow]


def test_forms_differ_by_their_arithmetic_alone() -> None:
    told: list[str] = []
    measured = generators.run(1, 1, told.append)
    ways = {way.name: way for way in measured.ways}
    snr_db = {name: way.figures["snr_db_median"] for name, way in ways.items() if way.figures is not None}
    assert [name for name, way in ways.items() if way.like is None] == [generators.WHOLE, generators.WINDOWS]
    assert ways[generators.OWN_INT8].like == generators.WHOLE
    assert 10 < snr_db[generators.OWN_INT8] < 30
    assert snr_db["onnxruntime: float32, nothing rewritten"] > 90
    first, both = (
        snr_db[f"onnxruntime: static int8, blocks of {stages}"] for stages in ("the first stage", "both stages")
    )
    assert 15 < both < first < 40
    assert all(way.first_part_ms.n == 1 for way in measured.ways)
    assert all(name.startswith("openvino") for name in measured.absent)
    assert told


def test_static_int8_takes_every_convolution_of_the_blocks_it_is_told(tmp_path: Path) -> None:
    window = tmp_path / "window.onnx"
    write_window_graph(Weights(open_store(AssetSettings.load()).ensure() / MODEL), window)
    model = onnx.load(str(window))
    first, both = (layers_of(model, blocks) for blocks in (FIRST_STAGE, RESIDUAL_BLOCKS))
    assert [len(first), len(both)] == [18, 36]  # three blocks a stage, six convolutions a block
    assert {node.name for node in first} < {node.name for node in both}
