"""Decodes utterances and keeps what the predictor may see of each and what it should foretell."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firstword.errors import ConfigError
from firstword.kokoro.generator.fit.corpus import Utterance
from firstword.kokoro.generator.predictor import Statistics
from firstword.kokoro.generator.windowed import WindowedGenerator
from firstword.kokoro.source import Source
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken
from firstword.kokoro.timing import speech_range

__all__ = ["Example", "Prepared", "collect", "load", "prepare", "save"]

type Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """An utterance up to the generator's input. `style` is [1, 256]; `kept` are the steps that speech takes."""

    generator: WindowedGenerator
    source: Source
    style: Floats
    kept: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Example:
    """The generator's input, and the statistics of every norm when it is decoded whole, by this model."""

    model_sha256: str
    source: Source
    style: Floats
    inner_means: Floats
    statistics: Statistics


def prepare(voice: KokoroVoice, utterance: Utterance) -> Prepared:
    """Only the first piece, if the text has several. The caller owes a voice whose `decode` is not full."""
    cancel = CancelToken()
    piece = voice.plan(utterance.text, utterance.options)[0]
    model, style = voice.parts(piece)
    generator = model.generator
    if not isinstance(generator, WindowedGenerator):
        raise ConfigError("The predictor needs a generator that works in windows.", hint="Set decode to streamed.")
    prosody = model.front(piece.tokens, style, utterance.options.speed, cancel)
    source = model.body(prosody, style, cancel)
    return Prepared(generator=generator, source=source, style=style, kept=speech_range(prosody))


def collect(voice: KokoroVoice, utterance: Utterance, model_sha256: str) -> Example:
    """`model_sha256` is that of the voice's model file."""
    prepared = prepare(voice, utterance)
    _, statistics = prepared.generator.measure(prepared.source, prepared.style, CancelToken())
    inner_means = prepared.generator.inner_means(prepared.style)
    return Example(
        model_sha256=model_sha256,
        source=prepared.source,
        style=prepared.style,
        inner_means=inner_means,
        statistics=statistics,
    )


def save(example: Example, path: Path) -> None:
    """Whole or not at all. The input is kept, at half precision, so that features can be changed without speaking."""
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        np.savez(
            file,
            model_sha256=np.array(example.model_sha256),
            hidden=example.source.hidden.astype(np.float16),
            harmonics=example.source.harmonics.astype(np.float16),
            style=example.style,
            inner_means=example.inner_means,
            means=example.statistics.means,
            variances=example.statistics.variances,
        )
    half.rename(path)


def load(path: Path) -> Example:
    with np.load(path, allow_pickle=False) as stored:
        hidden, harmonics = (stored[name].astype(np.float32) for name in ("hidden", "harmonics"))
        return Example(
            model_sha256=str(stored["model_sha256"]),
            source=Source(hidden=hidden, harmonics=harmonics),
            style=stored["style"],
            inner_means=stored["inner_means"],
            statistics=Statistics(means=stored["means"], variances=stored["variances"]),
        )
