"""Kernel ridge regression of the statistics on the features, cut to a low rank. Pure."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.features import STYLE_FEATURES
from firstword.kokoro.generator.predictor import Predictor

__all__ = ["solve"]

type Doubles = NDArray[np.float64]
_FLOOR: Final = 1e-12
_STYLE_WEIGHT: Final = 8.0
"""The style says more than any pooled feature: measured best of 1, 3, 5, 8, 10 and 12 by cross-validation."""
_WIDTH: Final = 4.0
"""Of the kernel, in median squared distances of two utterances: 3 to 5 were as good, and a line 20 % worse."""


def solve(
    features: NDArray[np.float32],
    inner_means: NDArray[np.float32],
    means: NDArray[np.float32],
    variances: NDArray[np.float32],
    *,
    ridge: float,
    rank: int,
    model_sha256: str,
) -> Predictor:
    """Rows are utterances. `ridge` is the penalty, where an utterance is alike to itself by 1; `rank` the most that is
    kept of the fit.

    Means are fitted in units of their channel's deviation and variances by their logarithm, so that an error counts
    by what it does to the norm's output.
    """
    x = features.astype(np.float64)
    center, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    spread[-STYLE_FEATURES:] /= _STYLE_WEIGHT
    points = ((x - center) / spread).astype(np.float16).astype(np.float64)  # as they will be read
    deviations = np.sqrt(variances.astype(np.float64).mean(axis=0)) + 1e-9
    y = np.concatenate([(means - inner_means) / deviations, np.log(variances.astype(np.float64) + _FLOOR)], axis=1)
    base = y.mean(axis=0)
    alike, width = _alike(points)
    penalty = ridge * np.eye(len(points))
    down, up = _cut_to_rank(np.linalg.solve(alike + penalty, y - base), alike, rank)
    return Predictor(
        model_sha256=model_sha256,
        center=center.astype(np.float32),
        spread=spread.astype(np.float32),
        points=points.astype(np.float32),
        width=np.asarray(width, dtype=np.float32),
        down=down.astype(np.float32),
        up=up.astype(np.float32),
        base=base.astype(np.float32),
        deviations=deviations.astype(np.float32),
    )


def _alike(points: Doubles) -> tuple[Doubles, float]:
    """How alike each two are, 1 for the same, and the width that was taken for it."""
    products = points @ points.T
    norms = np.diag(products)
    distances = np.maximum(norms[:, None] + norms[None] - 2 * products, 0.0)
    width = _WIDTH * float(np.median(distances))
    return np.exp(-distances / width), width


def _cut_to_rank(weights: Doubles, alike: Doubles, rank: int) -> tuple[Doubles, Doubles]:
    """The two factors whose product gives the fitted rows best at this rank."""
    fitted = alike @ weights
    values, vectors = np.linalg.eigh(fitted @ fitted.T)  # as many as there are rows, far fewer than columns
    kept = values > values.max() * 1e-10
    kept[: max(0, len(values) - rank)] = False
    up = (vectors[:, kept] / np.sqrt(values[kept])).T @ fitted
    return weights @ up.T, up
