"""Decodes utterances whole and keeps what the predictor sees of each and what it should foretell."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstword.errors import ConfigError
from firstword.kokoro.generator.features import features
from firstword.kokoro.generator.fit.corpus import Utterance
from firstword.kokoro.generator.windowed import WindowedGenerator
from firstword.kokoro.source import SAMPLES_PER_STEP
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["Example", "Spoken", "collect", "speak"]

type Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """One utterance decoded whole, and in windows if that was asked for."""

    whole: Floats
    windowed: Floats
    statistics: Floats
    features: Floats
    inner_means: Floats


@dataclass(frozen=True, kw_only=True)
class Example:
    features: Floats
    inner_means: Floats
    means_and_variances: Floats


def collect(voice: KokoroVoice, utterances: Iterable[Utterance]) -> Iterator[Example]:
    for utterance in utterances:
        spoken = speak(voice, utterance, windowed=False)
        yield Example(features=spoken.features, inner_means=spoken.inner_means, means_and_variances=spoken.statistics)


def speak(voice: KokoroVoice, utterance: Utterance, *, windowed: bool) -> Spoken:
    """Only the first piece, if the text has several. The caller owes a voice whose `decode` is not full."""
    cancel = CancelToken()
    piece = voice.plan(utterance.text, utterance.options)[0]
    model, style = voice.parts(piece)
    generator = model.generator
    if not isinstance(generator, WindowedGenerator):
        raise ConfigError("The predictor needs a generator that works in windows.", hint="Set decode to streamed.")
    source = model.body(model.front(piece.tokens, style, utterance.options.speed, cancel), style, cancel)
    whole, statistics = generator.measure(source, style, cancel)
    stretches = generator.stretches(source, style, (0, source.steps), cancel) if windowed else ()
    return Spoken(
        whole=whole[: source.steps * SAMPLES_PER_STEP],
        windowed=np.concatenate(list(stretches)) if windowed else whole[:0],
        statistics=np.concatenate([statistics.means, statistics.variances]),
        features=features(source, style),
        inner_means=generator.inner_means(style),
    )
