"""Kokoro loaded: front, body and one of two generators. Arrays in and out; knows nothing of text or PCM."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.assets.manifest import sha256_of
from firstword.kokoro.backends import Backend
from firstword.kokoro.generator.lanes import LANED, LanedWindow
from firstword.kokoro.generator.parts import LANED_WINDOW, PART_NAMES, WINDOW, write_parts, write_window
from firstword.kokoro.generator.predictor import predictor_for
from firstword.kokoro.generator.ranges import Range, ranges_for
from firstword.kokoro.generator.windowed import WindowedGenerator
from firstword.kokoro.graphs import BODY_OUTPUTS, FRONT_OUTPUTS, PARTS, cut, write_products
from firstword.kokoro.inference import Runnable
from firstword.kokoro.made import made_once
from firstword.kokoro.recipe import RECIPE
from firstword.kokoro.source import SAMPLES_PER_STEP, Prosody, Source
from firstword.kokoro.superseded import remove_superseded
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["Generator", "Model"]

_log = logging.getLogger(__name__)

type Floats = NDArray[np.float32]


class Generator(Protocol):
    """The way from the body's output to samples."""

    def stretches(self, source: Source, style: Floats, kept: tuple[int, int], cancel: CancelToken) -> Iterator[Floats]:
        """The samples of the steps `kept[0]:kept[1]`, 300 a step, in one or more parts; now and then beyond -1..1."""
        ...


class Model:
    """`path` is the model file, `cache` where what is made of it is kept.

    With `decode` full the generator is the model's own; with streamed or auto it is ours, which works in windows. With
    `int8` some of its convolutions are in int8, if their ranges are known for this model.
    """

    generator: Generator

    def __init__(self, path: Path, cache: Path, *, backend: Backend, decode: str, int8: bool = False) -> None:
        digest = sha256_of(path)
        predictor = None if decode == "full" else predictor_for(digest)
        if decode != "full" and predictor is None:
            _log.warning("no predictor for this model, sentences are decoded whole", extra={"model": digest[:16]})
        home = cache / "graphs" / f"{digest[:16]}-{RECIPE}"
        with _parts(path, home, backend) as parts:
            self._front, self._body = backend.parts(parts["front"]), backend.parts(parts["body"])
            if predictor is None:
                self.generator = _OwnGenerator(backend.parts(parts["generator"]))
                remove_superseded(home)
                return
        ranges = ranges_for(digest) if int8 else None
        if int8 and ranges is None:
            _log.warning("no ranges for this model, windows are decoded in float32", extra={"model": digest[:16]})
        window = _window(path, home, backend, ranges)
        with made_once(home / "generator", PART_NAMES, partial(write_parts, path)) as parts:
            always = decode == "streamed"
            self.generator = WindowedGenerator(parts, backend.generator, window, predictor, always=always)
        remove_superseded(home)

    def front(self, tokens: tuple[int, ...], style: Floats, speed: float, cancel: CancelToken) -> Prosody:
        feeds: dict[str, NDArray[Any]] = {
            "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
            "style": style,
            "speed": np.array([speed], dtype=np.float32),
        }
        durations, features, pitch, loudness = self._front.run(FRONT_OUTPUTS, feeds, cancel)
        ends = 2 * np.cumsum(durations.reshape(-1).astype(np.int64))
        return Prosody(ends=ends, features=features, pitch=pitch, loudness=loudness)

    def body(self, prosody: Prosody, style: Floats, cancel: CancelToken) -> Source:
        values = (prosody.features, prosody.pitch, prosody.loudness)
        feeds = {**dict(zip(FRONT_OUTPUTS[1:], values, strict=True)), "style": style}
        hidden, harmonics = self._body.run(BODY_OUTPUTS, feeds, cancel)
        return Source(hidden=hidden, harmonics=harmonics)


@contextmanager
def _parts(model: Path, home: Path, backend: Backend) -> Iterator[Mapping[str, Path]]:
    """The files of the model's own parts, in the form the backend runs soonest."""
    names = [f"{name}.onnx" for name in PARTS]
    with made_once(home / "cut", names, partial(cut, model)) as parts:
        if not backend.products:
            yield parts
            return
        with made_once(home / "products", names, partial(write_products, parts)) as products:
            yield products


def _window(model: Path, home: Path, backend: Backend, ranges: Mapping[str, Range] | None) -> Runnable:
    """What decodes a window: by two lanes where the backend has them."""
    kept = home / ("window" if ranges is None else "window-int8")
    if backend.lane is None:
        with made_once(kept, WINDOW, partial(write_window, model, ranges, False)) as parts:
            return backend.generator(parts["window"])
    with made_once(Path(f"{kept}-laned"), LANED_WINDOW, partial(write_window, model, ranges, True)) as parts:
        loads = {True: backend.generator, False: backend.lane}
        return LanedWindow({each.name: loads[each.shared](parts[each.name]) for each in LANED})


class _OwnGenerator:
    """The model's own, which can only decode an utterance whole."""

    def __init__(self, graph: Runnable) -> None:
        self._graph = graph

    def stretches(self, source: Source, style: Floats, kept: tuple[int, int], cancel: CancelToken) -> Iterator[Floats]:
        feeds = {**dict(zip(BODY_OUTPUTS, (source.hidden, source.harmonics), strict=True)), "style": style}
        (samples,) = self._graph.run(("audio",), feeds, cancel)
        yield samples.reshape(-1)[kept[0] * SAMPLES_PER_STEP : kept[1] * SAMPLES_PER_STEP]
