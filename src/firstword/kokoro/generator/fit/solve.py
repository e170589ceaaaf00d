"""Ridge regression of the statistics on the features, cut to a low rank. Pure."""

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
    """Rows are utterances. `ridge` is a share of the mean diagonal of the features' product; `rank` the most that is
    kept of the fit.

    Means are fitted in units of their channel's deviation and variances by their logarithm, so that an error counts
    by what it does to the norm's output.
    """
    x = features.astype(np.float64)
    center, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    spread[-STYLE_FEATURES:] /= _STYLE_WEIGHT
    x = (x - center) / spread
    deviations = np.sqrt(variances.astype(np.float64).mean(axis=0)) + 1e-9
    y = np.concatenate([(means - inner_means) / deviations, np.log(variances.astype(np.float64) + _FLOOR)], axis=1)
    base = y.mean(axis=0)
    products = x @ x.T
    penalty = ridge * np.trace(products) / len(products)
    weights = x.T @ np.linalg.solve(products + penalty * np.eye(len(products)), y - base)
    down, up = _cut_to_rank(weights, x, rank)
    return Predictor(
        model_sha256=model_sha256,
        center=center.astype(np.float32),
        spread=spread.astype(np.float32),
        down=down.astype(np.float32),
        up=up.astype(np.float32),
        base=base.astype(np.float32),
        deviations=deviations.astype(np.float32),
    )


def _cut_to_rank(weights: Doubles, x: Doubles, rank: int) -> tuple[Doubles, Doubles]:
    """The two factors whose product gives the fitted rows best at this rank."""
    fitted = x @ weights
    values, vectors = np.linalg.eigh(fitted @ fitted.T)  # as many as there are rows, far fewer than columns
    kept = values > values.max() * 1e-10
    kept[: max(0, len(values) - rank)] = False
    up = (vectors[:, kept] / np.sqrt(values[kept])).T @ fitted
    return weights @ up.T, up
