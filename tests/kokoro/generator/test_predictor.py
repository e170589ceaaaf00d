"""The predictor: it finds a linear law, keeps to its rank, survives its file, and is refused for another model."""

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.features import FEATURES, features
from firstword.kokoro.generator.fit.solve import solve
from firstword.kokoro.generator.layout import CHANNELS
from firstword.kokoro.generator.predictor import Predictor, load_predictor, predictor_for
from firstword.kokoro.source import Source

_INNER = np.linspace(-1, 1, CHANNELS, dtype=np.float32)


def made_of_a_law(rows: int, rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, and means and variances that follow from `rank` hidden directions of them."""
    random = np.random.default_rng(7)
    hidden = random.normal(size=(rows, rank))
    x = hidden @ random.normal(size=(rank, FEATURES)) + 5.0
    means = hidden @ random.normal(size=(rank, CHANNELS))
    variances = np.exp(0.3 * hidden @ random.normal(size=(rank, CHANNELS)))
    return x.astype(np.float32), means.astype(np.float32), variances.astype(np.float32)


@pytest.fixture(scope="module")
def fitted() -> tuple[Predictor, np.ndarray, np.ndarray, np.ndarray]:
    x, means, variances = made_of_a_law(210, 4)
    inner = np.tile(_INNER, (200, 1))
    predictor = solve(
        x[:200],
        inner,
        means[:200] + inner,
        variances[:200],
        ridge=1e-6,
        rank=8,
        directions=64,
        points=200,
        model_sha256="abc",
    )
    return predictor, x, means + _INNER, variances


def test_a_linear_law_is_found_and_holds_for_what_was_not_fitted(
    fitted: tuple[Predictor, np.ndarray, np.ndarray, np.ndarray],
) -> None:
    predictor, x, means, variances = fitted
    for row in range(200, 210):
        foretold = predictor.predict(x[row], _INNER)
        assert np.abs(foretold.means - means[row]).max() < 0.05 * np.abs(means).max()
        assert np.abs(np.log(foretold.variances / variances[row])).max() < 0.1


def test_no_more_is_kept_than_the_rank_asked_for() -> None:
    x, means, variances = made_of_a_law(30, 6)
    predictor = solve(
        x, np.zeros_like(means), means, variances, ridge=1e-3, rank=3, directions=20, points=25, model_sha256="abc"
    )
    assert predictor.view.shape == (FEATURES, 20)
    assert predictor.points.shape == (25, 20)
    assert predictor.down.shape == (25, 3)
    assert predictor.up.shape == (3, 2 * CHANNELS)


def test_a_predictor_survives_its_file(
    fitted: tuple[Predictor, np.ndarray, np.ndarray, np.ndarray], tmp_path: Path
) -> None:
    predictor, x, *_ = fitted
    predictor.save(tmp_path / "p.npz")
    again = load_predictor(tmp_path / "p.npz")
    assert again.model_sha256 == "abc"
    assert np.allclose(again.predict(x[0], _INNER).means, predictor.predict(x[0], _INNER).means, atol=0.02)


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 half a file"])
def test_a_damaged_file_is_named(damage: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.npz").write_bytes(damage)
    with pytest.raises(AssetCorrupt, match=r"p\.npz"):
        load_predictor(tmp_path / "p.npz")


def test_a_predictor_of_another_shape_is_refused(
    fitted: tuple[Predictor, np.ndarray, np.ndarray, np.ndarray], tmp_path: Path
) -> None:
    predictor = fitted[0]
    other = replace(predictor, down=predictor.down[:-1])
    other.save(tmp_path / "p.npz")
    with pytest.raises(AssetCorrupt, match="another shape"):
        load_predictor(tmp_path / "p.npz")


def test_the_one_we_bring_was_fitted_on_the_model_we_bring() -> None:
    pinned = json.loads(files("firstword.kokoro.assets").joinpath("packages.json").read_text(encoding="utf-8"))
    digest = pinned["files"]["model.onnx"]["sha256"]
    predictor = predictor_for(digest)
    assert predictor is not None
    assert predictor.model_sha256 == digest


def test_the_one_we_bring_is_no_larger_than_it_may_be() -> None:
    assert len(files("firstword.kokoro.generator").joinpath("predictor.npz").read_bytes()) <= 20_000_000


def test_there_is_none_for_a_model_it_was_not_fitted_on() -> None:
    assert predictor_for("0" * 64) is None


def test_features_have_one_length_for_every_utterance_and_know_it() -> None:
    def of(steps: int) -> np.ndarray:
        source = Source(
            hidden=np.ones((1, 512, steps), np.float32), harmonics=np.zeros((1, 22, 60 * steps + 1), np.float32)
        )
        return features(source, np.zeros((1, 256), np.float32))

    assert of(80).shape == of(400).shape == (FEATURES,)
    assert not np.array_equal(of(80), of(400))
    assert np.isfinite(of(80)).all()
