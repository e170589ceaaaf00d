"""Our generator: an utterance window by window from foretold statistics, or whole, by the same weights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.features import features
from firstword.kokoro.generator.layout import CHANNELS
from firstword.kokoro.generator.moments import InnerMeans
from firstword.kokoro.generator.names import CROP, HARMONICS, HIDDEN, MEANS, SAMPLES, SCALE, SHIFT, VARIANCES
from firstword.kokoro.generator.predictor import Predictor, Statistics
from firstword.kokoro.generator.windows import Window, windows
from firstword.kokoro.inference import Load
from firstword.kokoro.source import FRAMES_PER_STEP, SAMPLES_PER_STEP, Source
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["Affine", "WindowedGenerator"]

type Floats = NDArray[np.float32]
_EPSILON: Final = np.float32(1e-5)
_SHORTEST_STEPS: Final = 56
"""Of speech, 0.7 s. The whole is no more than twice a first window there."""
_LATE_STEPS: Final = 2
"""Of the context, what the generator's second stage is given: with one step fewer it is 20 dB worse, with more no
better."""


@dataclass(frozen=True, kw_only=True)
class Affine:
    """What every norm of one utterance does to its input: times `scale`, plus `shift`, [1, CHANNELS, 1] each."""

    scale: Floats
    shift: Floats


class WindowedGenerator:
    """`parts` holds the files of `parts` by stem; `load` opens a graph.

    Unless told to take windows `always`, it decodes whole what is too short to gain by them: foretold statistics fit
    short texts worst.
    """

    def __init__(self, parts: Mapping[str, Path], load: Load, predictor: Predictor, *, always: bool) -> None:
        self._predictor = predictor
        self._shortest = 0 if always else _SHORTEST_STEPS
        try:
            self._style: Floats = np.load(parts["style"])
        except (OSError, ValueError) as error:
            raise AssetCorrupt("style.npy cannot be read.", hint="Run firstword models pull.") from error
        self._inner = InnerMeans(parts["inner"])
        self._window = load(parts["window"])
        self._whole = load(parts["whole"])

    def stretches(self, source: Source, style: Floats, kept: tuple[int, int], cancel: CancelToken) -> Iterator[Floats]:
        first, last = kept
        if last - first < self._shortest:
            yield self.whole(source, style, cancel)[first * SAMPLES_PER_STEP : last * SAMPLES_PER_STEP]
            return
        affine = self.affine(style, self.foretell(source, style))
        for window in windows(first, last, source.steps):
            yield self.stretch(source, affine, window, cancel)

    def foretell(self, source: Source, style: Floats) -> Statistics:
        """What the norms' statistics will be over the whole utterance."""
        return self._predictor.predict(features(source, style), self.inner_means(style))

    def inner_means(self, style: Floats) -> Floats:
        return self._inner.means(self._styled(style))

    def affine(self, style: Floats, statistics: Statistics) -> Affine:
        """The norms of an utterance with these statistics, in this style [1, 256]."""
        styled = self._styled(style)
        scale = styled[0] / np.sqrt(statistics.variances + _EPSILON)
        shift = styled[1] - statistics.means * scale
        return Affine(scale=scale.reshape(1, CHANNELS, 1), shift=shift.reshape(1, CHANNELS, 1))

    def stretch(self, source: Source, affine: Affine, window: Window, cancel: CancelToken) -> Floats:
        """The samples of the steps `window.first:window.last`."""
        first, last = window.reach_first, window.reach_last
        late_first, late_last = max(first, window.first - _LATE_STEPS), min(last, window.last + _LATE_STEPS)
        feeds: dict[str, NDArray[Any]] = {
            HIDDEN: source.hidden[:, :, first:last],
            HARMONICS: source.harmonics[:, :, FRAMES_PER_STEP * first : FRAMES_PER_STEP * last + 1],
            SCALE: affine.scale,
            SHIFT: affine.shift,
            CROP: np.array([late_first - first, late_last - first], dtype=np.int64),
        }
        (samples,) = self._window.run((SAMPLES,), feeds, cancel)
        return samples[(window.first - late_first) * SAMPLES_PER_STEP : (window.last - late_first) * SAMPLES_PER_STEP]

    def whole(self, source: Source, style: Floats, cancel: CancelToken) -> Floats:
        """All samples, with the utterance's own statistics."""
        (samples,) = self._whole.run((SAMPLES,), self.feeds(source, style), cancel)
        return samples

    def measure(self, source: Source, style: Floats, cancel: CancelToken) -> tuple[Floats, Statistics]:
        """All samples, and the statistics they were made with."""
        outputs = (SAMPLES, MEANS, VARIANCES)
        samples, means, variances = self._whole.run(outputs, self.feeds(source, style), cancel)
        return samples, Statistics(means=means.reshape(-1), variances=variances.reshape(-1))

    def feeds(self, source: Source, style: Floats) -> dict[str, Floats]:
        """What a graph that measures is fed."""
        styled = self._styled(style).reshape(2, 1, CHANNELS, 1)
        return {HIDDEN: source.hidden, HARMONICS: source.harmonics, SCALE: styled[0], SHIFT: styled[1]}

    def _styled(self, style: Floats) -> Floats:
        """What the style alone does to every norm, [2, CHANNELS]: scale and shift."""
        half = np.append(style[0, :128], np.float32(1))
        styled: Floats = self._style @ half
        return styled
