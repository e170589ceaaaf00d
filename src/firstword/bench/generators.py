"""The generator in every form and by every library that is there, in one run: its first window, its speed, its sound.

Front and body are left out, for all ways have them alike: each utterance is taken as far as the generator's input once.
All windows use the same foretold statistics, so they differ from each other by arithmetic alone.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.audio import SAMPLE_RATE_HZ
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, summarize
from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import FirstwordError
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL, sha256_of
from firstword.kokoro.backends import has_bfloat16, open_backend
from firstword.kokoro.generator.fit.collect import Prepared, prepare
from firstword.kokoro.generator.fit.corpus import to_fit, to_judge
from firstword.kokoro.generator.fit.judge import compare, summary
from firstword.kokoro.generator.fit.ranges import measure_ranges
from firstword.kokoro.generator.forms import PlainWindowGraph
from firstword.kokoro.generator.int8_graph import Int8WindowGraph
from firstword.kokoro.generator.ranges import ranges_for
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.window_graph import write_window_graph
from firstword.kokoro.generator.windowed import WindowedGenerator
from firstword.kokoro.graphs import BODY_OUTPUTS, cut
from firstword.kokoro.inference import Inference, Runnable, thread_count
from firstword.kokoro.source import SAMPLES_PER_STEP
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["FIGURES", "INT8_WINDOWS", "OWN_INT8", "WHOLE", "WINDOWS", "Generators", "Way", "run"]

type Floats = NDArray[np.float32]
type Speak = Callable[[Prepared], Iterator[Floats]]

OWN_INT8: Final = "onnxruntime: the model's own int8, whole"
WHOLE: Final = "onnxruntime: float32, whole"
WINDOWS: Final = "onnxruntime: float32"
INT8_WINDOWS: Final = "onnxruntime: windows int8"
_SHIPPED: Final = {WINDOWS: "float32", INT8_WINDOWS: "int8"}
"""As a voice runs them: in two lanes where there are two threads. All other windows are in one."""
_LIKE: Final[Mapping[str, str | None]] = {OWN_INT8: WHOLE, WHOLE: None, WINDOWS: None}
"""With what a way is compared, where that is not `WINDOWS`."""
_FORMS: Final = {
    "window": "float32, one lane",
    "plain": "float32, nothing rewritten",
    "first-stage": "static int8, blocks of the first stage",
    "blocks": "static int8, blocks of both stages",
}
_OPENVINO_FORMS: Final = ("window", "blocks")
FIGURES: Final = ("snr_db_median", "distance_db_median", "level_db_median")
_EVERY: Final = 7
_SEEN, _SEEN_EVERY = 42, 6


@dataclass(frozen=True, kw_only=True)
class Way:
    """`first_part_ms`: the first window, or the whole where there are none. `real_time_factor`: of the generator alone.
    `figures` say how far samples are from those of the way `like`."""

    name: str
    first_part_ms: Summary
    real_time_factor: Summary
    like: str | None
    figures: dict[str, float] | None


@dataclass(frozen=True, kw_only=True)
class Generators:
    """`absent` are ways that this installation does not have, and why."""

    threads: int
    ways: tuple[Way, ...]
    absent: tuple[str, ...]


def run(trials: int, utterances: int, progress: Callable[[str], None]) -> Generators:
    """Measure each way over `utterances` sentences, each `trials` times. Raises ConfigError for a model without a
    predictor, AssetError where the weights cannot be had."""
    assets, threads = AssetSettings.load(), thread_count(VoiceSettings.load().threads)
    voice = _voice(assets, "float32")
    spoken = [prepare(voice, each) for each in islice(to_judge(_EVERY * utterances), 0, None, _EVERY)]
    with tempfile.TemporaryDirectory(prefix="firstword-generators-") as scratch:
        home = Path(scratch)
        _write(open_store(assets).ensure() / MODEL, home, voice, progress)
        shipped = {name: _voice(assets, windows) for name, windows in _SHIPPED.items()}
        ours = {name: prepare(of, next(to_judge(1))).generator for name, of in shipped.items()}
        ways, absent = _ways(home, ours, threads, progress)
        return Generators(threads=threads, ways=_measure(ways, spoken, trials, progress), absent=tuple(absent))


def _voice(assets: AssetSettings, windows: str) -> KokoroVoice:
    return KokoroVoice(VoiceSettings.load(decode="streamed", backend="onnxruntime", windows=windows), assets)


def _graph(home: Path, form: str) -> Path:
    return home / f"{form}.onnx"


def _write(model: Path, home: Path, voice: KokoroVoice, progress: Callable[[str], None]) -> None:
    """The model's own generator, and a graph for each form of ours."""
    progress("writing the graphs")
    cut(model, home)
    weights = Weights(model)
    write_window_graph(weights, _graph(home, "window"))
    write_window_graph(weights, _graph(home, "plain"), PlainWindowGraph)
    shipped = ranges_for(sha256_of(model))
    if shipped is not None:
        write_window_graph(weights, _graph(home, "first-stage"), partial(Int8WindowGraph, ranges=shipped))
    progress("looking at the ranges of activations")
    seen = measure_ranges(weights, _spoken(voice), home, threads=thread_count(0))
    write_window_graph(weights, _graph(home, "blocks"), partial(Int8WindowGraph, ranges=seen))


def _spoken(voice: KokoroVoice) -> Iterator[Prepared]:
    """A few utterances that are not measured."""
    return (prepare(voice, utterance) for utterance in islice(to_fit(), 0, _SEEN, _SEEN_EVERY))


def _ways(
    home: Path, ours: Mapping[str, WindowedGenerator], threads: int, progress: Callable[[str], None]
) -> tuple[dict[str, Speak], list[str]]:
    """All that can be loaded, by name, and what cannot."""
    progress("loading")
    own = Inference(_graph(home, "generator"), threads=threads)
    found: dict[str, Speak] = {OWN_INT8: _own(own), WHOLE: _whole(ours[WINDOWS])}
    found |= {name: _windows(generator) for name, generator in ours.items()}
    absent = []
    kind = "bfloat16" if has_bfloat16() else "float32"
    for library, forms in (("onnxruntime", tuple(_FORMS)), ("openvino", _OPENVINO_FORMS)):
        for form in forms:
            name = f"{library}: {_FORMS[form]}"
            name = name.replace("float32", kind) if library == "openvino" else name
            try:
                load = open_backend(library, threads).generator
                found[name] = _windows(ours[WINDOWS].by(load(_graph(home, form))))
            except FirstwordError as error:
                absent.append(f"{name}: {error.message}")
    return found, absent


def _own(graph: Runnable) -> Speak:
    def speak(of: Prepared) -> Iterator[Floats]:
        feeds = dict(zip(BODY_OUTPUTS, (of.source.hidden, of.source.harmonics), strict=True))
        (samples,) = graph.run(("audio",), {**feeds, "style": of.style}, CancelToken())
        yield _kept(samples.reshape(-1), of)

    return speak


def _whole(generator: WindowedGenerator) -> Speak:
    def speak(of: Prepared) -> Iterator[Floats]:
        yield _kept(generator.whole(of.source, of.style, CancelToken()), of)

    return speak


def _windows(generator: WindowedGenerator) -> Speak:
    return lambda of: generator.stretches(of.source, of.style, of.kept, CancelToken())


def _kept(samples: Floats, of: Prepared) -> Floats:
    first, last = of.kept
    return samples[first * SAMPLES_PER_STEP : last * SAMPLES_PER_STEP]


def _measure(
    ways: Mapping[str, Speak], spoken: Sequence[Prepared], trials: int, progress: Callable[[str], None]
) -> tuple[Way, ...]:
    samples: dict[tuple[str, int], Floats] = {}
    first_ms: dict[str, list[float]] = {name: [] for name in ways}
    factors: dict[str, list[float]] = {name: [] for name in ways}
    for index, of in enumerate(spoken):
        for name, counts in interleaved(list(ways), trials, warm_ups=1):
            progress(f"sentence {index + 1} of {len(spoken)}: {name}")
            parts, first_s, all_s = _timed(ways[name], of)
            samples[name, index] = np.concatenate(parts)
            if counts:
                first_ms[name].append(round(1000 * first_s, 1))
                factors[name].append(round(all_s * SAMPLE_RATE_HZ / len(samples[name, index]), 3))
    return tuple(
        Way(
            name=name,
            first_part_ms=summarize(first_ms[name]),
            real_time_factor=summarize(factors[name]),
            like=(like := _LIKE.get(name, WINDOWS)),
            figures=None
            if like is None
            else summary([compare(name, samples[like, index], samples[name, index]) for index in range(len(spoken))]),
        )
        for name in ways
    )


def _timed(speak: Speak, of: Prepared) -> tuple[list[Floats], float, float]:
    """All parts, and seconds to the first and to the last."""
    started, first_s, parts = time.perf_counter(), 0.0, []
    for part in speak(of):
        parts.append(part)
        first_s = first_s or time.perf_counter() - started
    return parts, first_s, time.perf_counter() - started
