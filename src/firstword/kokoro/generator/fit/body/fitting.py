"""Foretelling by kernel regression what the body's norms and the generator's find, from what the body is given.

The same regression as `solve`, but uncut: all directions, all utterances, full rank. For the trial of `ways`.
Pure.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.features import FEATURES, STYLE_FEATURES
from firstword.kokoro.generator.fit.body.spoken import BodyExample
from firstword.kokoro.generator.predictor import Statistics

__all__ = ["INPUT_WEIGHTS", "OUTPUT_WEIGHTS", "Foreteller", "Settings", "error", "fit", "input_features"]

type Doubles = NDArray[np.float64]
type Floats = NDArray[np.float32]

_FLOOR: Final = np.float32(1e-12)
_FLAT: Final = np.float32(1e-6)
_VOICED_HZ: Final = 10.0
_TENTHS: Final = np.linspace(0.05, 0.95, 10)
_CURVES: Final = 2 * (len(_TENTHS) + 2) + 1
_HARMONICS: Final = slice(3 * 512, 3 * 512 + 44)
"""Of the generator's features, which are the body's input too: they follow from the pitch."""
OUTPUT_WEIGHTS: Final = np.repeat([1.0, 3.0, 2.0, 5.0, 8.0], [3 * 512, 22, 22, 3, STYLE_FEATURES])
"""Of the generator's features, as `solve` has them."""
INPUT_WEIGHTS: Final = np.repeat([1.0, 3.0, 3.0, 2.0, 5.0, 8.0], [4 * 512, _CURVES, 22, 22, 3, STYLE_FEATURES])
"""Of `input_features`."""


def input_features(example: BodyExample) -> Floats:
    """What is known of an utterance before its body runs: time means of the text's channels, their squares, magnitudes
    and changes; tenths, mean and deviation of pitch and loudness, and how much is voiced; harmonics, length and style
    as the generator's predictor has them."""
    text = example.features[0].astype(np.float64)
    pitch, loudness = example.pitch.reshape(-1), example.loudness.reshape(-1)
    voiced = np.log(pitch[pitch > _VOICED_HZ]) if (pitch > _VOICED_HZ).any() else np.zeros(1)
    return np.concatenate(
        [
            text.mean(axis=1),
            np.square(text).mean(axis=1),
            np.abs(text).mean(axis=1),
            np.abs(np.diff(text, axis=1)).mean(axis=1),
            *([*np.quantile(curve, _TENTHS), curve.mean(), curve.std()] for curve in (voiced, loudness)),
            [np.mean(pitch > _VOICED_HZ)],
            example.pooled[_HARMONICS],
            example.pooled[FEATURES - STYLE_FEATURES - 3 :],
        ]
    ).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """`width` of the kernel in median squared distances, and `ridge`, as `solve` has them."""

    width: float = 4.0
    ridge: float = 0.001


@dataclass(frozen=True, kw_only=True)
class Foreteller:
    """What `fit` found. Means are foretold in units of `deviations`, less what is known of them; variances by their
    logarithm."""

    center: Floats
    scale: Floats
    points: Floats
    width: float
    weights: Floats
    base: Floats
    deviations: Floats

    def foretell(self, features: Floats, known_means: Floats) -> Statistics:
        """Of one utterance, or of several, one a row."""
        seen = np.atleast_2d((features - self.center) * self.scale)
        values = 1 / (1 + _distances(seen, self.points) / self.width) @ self.weights + self.base
        means, logarithms = np.split(values.reshape(*known_means.shape[:-1], -1), 2, axis=-1)
        return Statistics(
            means=(known_means + means * self.deviations).astype(np.float32),
            variances=np.exp(logarithms).astype(np.float32),
        )


def fit(features: Floats, known_means: Floats, true: Statistics, weights: Doubles, settings: Settings) -> Foreteller:
    """Rows are utterances, in `true` too; `weights` say how much each of the features counts."""
    center, spread = features.mean(axis=0), features.std(axis=0)
    scale = np.where(spread > _FLAT, weights / np.maximum(spread, _FLAT), 0.0).astype(np.float32)
    points = (features - center) * scale
    distances = _distances(points, points)
    width = settings.width * float(np.median(distances))
    deviations = np.sqrt(true.variances.mean(axis=0)) + np.float32(1e-9)
    y = np.concatenate([(true.means - known_means) / deviations, np.log(true.variances + _FLOOR)], axis=1)
    base = y.mean(axis=0, dtype=np.float32)
    alike = 1 / (1 + distances / width) + settings.ridge * np.eye(len(points))
    solved = np.linalg.solve(alike, y - base).astype(np.float32)
    return Foreteller(
        center=center, scale=scale, points=points, width=width, weights=solved, base=base, deviations=deviations
    )


def error(foretold: Statistics, true: Statistics) -> float:
    """By what it does to the norms' output: mean squared error of means in deviations and of half the log variances."""
    means = (foretold.means - true.means) / np.sqrt(true.variances + _FLOOR)
    logarithms = 0.5 * np.log((foretold.variances + _FLOOR) / (true.variances + _FLOOR))
    return float(np.mean(np.square(means)) + np.mean(np.square(logarithms)))


def _distances(some: Floats, others: Floats) -> Doubles:
    """Squared, of each of some to each of others."""
    squares = np.einsum("nf,nf->n", some, some)[:, None] + np.einsum("nf,nf->n", others, others)
    distances: Doubles = np.maximum(squares - 2 * some @ others.T, 0.0).astype(np.float64)
    return distances
