"""The rebuilt harmonic source says what the export's own says, on the real weights."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper
from onnx.utils import Extractor

from firstword.kokoro.assets.manifest import MODEL
from firstword.kokoro.generator.features import features
from firstword.kokoro.graphs import BODY_OUTPUTS, PARTS
from firstword.kokoro.harmonics import rebuild_harmonics
from firstword.kokoro.inference import Inference
from firstword.kokoro.source import Source
from firstword.kokoro.synthesizer import CancelToken

_PITCH = "/encoder/Reshape_output_0"


@pytest.fixture(scope="module")
def bodies(real_assets: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Inference, Inference]:
    """The body as it is exported, and with the source rebuilt."""
    directory = tmp_path_factory.mktemp("bodies")
    part = PARTS["body"]
    exported = Extractor(onnx.load(str(real_assets / MODEL))).extract_model(list(part.inputs), list(part.outputs))
    onnx.save(exported, str(directory / "exported.onnx"))
    onnx.save(rebuild_harmonics(exported, _PITCH, BODY_OUTPUTS[1]), str(directory / "rebuilt.onnx"))
    return Inference(directory / "exported.onnx", threads=1), Inference(directory / "rebuilt.onnx", threads=1)


def sources(bodies: tuple[Inference, Inference], pitch: NDArray[np.float32]) -> list[Source]:
    """What both make of a voice of this pitch, in Hz, two values a frame."""
    rng = np.random.default_rng(1)
    frames = len(pitch) // 2
    names = PARTS["body"].inputs
    feeds = {
        names[0]: rng.standard_normal((1, 512, frames), dtype=np.float32),
        _PITCH: pitch.reshape(1, -1),
        names[2]: np.full((1, len(pitch)), 1.0, dtype=np.float32),
        "style": rng.standard_normal((1, 256), dtype=np.float32) * np.float32(0.1),
    }
    return [
        Source(hidden=hidden, harmonics=harmonics)
        for hidden, harmonics in (body.run(BODY_OUTPUTS, feeds, CancelToken()) for body in bodies)
    ]


@pytest.mark.model
def test_the_rebuilt_source_is_the_exported_one_but_for_rounding(bodies: tuple[Inference, Inference]) -> None:
    glide = np.linspace(90, 310, 160, dtype=np.float32)
    voiced = np.repeat([0, 1, 1, 0, 1], 32).astype(np.float32)
    exported, rebuilt = sources(bodies, glide * voiced)
    assert np.array_equal(exported.hidden, rebuilt.hidden)
    assert exported.harmonics.shape == rebuilt.harmonics.shape
    magnitudes = exported.harmonics[0, :11], rebuilt.harmonics[0, :11]
    assert np.abs(magnitudes[0] - magnitudes[1]).max() < 1e-4
    turned = np.abs(exported.harmonics[0, 11:] - rebuilt.harmonics[0, 11:])
    assert np.mean(np.minimum(turned, 2 * np.pi - turned) > 0.1) < 0.01
    assert np.mean(turned > np.pi) < 0.01  # pi for -pi is the same angle, yet not the same input


@pytest.mark.model
def test_silence_is_bit_for_bit_the_same(bodies: tuple[Inference, Inference]) -> None:
    exported, rebuilt = sources(bodies, np.zeros(64, dtype=np.float32))
    inner = slice(4, -4)  # the ends are mirrored, which the sums may order otherwise
    assert np.array_equal(exported.harmonics[..., inner], rebuilt.harmonics[..., inner])
    assert np.isfinite(rebuilt.harmonics).all()


@pytest.mark.model
def test_the_predictor_sees_the_same(bodies: tuple[Inference, Inference]) -> None:
    pitch = 180 + 60 * np.sin(np.arange(240, dtype=np.float32) / 9)
    pitch[100:140] = 0
    style = np.zeros((1, 256), dtype=np.float32)
    first, second = (features(source, style) for source in sources(bodies, pitch))
    assert np.abs(first - second).max() < 0.06


def test_a_graph_of_another_export_is_left_as_it_is() -> None:
    node = helper.make_node("Identity", ["pitch"], ["harmonics"])
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2]) for name in ("pitch", "harmonics")]
    model = helper.make_model(helper.make_graph([node], "other", value[:1], value[1:]))
    assert rebuild_harmonics(model, "pitch", "harmonics") is model
    assert [item.op_type for item in model.graph.node] == ["Identity"]
