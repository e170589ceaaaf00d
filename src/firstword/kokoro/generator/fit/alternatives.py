"""Other ways to know the statistics, or to do without them, against foretelling them: fidelity, and what is waited for.

Every way is measured on the same utterances in the same run. What is waited for before the first audio is counted from
the generator's input, which all ways need alike: the statistics, and the first window.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from firstword.kokoro.generator.fit.collect import Prepared
from firstword.kokoro.generator.fit.early import EARLY_CHANNELS
from firstword.kokoro.generator.fit.judge import Fidelity, compare
from firstword.kokoro.generator.layout import CHANNELS
from firstword.kokoro.generator.names import HARMONICS, HIDDEN, MEANS, VARIANCES
from firstword.kokoro.generator.predictor import Statistics
from firstword.kokoro.inference import Load, Runnable
from firstword.kokoro.source import FRAMES_PER_STEP, SAMPLES_PER_STEP, Source
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["WAYS", "Alternatives", "Trial"]

type Floats = NDArray[np.float32]

_FORETOLD, _SPREAD, _EARLY, _LATER, _CLAUSES = WAYS = (
    "foretold",
    "short windows, pooled",
    "first stage exact",
    "foretold, first stage exact after 0.75 s",
    "clauses decoded whole",
)
_SHORT_STEPS: Final = 16
_SHORT_WINDOWS: Final = 6
_LATER_STEPS: Final = 60
_CLAUSE_STEPS: Final = (80, 140)
"""A clause is cut where it is quietest between so many steps; what is left alone is no shorter than the first."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    way: str
    fidelity: Fidelity
    statistics_ms: float
    first_window_ms: float


class Alternatives:
    """`whole` is the file of the graph that measures, `into` a directory for what is made of it."""

    def __init__(self, whole: Path, early: Path, into: Path, load: Load) -> None:
        self._early = load(early)
        _write_pooled(whole, into / "pooled.onnx")
        self._pooled = load(into / "pooled.onnx")

    def try_all(self, voice: str, prepared: Prepared) -> Iterator[Trial]:
        generator, source, style = prepared.generator, prepared.source, prepared.style
        whole = generator.whole(source, style, CancelToken())
        foretold, foretold_s = _timed(lambda: generator.foretell(source, style))
        pooled, pooled_s = _timed(lambda: self._pool(prepared))
        early, early_s = _timed(lambda: self._first_stage(prepared, foretold))
        streamed, first_s = _decode(prepared, foretold)
        with_early, _ = _decode(prepared, early)
        switched = np.concatenate(
            [streamed[: _LATER_STEPS * SAMPLES_PER_STEP], with_early[_LATER_STEPS * SAMPLES_PER_STEP :]]
        )
        clauses, clause_s = _by_clauses(prepared)
        for way, samples, statistics_s, window_s in (
            (_FORETOLD, streamed, foretold_s, first_s),
            (_SPREAD, _decode(prepared, pooled)[0], pooled_s, first_s),
            (_EARLY, with_early, early_s, first_s),
            (_LATER, switched, foretold_s, first_s),
            (_CLAUSES, clauses, 0.0, clause_s),
        ):
            yield Trial(
                way=way,
                fidelity=compare(voice, whole, samples),
                statistics_ms=round(1000 * statistics_s, 1),
                first_window_ms=round(1000 * window_s, 1),
            )

    def _pool(self, prepared: Prepared) -> Statistics:
        source = prepared.source
        firsts = np.linspace(0, source.steps - _SHORT_STEPS, _SHORT_WINDOWS).round().astype(int)
        parts = [_part(source, first, first + _SHORT_STEPS) for first in firsts]
        batch = Source(
            hidden=np.concatenate([part.hidden for part in parts]),
            harmonics=np.concatenate([part.harmonics for part in parts]),
        )
        return _measure(self._pooled, prepared.generator.feeds(batch, prepared.style))

    def _first_stage(self, prepared: Prepared, foretold: Statistics) -> Statistics:
        exact = _measure(self._early, prepared.generator.feeds(prepared.source, prepared.style))
        return Statistics(
            means=np.concatenate([exact.means, foretold.means[EARLY_CHANNELS:]]),
            variances=np.concatenate([exact.variances, foretold.variances[EARLY_CHANNELS:]]),
        )


def _measure(graph: Runnable, feeds: dict[str, Floats]) -> Statistics:
    means, variances = graph.run((MEANS, VARIANCES), feeds, CancelToken())
    return Statistics(means=means.reshape(-1), variances=variances.reshape(-1))


def _decode(prepared: Prepared, statistics: Statistics) -> tuple[Floats, float]:
    """All samples in windows, and the seconds the first took."""
    generator, source = prepared.generator, prepared.source
    affine = generator.affine(prepared.style, statistics)
    started, first_s = time.perf_counter(), 0.0
    parts = []
    for part in generator.pieces(source, affine, (0, source.steps), CancelToken()):
        parts.append(part)
        first_s = first_s or time.perf_counter() - started
    return np.concatenate(parts), first_s


def _by_clauses(prepared: Prepared) -> tuple[Floats, float]:
    """Clause-sized parts, each decoded whole with its own statistics, and the seconds the first took."""
    generator, source, style = prepared.generator, prepared.source, prepared.style
    loudness = (
        source.harmonics[0, :, : FRAMES_PER_STEP * source.steps].reshape(22, -1, FRAMES_PER_STEP).var(axis=(0, 2))
    )
    shortest, longest = _CLAUSE_STEPS
    first, first_s, parts = 0, 0.0, []
    while first < source.steps:
        last = source.steps
        if last - first > 2 * shortest:
            last = first + shortest + int(np.argmin(loudness[first + shortest : min(first + longest, last - shortest)]))
        samples, seconds = _timed(lambda: generator.whole(_part(source, first, last), style, CancelToken()))  # noqa: B023
        parts.append(samples)
        first_s, first = first_s or seconds, last
    return np.concatenate(parts), first_s


def _part(source: Source, first: int, last: int) -> Source:
    return Source(
        hidden=source.hidden[:, :, first:last],
        harmonics=source.harmonics[:, :, FRAMES_PER_STEP * first : FRAMES_PER_STEP * last + 1],
    )


def _timed[T](what: Callable[[], T]) -> tuple[T, float]:
    started = time.perf_counter()
    result = what()
    return result, time.perf_counter() - started


def _write_pooled(whole: Path, into: Path) -> None:
    """The graph that measures, over a batch of windows as if they were one utterance. It gives no samples."""
    model = onnx.load(str(whole))
    graph = model.graph
    for node in graph.node:
        if node.op_type == "ReduceMean":
            for attribute in node.attribute:
                if attribute.name == "axes":
                    attribute.CopyFrom(helper.make_attribute("axes", [0, 3]))
    for value in graph.input:
        if value.name in (HIDDEN, HARMONICS):
            value.type.tensor_type.shape.dim[0].dim_param = "windows"
    del graph.output[:]
    for name in (MEANS, VARIANCES):
        graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, CHANNELS, 1, 1]))
    onnx.save(model, str(into))
