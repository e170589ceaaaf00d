"""Our generator: an utterance window by window from foretold statistics, or whole, by the same weights."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.features import features
from firstword.kokoro.generator.layout import CHANNELS, STAGES
from firstword.kokoro.generator.moments import InnerMeans
from firstword.kokoro.generator.names import (
    CROP,
    EARLY,
    HARMONICS,
    HIDDEN,
    LATE,
    MEANS,
    SAMPLES,
    SCALE,
    SHIFT,
    VARIANCES,
)
from firstword.kokoro.generator.past import EARLY_FRAMES, LAG_SAMPLES, LATE_FRAMES, block_reach, following, nothing
from firstword.kokoro.generator.predictor import Predictor, Statistics
from firstword.kokoro.generator.product import times
from firstword.kokoro.generator.windows import BEFORE_STEPS, SIZES, Window, windows
from firstword.kokoro.inference import Load, Runnable
from firstword.kokoro.source import FRAMES_PER_STEP, SAMPLES_PER_STEP, Source
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["Affine", "WindowedGenerator"]

type Floats = NDArray[np.float32]
_EPSILON: Final = np.float32(1e-5)
_SHORTEST_STEPS: Final = 32
"""Of speech, 0.4 s: "I" and "a" are shorter, hardly another word at normal speed. Half of it is a first window."""
_SHORTEST_WITHOUT_SILENCE: Final = 80
"""Steps in all, of what is spoken to its last step. Windows hear that step over and over beyond the end, where the
whole hears nothing, and lose up to 25 ms of a word; and of sound without silence statistics are foretold worst."""
_LATE_STEPS: Final = BEFORE_STEPS + 5
"""So many steps later than the first stage the second begins: one later costs up to 24 dB, one sooner gains nothing."""


@dataclass(frozen=True, kw_only=True)
class Affine:
    """What every norm of one utterance does to its input: times `scale`, plus `shift`, [1, CHANNELS, 1] each."""

    scale: Floats
    shift: Floats


class WindowedGenerator:
    """`parts` holds the files of `PART_NAMES` by stem, `load` opens a graph, and `window` decodes one.

    Unless told to take windows `always`, it decodes whole what is too short to gain by them: foretold statistics fit
    short texts worst.
    """

    def __init__(
        self, parts: Mapping[str, Path], load: Load, window: Runnable, predictor: Predictor, *, always: bool
    ) -> None:
        self._predictor = predictor
        self._always = always
        try:
            self._style: Floats = np.load(parts["style"])
        except (OSError, ValueError) as error:
            raise AssetCorrupt("style.npy cannot be read.", hint="Run firstword models pull.") from error
        self._inner = InnerMeans(parts["inner"])
        self._window = window
        self._sizes: tuple[int, ...] = SIZES
        self._whole = load(parts["whole"])

    def by(self, window: Runnable | None = None, *, sizes: tuple[int, ...] = SIZES) -> "WindowedGenerator":
        """The same, its windows decoded by another graph that hears and says what ours does, or of other sizes."""
        other = copy.copy(self)
        other._window = window or self._window
        other._sizes = sizes
        return other

    def stretches(self, source: Source, style: Floats, kept: tuple[int, int], cancel: CancelToken) -> Iterator[Floats]:
        first, last = kept
        if not self._always and _is_too_short(first, last, source.steps):
            yield self.whole(source, style, cancel)[first * SAMPLES_PER_STEP : last * SAMPLES_PER_STEP]
            return
        yield from self.pieces(source, self.affine(style, self.foretell(source, style)), kept, cancel)

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

    def pieces(self, source: Source, affine: Affine, kept: tuple[int, int], cancel: CancelToken) -> Iterator[Floats]:
        """The samples of the steps `kept[0]:kept[1]`, window by window."""
        past = nothing()
        given, end = SAMPLES_PER_STEP * kept[0], SAMPLES_PER_STEP * kept[1]
        for number, window in enumerate(windows(*kept, sizes=self._sizes)):
            feeds = {SCALE: affine.scale, SHIFT: affine.shift, **_heard(source, window, starts=number == 0)}
            samples, *kept_back = self._window.run((SAMPLES, *map(following, past)), feeds | past, cancel)
            past = dict(zip(past, kept_back, strict=True))
            made = SAMPLES_PER_STEP * window.fed_last - LAG_SAMPLES
            yield samples[given - made : min(end - made, 0) or None]
            given = min(made, end)

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
        return times(self._style, half)


def _is_too_short(first: int, last: int, steps: int) -> bool:
    """Whether the steps `first:last` of so many are better decoded whole."""
    return last - first < _SHORTEST_STEPS or (last == steps and steps < _SHORTEST_WITHOUT_SILENCE)


def _heard(source: Source, window: Window, *, starts: bool) -> dict[str, NDArray[Any]]:
    """What of the source a window is fed, and what is dropped of it: at the start, what is there only to be heard."""
    first, last, late = window.fed_first, window.fed_last, _LATE_STEPS if starts else 0
    noises = [block_reach(stage.noise) if starts else 0 for stage in STAGES]
    crop = [noises[0], STAGES[0].stride * late, noises[1]]
    early = FRAMES_PER_STEP * first + EARLY_FRAMES[0] - STAGES[0].noise_stride * noises[0]
    later = FRAMES_PER_STEP * (first + late) + LATE_FRAMES[0] - STAGES[1].noise_stride * noises[1]
    return {
        HIDDEN: _between(source.hidden, first - 1, last),
        EARLY: _between(source.harmonics, early, FRAMES_PER_STEP * last + EARLY_FRAMES[1]),
        LATE: _between(source.harmonics, later, FRAMES_PER_STEP * last + LATE_FRAMES[1]),
        CROP: np.array(crop, dtype=np.int64),
    }


def _between(values: Floats, first: int, last: int) -> Floats:
    """`values` of that time; beyond either end the outermost, which is silence nearly always."""
    if first >= 0 and last <= values.shape[2]:
        return values[:, :, first:last]
    return values[:, :, np.clip(np.arange(first, last), 0, values.shape[2] - 1)]
