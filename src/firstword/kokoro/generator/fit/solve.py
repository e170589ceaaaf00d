"""Kernel ridge regression of the statistics on the features, by some of the utterances, cut to a low rank. Pure."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.features import STYLE_FEATURES
from firstword.kokoro.generator.layout import NORMS
from firstword.kokoro.generator.predictor import Predictor

__all__ = ["solve"]

type Doubles = NDArray[np.float64]
_FLOOR: Final = 1e-12
_FLAT: Final = 1e-6
_WEIGHTS: Final = np.repeat([1.0, 3.0, 2.0, 5.0, 8.0], [3 * 512, 22, 22, 3, STYLE_FEATURES])
"""Of the hidden channels, the harmonics' means and variances, the length and the style: the few would be outvoted."""
_WIDTH: Final = 4.0
"""Of the kernel, in median squared distances of two utterances: 8 is 2 % worse, and 16 5 %."""

_HEARD: Final = np.tile(
    np.concatenate([np.full(norm.channels, 0.2 if norm.block.startswith("noise") else 1.0) for norm in NORMS]), 2
)
"""Of means and variances: what is wrong with the blocks that see only the harmonics is hardly heard (`shares`)."""


def solve(
    features: NDArray[np.float32],
    inner_means: NDArray[np.float32],
    means: NDArray[np.float32],
    variances: NDArray[np.float32],
    *,
    ridge: float,
    rank: int,
    directions: int,
    points: int,
    model_sha256: str,
) -> Predictor:
    """Rows are utterances. `ridge` is the penalty, where an utterance is alike to itself by 1; `rank` the most that is
    kept of the fit, `directions` of the features, `points` the most utterances that others are compared with: all are
    fitted to.

    Means are fitted in units of their channel's deviation and variances by their logarithm, so that an error counts
    by what it does to the norm's output.
    """
    x = features.astype(np.float64)
    center = x.mean(axis=0).astype(np.float32)
    view = _view(x - center, directions).astype(np.float16).astype(np.float64)  # as it will be read
    seen = (x - center) @ view
    different = np.unique(seen.astype(np.float16), axis=0)  # as they will be read
    known = np.random.default_rng(0).permutation(different)[:points].astype(np.float64)
    width = _WIDTH * float(np.median(_distances(known, known)))
    deviations = np.sqrt(variances.astype(np.float64).mean(axis=0)) + 1e-9
    y = np.concatenate([(means - inner_means) / deviations, np.log(variances.astype(np.float64) + _FLOOR)], axis=1)
    base = y.mean(axis=0)
    alike, among = (1 / (1 + _distances(each, known) / width) for each in (seen, known))
    penalty = ridge * among + _FLAT * np.eye(len(known))
    weights = np.linalg.solve(alike.T @ alike + penalty, alike.T @ (y - base))
    down, up = _cut_to_rank(weights, alike, _HEARD, rank)
    return Predictor(
        model_sha256=model_sha256,
        center=center,
        view=view.astype(np.float32),
        points=known.astype(np.float32),
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


def _distances(some: Doubles, others: Doubles) -> Doubles:
    """Squared, of each of some to each of others."""
    squares = np.einsum("nf,nf->n", some, some)[:, None] + np.einsum("nf,nf->n", others, others)
    distances: Doubles = np.maximum(squares - 2 * some @ others.T, 0.0)
    return distances


def _cut_to_rank(weights: Doubles, alike: Doubles, heard: Doubles, rank: int) -> tuple[Doubles, Doubles]:
    """The two factors whose product gives the fitted rows best at this rank, columns weighed by what is heard."""
    root = np.linalg.cholesky(
        alike.T @ alike + _FLAT * np.eye(len(weights))
    ).T  # the same products of columns, fewer rows
    fitted = root @ (weights * heard)
    values, vectors = np.linalg.eigh(fitted @ fitted.T)
    kept = values > values.max() * 1e-10
    kept[: max(0, len(values) - rank)] = False
    return np.linalg.solve(root, vectors[:, kept]), vectors[:, kept].T @ fitted / heard
