"""The body by graphs of our own: whole, telling its norms' statistics, or in windows from statistics it is given.

And what is kept of utterances to foretell those statistics by. Above it `ways`, which decodes by it; see
docs/decisions/0037-the-body-in-windows.md for why nothing that speaks does.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firstword.errors import ConfigError
from firstword.kokoro.generator.features import features
from firstword.kokoro.generator.fit.body.graph import (
    BODY_CHANNELS,
    FEATURES,
    LOUDNESS,
    PITCH,
    REACH_FRAMES,
    BodyWeights,
    write_body,
)
from firstword.kokoro.generator.fit.body.means import InnerBodyMeans
from firstword.kokoro.generator.fit.corpus import Utterance
from firstword.kokoro.generator.names import HIDDEN, MEANS, SCALE, SHIFT, VARIANCES
from firstword.kokoro.generator.predictor import Statistics
from firstword.kokoro.generator.product import times
from firstword.kokoro.generator.windowed import Affine, WindowedGenerator
from firstword.kokoro.inference import Load
from firstword.kokoro.source import Prosody, Source
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken
from firstword.kokoro.timing import speech_range

__all__ = ["Body", "BodyExample", "Spoken", "collect_body", "load_body", "save_body", "speak"]

type Floats = NDArray[np.float32]

_EPSILON = np.float32(1e-5)


class Body:
    """Writes its graphs into `home` and opens them by `load`."""

    def __init__(self, weights: BodyWeights, home: Path, load: Load) -> None:
        for name, measuring in (("measuring", True), ("given", False)):
            write_body(weights, home / f"body-{name}.onnx", measuring=measuring)
        self._measuring, self._given = (load(home / f"body-{name}.onnx") for name in ("measuring", "given"))
        self._style = weights.styles()
        self._means = InnerBodyMeans(weights)

    def measure(self, prosody: Prosody, style: Floats) -> tuple[Floats, Statistics]:
        """The generator's hidden input, [1, 512, steps], and the statistics it was made with, [BODY_CHANNELS] each."""
        styled = self.styled(style).reshape(2, 1, BODY_CHANNELS, 1)
        feeds = {**_between(prosody, 0, _frames(prosody)), SCALE: styled[0], SHIFT: styled[1]}
        hidden, means, variances = self._measuring.run((HIDDEN, MEANS, VARIANCES), feeds, CancelToken())
        return hidden[:, :, 0], Statistics(means=means.reshape(-1), variances=variances.reshape(-1))

    def window(self, prosody: Prosody, affine: Affine, steps: tuple[int, int], context: int = REACH_FRAMES) -> Floats:
        """Hidden of these steps, with so many frames of context on either side where there are any."""
        first, last = max(steps[0] // 2, 0), min(-(-steps[1] // 2), _frames(prosody))
        heard, end = max(first - context, 0), min(last + context, _frames(prosody))
        feeds = {**_between(prosody, heard, end), SCALE: affine.scale, SHIFT: affine.shift}
        (hidden,) = self._given.run((HIDDEN,), feeds, CancelToken())
        return hidden[:, :, 0, max(steps[0], 0) - 2 * heard : min(steps[1], prosody.steps) - 2 * heard]

    def affine(self, style: Floats, statistics: Statistics) -> Affine:
        """The norms of an utterance with these statistics, in this style [1, 256]."""
        styled = self.styled(style)
        scale = styled[0] / np.sqrt(statistics.variances + _EPSILON)
        shift = styled[1] - statistics.means * scale
        return Affine(scale=scale.reshape(1, -1, 1), shift=shift.reshape(1, -1, 1))

    def inner_means(self, style: Floats, given: Floats) -> Floats:
        """[BODY_CHANNELS]: the means of the norms' input as far as style and body's input tell them. Of `given`,
        [BODY_CHANNELS], only what the body is given counts."""
        return self._means.means(self.styled(style), given)

    def styled(self, style: Floats) -> Floats:
        """What the style alone does to every norm, [2, BODY_CHANNELS]: scale and shift."""
        return times(self._style, np.append(style[0, :128], np.float32(1)))


def _frames(prosody: Prosody) -> int:
    return int(prosody.features.shape[2])


def _between(prosody: Prosody, first: int, last: int) -> dict[str, Floats]:
    return {
        FEATURES: prosody.features[:, :, first:last],
        PITCH: prosody.pitch[:, 2 * first : 2 * last],
        LOUDNESS: prosody.loudness[:, 2 * first : 2 * last],
    }


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """An utterance up to the body's input. `style` is [1, 256]; `kept` are the steps that speech takes."""

    generator: WindowedGenerator
    prosody: Prosody
    harmonics: Floats
    style: Floats
    kept: tuple[int, int]


def speak(voice: KokoroVoice, utterance: Utterance) -> Spoken:
    """Only the first piece, if the text has several. The caller owes a voice whose `decode` is not full."""
    cancel = CancelToken()
    piece = voice.plan(utterance.text, utterance.options)[0]
    model, style = voice.parts(piece)
    if not isinstance(model.generator, WindowedGenerator):
        raise ConfigError("The trial needs a generator that works in windows.", hint="Set decode to streamed.")
    prosody = model.front(piece.tokens, style, utterance.options.speed, cancel)
    harmonics = model.body(prosody, style, cancel).harmonics
    kept = speech_range(prosody)
    return Spoken(generator=model.generator, prosody=prosody, harmonics=harmonics, style=style, kept=kept)


@dataclass(frozen=True, kw_only=True)
class BodyExample:
    """What the body is given, the statistics of its norms, and what the generator's predictor has: its pooled input,
    inner means, and statistics."""

    features: Floats
    pitch: Floats
    loudness: Floats
    style: Floats
    body: Statistics
    pooled: Floats
    inner_means: Floats
    generator: Statistics


def collect_body(body: Body, spoken: Spoken) -> tuple[BodyExample, Floats, Floats]:
    """The example, the generator's hidden input, and all samples."""
    hidden, of_body = body.measure(spoken.prosody, spoken.style)
    source = Source(hidden=hidden, harmonics=spoken.harmonics)
    samples, of_generator = spoken.generator.measure(source, spoken.style, CancelToken())
    example = BodyExample(
        features=spoken.prosody.features,
        pitch=spoken.prosody.pitch,
        loudness=spoken.prosody.loudness,
        style=spoken.style,
        body=of_body,
        pooled=features(source, spoken.style),
        inner_means=spoken.generator.inner_means(spoken.style),
        generator=of_generator,
    )
    return example, hidden, samples


def save_body(example: BodyExample, path: Path) -> None:
    """Whole or not at all; the text's features at half precision."""
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        np.savez(
            file,
            allow_pickle=False,
            features=example.features.astype(np.float16),
            pitch=example.pitch,
            loudness=example.loudness,
            style=example.style,
            body_means=example.body.means,
            body_variances=example.body.variances,
            pooled=example.pooled,
            inner_means=example.inner_means,
            means=example.generator.means,
            variances=example.generator.variances,
        )
    half.rename(path)


def load_body(path: Path) -> BodyExample:
    with np.load(path, allow_pickle=False) as stored:
        return BodyExample(
            features=stored["features"].astype(np.float32),
            pitch=stored["pitch"],
            loudness=stored["loudness"],
            style=stored["style"],
            body=Statistics(means=stored["body_means"], variances=stored["body_variances"]),
            pooled=stored["pooled"],
            inner_means=stored["inner_means"],
            generator=Statistics(means=stored["means"], variances=stored["variances"]),
        )
