"""Foretells the norms' statistics of an utterance from its pooled generator input, so that decoding need not wait.

Kernel ridge regression of reduced rank: what the utterances that were fitted had, the more of each the more this one
is like it. Fitted on one model file and of no use for another: the file carries that model's SHA-256. How it was
fitted and how well: docs/benchmarks/predictor.md.
"""

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.features import FEATURES
from firstword.kokoro.generator.layout import CHANNELS
from firstword.kokoro.generator.product import applied, times

__all__ = ["Predictor", "Statistics", "load_predictor", "predictor_for"]

type Floats = NDArray[np.float32]
_RESOURCE: Final = "predictor.npz"
_RUN: Final = 128


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """Mean and variance of every channel of every norm, [CHANNELS] each."""

    means: Floats
    variances: Floats


@dataclass(frozen=True, kw_only=True)
class Predictor:
    """`model_sha256` names the model it was fitted on.

    Features less `center` go through `view` [FEATURES, directions] and are compared with `points` [utterances,
    directions]: 1 / (1 + distance squared over `width`). That goes through `down` [utterances, rank] and `up` [rank,
    2 x CHANNELS]; plus `base`, that is means (less the inner means) in units of `deviations`, and log variances.
    """

    model_sha256: str
    center: Floats
    view: Floats
    points: Floats
    width: Floats
    down: Floats
    up: Floats
    base: Floats
    deviations: Floats

    def predict(self, features: Floats, inner_means: Floats) -> Statistics:
        """`inner_means` is what the style alone tells of the means; the rest of them is foretold."""
        x = applied(features - self.center, self.view)
        distances = self._norms + x @ x - 2 * times(self.points, x)
        alike = (1 / (1 + distances / self.width)).astype(np.float32)
        values = applied(applied(alike, self.down), self.up) + self.base
        means = (values[:CHANNELS] * self.deviations + inner_means).astype(np.float32)
        variances = np.exp(np.clip(values[CHANNELS:], -30.0, 30.0)).astype(np.float32)
        return Statistics(means=means, variances=variances)

    @cached_property
    def _norms(self) -> Floats:
        norms: Floats = np.einsum("nf,nf->n", self.points, self.points)
        return norms

    def save(self, path: Path) -> None:
        """`up`, the largest, as int8; other large matrices as float16: errors far below those of the prediction."""
        codes, steps = _coded(self.up)
        small = {name: getattr(self, name).astype(np.float16) for name in ("view", "points")}
        exact = {name: getattr(self, name) for name in ("center", "width", "down", "base", "deviations")}
        model = np.array(self.model_sha256)
        np.savez_compressed(path, model_sha256=model, up_codes=codes, up_steps=steps, **small, **exact)


def _coded(values: Floats) -> tuple[NDArray[np.int8], Floats]:
    """[n, m] in steps of its own for every run of `_RUN` columns."""
    runs = values.reshape(len(values), -1, _RUN)
    steps = np.maximum(np.abs(runs).max(axis=2, keepdims=True) / 127, np.float32(1e-30))
    return np.rint(runs / steps).astype(np.int8), steps


def _decoded(codes: Floats, steps: Floats) -> Floats:
    return (codes * steps).reshape(len(codes), -1)


def predictor_for(model_sha256: str) -> Predictor | None:
    """The one that comes with firstword, if it was fitted on this model. Raises AssetCorrupt if it is damaged."""
    with as_file(files("firstword.kokoro.generator").joinpath(_RESOURCE)) as path:
        predictor = load_predictor(path)
    return predictor if predictor.model_sha256 == model_sha256 else None


def load_predictor(path: Path) -> Predictor:
    """Raises AssetCorrupt if this is no predictor, or one for other features or another generator."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            values = {name: stored[name].astype(np.float32) for name in stored.files if name != "model_sha256"}
            up = _decoded(values.pop("up_codes"), values.pop("up_steps"))
            predictor = Predictor(model_sha256=str(stored["model_sha256"]), up=up, **values)
        (utterances, rank), (_, directions) = predictor.down.shape, predictor.view.shape
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError) as error:
        raise AssetCorrupt(f"{path.name} is no predictor.", hint="Reinstall firstword.") from error
    shapes = predictor.view.shape, predictor.points.shape, predictor.up.shape
    if shapes != ((FEATURES, directions), (utterances, directions), (rank, 2 * CHANNELS)):
        raise AssetCorrupt(f"{path.name} is a predictor of another shape.", hint="Reinstall firstword.")
    return predictor
