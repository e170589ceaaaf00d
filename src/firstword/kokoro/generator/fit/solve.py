"""Kernel ridge regression of the statistics on the features, cut to a low rank. Pure."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.features import STYLE_FEATURES
from firstword.kokoro.generator.predictor import Predictor

__all__ = ["solve"]

type Doubles = NDArray[np.float64]
_FLOOR: Final = 1e-12
_FLAT: Final = 1e-6
_WEIGHTS: Final = np.repeat([1.0, 3.0, 2.0, 5.0, 8.0], [3 * 512, 22, 22, 3, STYLE_FEATURES])
"""Of the hidden channels, the harmonics' means and variances, the length and the style: the few would be outvoted."""
_WIDTH: Final = 8.0
"""Of the kernel, in median squared distances of two utterances: 4 is as good, and 16 is 4 % worse."""


def solve(
    features: NDArray[np.float32],
    inner_means: NDArray[np.float32],
    means: NDArray[np.float32],
    variances: NDArray[np.float32],
    *,
    ridge: float,
    rank: int,
    directions: int,
    model_sha256: str,
) -> Predictor:
    """Rows are utterances. `ridge` is the penalty, where an utterance is alike to itself by 1; `rank` the most that is
    kept of the fit, `directions` of the features.

    Means are fitted in units of their channel's deviation and variances by their logarithm, so that an error counts
    by what it does to the norm's output.
    """
    x = features.astype(np.float64)
    center = x.mean(axis=0).astype(np.float32)
    view = _view(x - center, directions).astype(np.float16).astype(np.float64)  # both as they will be read
    points = ((x - center) @ view).astype(np.float16).astype(np.float64)
    deviations = np.sqrt(variances.astype(np.float64).mean(axis=0)) + 1e-9
    y = np.concatenate([(means - inner_means) / deviations, np.log(variances.astype(np.float64) + _FLOOR)], axis=1)
    base = y.mean(axis=0)
    alike, width = _alike(points)
    penalty = ridge * np.eye(len(points))
    down, up = _cut_to_rank(np.linalg.solve(alike + penalty, y - base), alike, rank)
    return Predictor(
        model_sha256=model_sha256,
        center=center,
        view=view.astype(np.float32),
        points=points.astype(np.float32),
        width=np.asarray(width, dtype=np.float32),
        down=down.astype(np.float32),
        up=up.astype(np.float32),
        base=base.astype(np.float32),
        deviations=deviations.astype(np.float32),
    )


def _view(x: Doubles, directions: int) -> Doubles:
    """The directions in which weighted features differ most."""
    spread = x.std(axis=0)
    scale = np.where(spread > _FLAT, _WEIGHTS / np.maximum(spread, _FLAT), 0.0)
    _, vectors = np.linalg.eigh((x * scale).T @ (x * scale))
    view: Doubles = scale[:, None] * vectors[:, -directions:]
    return view


def _alike(points: Doubles) -> tuple[Doubles, float]:
    """How alike each two are, 1 for the same, and the width that was taken for it."""
    products = points @ points.T
    norms = np.diag(products)
    distances = np.maximum(norms[:, None] + norms[None] - 2 * products, 0.0)
    width = _WIDTH * float(np.median(distances))
    return 1 / (1 + distances / width), width


def _cut_to_rank(weights: Doubles, alike: Doubles, rank: int) -> tuple[Doubles, Doubles]:
    """The two factors whose product gives the fitted rows best at this rank."""
    fitted = alike @ weights
    values, vectors = np.linalg.eigh(fitted @ fitted.T)  # as many as there are rows, far fewer than columns
    kept = values > values.max() * 1e-10
    kept[: max(0, len(values) - rank)] = False
    up = (vectors[:, kept] / np.sqrt(values[kept])).T @ fitted
    return weights @ up.T, up
