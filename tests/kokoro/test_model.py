"""The model loaded: what is foretold for one file is of no use for another, which is decoded whole and says so."""

import logging
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from firstword.kokoro.assets.manifest import MODEL, sha256_of
from firstword.kokoro.backends import open_backend
from firstword.kokoro.generator.windowed import WindowedGenerator
from firstword.kokoro.inference import thread_count
from firstword.kokoro.model import Model
from firstword.kokoro.styles import Styles
from firstword.kokoro.synthesizer import CancelToken
from firstword.kokoro.voices import parse_voice

pytestmark = pytest.mark.model

_TOKENS = tuple(range(43, 83))
"""As many sounds as a sentence has."""


@pytest.fixture(scope="module")
def other(real_assets: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real weights in a file that nothing was fitted on, as another export of them is."""
    model = onnx.load(str(real_assets / MODEL))
    model.doc_string = "another"
    path = tmp_path_factory.mktemp("other") / MODEL
    onnx.save(model, str(path))
    return path


@pytest.fixture(scope="module")
def style(real_assets: Path) -> NDArray[np.float32]:
    return Styles(real_assets).row(parse_voice("af_heart"), len(_TOKENS))


@pytest.fixture(scope="module")
def wanted(real_assets: Path, other: Path, style: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the file that comes with firstword says where it is decoded whole."""
    (samples,) = _speak(_open(real_assets / MODEL, other.parent, "full"), style)
    return samples


@pytest.mark.parametrize(("decode", "warnings"), [("auto", 1), ("streamed", 1), ("full", 0)])
def test_a_model_file_without_a_predictor_is_decoded_whole_and_says_so_unless_that_was_wanted(
    other: Path,
    style: NDArray[np.float32],
    wanted: NDArray[np.float32],
    caplog: pytest.LogCaptureFixture,
    decode: str,
    warnings: int,
) -> None:
    with caplog.at_level(logging.WARNING):
        model = _open(other, other.parent, decode)
    said = [(record.getMessage(), vars(record)["model"]) for record in caplog.records]
    assert said == [("no predictor for this model, sentences are decoded whole", sha256_of(other)[:16])] * warnings
    assert not isinstance(model.generator, WindowedGenerator)
    (samples,) = _speak(model, style)
    assert np.array_equal(samples, wanted)


def _open(path: Path, cache: Path, decode: str) -> Model:
    return Model(path, cache, backend=open_backend("onnxruntime", thread_count(0)), decode=decode)


def _speak(model: Model, style: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """In the parts it comes in."""
    cancel = CancelToken()
    prosody = model.front(_TOKENS, style, 1.0, cancel)
    source = model.body(prosody, style, cancel)
    return list(model.generator.stretches(source, style, (0, prosody.steps), cancel))
