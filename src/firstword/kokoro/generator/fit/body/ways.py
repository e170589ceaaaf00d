"""The body in windows, from foretold statistics of its norms, against the body run whole: fidelity, by decoding.

Every way is decoded for the same utterances by the same float32 graphs. Where the body is windowed its output is not
there yet when the generator's statistics are foretold, so that they have to be foretold from the body's input.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.fit.body.fitting import (
    INPUT_WEIGHTS,
    OUTPUT_WEIGHTS,
    Foreteller,
    Settings,
    error,
    fit,
    input_features,
)
from firstword.kokoro.generator.fit.body.means import known_channels
from firstword.kokoro.generator.fit.body.spoken import Body, BodyExample, Spoken, collect_body
from firstword.kokoro.generator.names import SCALE, SHIFT
from firstword.kokoro.generator.predictor import Statistics
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.window_graph import write_window_graph
from firstword.kokoro.generator.windowed import Affine
from firstword.kokoro.generator.windows import windows
from firstword.kokoro.inference import Load, Runnable
from firstword.kokoro.source import SAMPLES_PER_STEP, Source
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["BODY_WAYS", "SWITCH_WINDOWS", "BodyWays", "Decoded", "Foretellers", "fit_all"]

type Floats = NDArray[np.float32]

_WHOLE, _TRUE, _NORMS, _BOTH, _SWITCHED = BODY_WAYS = (
    "body whole, generator foretold from its output",
    "body windowed by its true norms, generator foretold from the body's input",
    "body windowed by foretold norms, generator foretold from the whole body's output",
    "body windowed by foretold norms, generator foretold from the body's input",
    "as that for two windows, then body whole and generator foretold from its output",
)
SWITCH_WINDOWS: Final = 2
_TRIED: Final = tuple(
    Settings(width=width, ridge=ridge) for width in (2.0, 4.0, 8.0, 16.0) for ridge in (1e-4, 1e-3, 1e-2)
)
_SPARED_EVERY: Final = 5


@dataclass(frozen=True, kw_only=True)
class Foretellers:
    """`generator` by the body's output, `body` and `early` (the generator) by the body's input."""

    generator: Foreteller
    body: Foreteller
    early: Foreteller


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What is foretold by what; rows are utterances, in `true` too."""

    features: Floats
    known_means: Floats
    true: Statistics
    weights: NDArray[np.float64]

    def of(self, rows: NDArray[np.bool_]) -> "_Task":
        true = Statistics(means=self.true.means[rows], variances=self.true.variances[rows])
        return replace(self, features=self.features[rows], known_means=self.known_means[rows], true=true)

    def fit(self, settings: Settings) -> Foreteller:
        return fit(self.features, self.known_means, self.true, self.weights, settings)

    def error(self, foreteller: Foreteller) -> float:
        return error(foreteller.foretell(self.features, self.known_means), self.true)


def _tasks(body: Body, examples: Sequence[BodyExample]) -> Mapping[str, _Task]:
    before = np.stack([input_features(each) for each in examples])
    after = np.stack([each.pooled for each in examples])
    inner = np.stack([each.inner_means for each in examples])
    inner_body = np.stack([body.inner_means(each.style, each.body.means) for each in examples])
    of_generator, of_body = (_stacked(of) for of in ([e.generator for e in examples], [e.body for e in examples]))
    return {
        "generator": _Task(features=after, known_means=inner, true=of_generator, weights=OUTPUT_WEIGHTS),
        "body": _Task(features=before, known_means=inner_body, true=of_body, weights=INPUT_WEIGHTS),
        "early": _Task(features=before, known_means=inner, true=of_generator, weights=INPUT_WEIGHTS),
    }


def _stacked(statistics: Sequence[Statistics]) -> Statistics:
    means, variances = zip(*((each.means, each.variances) for each in statistics), strict=True)
    return Statistics(means=np.stack(means), variances=np.stack(variances))


def fit_all(body: Body, examples: Sequence[BodyExample]) -> tuple[Foretellers, Mapping[str, tuple[Settings, float]]]:
    """Fitted to all; and by the name of what is fitted the settings it took, those with the least error over every
    fifth utterance when fitted to the others, and that error."""
    spared = np.arange(len(examples)) % _SPARED_EVERY == 0
    fitted, told = {}, {}
    for name, task in _tasks(body, examples).items():
        known, unknown = task.of(~spared), task.of(spared)
        errors = [unknown.error(known.fit(settings)) for settings in _TRIED]
        best = int(np.argmin(errors))
        fitted[name] = task.fit(_TRIED[best])
        told[name] = _TRIED[best], errors[best]
    return Foretellers(**fitted), told


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """The whole decode, and by each of `BODY_WAYS` the samples of the same steps; the errors of what was foretold."""

    whole: Floats
    ways: Mapping[str, Floats]
    errors: Mapping[str, float]


class BodyWays:
    """Writes the graph of the generator's windows into `home` and opens it by `load`."""

    def __init__(self, body: Body, foretellers: Foretellers, weights: Weights, home: Path, load: Load) -> None:
        self._body = body
        self._by = foretellers
        write_window_graph(weights, home / "window.onnx")
        self._window = load(home / "window.onnx")

    def decode(self, spoken: Spoken) -> Decoded:
        """The steps that are speech, by every way."""
        style, generator = spoken.style, spoken.generator
        true, hidden, samples = collect_body(self._body, spoken)
        whole = Source(hidden=hidden, harmonics=spoken.harmonics)
        before = input_features(true)
        late = self._by.generator.foretell(true.pooled, true.inner_means)
        early = self._by.early.foretell(before, true.inner_means)
        norms = self._by.body.foretell(before, self._body.inner_means(style, true.body.means))
        norms = _with_known(norms, true.body)
        by_true, by_norms = (self._windowed(spoken, each) for each in (true.body, norms))
        late_affine, early_affine = (generator.affine(style, each) for each in (late, early))
        first, last = (SAMPLES_PER_STEP * step for step in spoken.kept)
        return Decoded(
            whole=samples[first:last],
            ways={
                _WHOLE: self._decode(spoken, whole, late_affine),
                _TRUE: self._decode(spoken, by_true, early_affine),
                _NORMS: self._decode(spoken, by_norms, late_affine),
                _BOTH: self._decode(spoken, by_norms, early_affine),
                _SWITCHED: self._decode(spoken, self._switched(spoken, by_norms, whole), early_affine, late_affine),
            },
            errors={
                "generator": error(late, true.generator),
                "early": error(early, true.generator),
                "body": error(norms, true.body),
            },
        )

    def _windowed(self, spoken: Spoken, statistics: Statistics) -> Source:
        """The body's output as far as it is heard, each window with its context."""
        affine = self._body.affine(spoken.style, statistics)
        hidden = np.zeros((1, 512, spoken.prosody.steps), dtype=np.float32)
        for window in windows(*spoken.kept):
            steps = max(window.fed_first - 1, 0), min(window.fed_last, spoken.prosody.steps)
            if steps[0] < steps[1]:
                hidden[:, :, steps[0] : steps[1]] = self._body.window(spoken.prosody, affine, steps)
        return Source(hidden=hidden, harmonics=spoken.harmonics)

    def _switched(self, spoken: Spoken, early: Source, late: Source) -> Source:
        *_, last = (window for window, _ in zip(windows(*spoken.kept), range(SWITCH_WINDOWS), strict=False))
        hidden = np.concatenate([early.hidden[:, :, : last.fed_last], late.hidden[:, :, last.fed_last :]], axis=2)
        return Source(hidden=hidden, harmonics=spoken.harmonics)

    def _decode(self, spoken: Spoken, source: Source, affine: Affine, later: Affine | None = None) -> Floats:
        graph = _Switching(self._window, later or affine)
        return np.concatenate(list(spoken.generator.by(graph).pieces(source, affine, spoken.kept, CancelToken())))


class _Switching:
    """Decodes windows of one utterance; from the third on by other statistics, each layer remembering what it heard."""

    def __init__(self, window: Runnable, later: Affine) -> None:
        self._window = window
        self._later = {SCALE: later.scale, SHIFT: later.shift}
        self._decoded = 0

    def run(self, outputs: Sequence[str], feeds: Mapping[str, NDArray[Any]], cancel: CancelToken) -> list[Floats]:
        self._decoded += 1
        of_now = self._later if self._decoded > SWITCH_WINDOWS else {}
        return self._window.run(outputs, {**feeds, **of_now}, cancel)


def _with_known(foretold: Statistics, true: Statistics) -> Statistics:
    known = known_channels()
    return Statistics(
        means=np.where(known, true.means, foretold.means),
        variances=np.where(known, true.variances, foretold.variances),
    )
