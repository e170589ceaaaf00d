"""Windows of other sizes than ours, in one run: how soon the first is there, how late the others, how long each holds
up everybody else.

Front and body are left out, for all have them alike: each utterance is taken as far as the generator's input once.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from firstword.audio import SAMPLE_RATE_HZ
from firstword.bench.page_load import busy_loops
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, summarize
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.generator.fit.collect import Prepared, prepare
from firstword.kokoro.generator.fit.corpus import to_judge
from firstword.kokoro.generator.windows import SIZES
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["TRIED", "Sizes", "run"]

type Steps = tuple[int, ...]

TRIED: Final[tuple[Steps, ...]] = (
    SIZES, (20,), (24, 24, 28), (20, 20, 40), (20, 40), (20, 40, 80), (24, 24, 24, 28, 36, 48), (16, 32),
)  # fmt: skip
"""Steps of 12.5 ms; the last size repeats."""
_LOOKED_AT, _EVERY = 140, 7
_FEWEST_STEPS: Final = 100
"""Of sentences: in shorter ones there is no later window to speak of."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """`slack_ms`: by how much the latest window of a sentence came before playback would have run dry, had it begun
    with the first window. `real_time_factor`: of the generator alone."""

    steps: Steps
    first_window_ms: Summary
    longest_window_ms: Summary
    slack_ms: Summary
    real_time_factor: Summary


def run(trials: int, utterances: int, busy: int, progress: Callable[[str], None]) -> tuple[Sizes, ...]:
    """Decode `utterances` sentences in windows of each size, `trials` times, beside `busy` loops of this process's own
    priority. Raises ConfigError for a model without a predictor, AssetError where the weights cannot be had."""
    progress("loading the voice")
    voice = KokoroVoice(VoiceSettings.load(decode="streamed"), AssetSettings.load())
    spoken = list(islice(_long_enough(voice), utterances))
    taken: dict[Steps, list[_Timed]] = {steps: [] for steps in TRIED}
    with busy_loops(busy):
        for index, of in enumerate(spoken):
            for steps, counts in interleaved(TRIED, trials, warm_ups=1):
                progress(f"sentence {index + 1} of {len(spoken)}: {steps}")
                timed = _time(of, steps)
                if counts:
                    taken[steps].append(timed)
    return tuple(_summary(steps, of) for steps, of in taken.items())


def _long_enough(voice: KokoroVoice) -> Iterator[Prepared]:
    """Sentences that are never fitted on, by several voices."""
    for utterance in islice(to_judge(_LOOKED_AT), 0, None, _EVERY):
        prepared = prepare(voice, utterance)
        if prepared.kept[1] - prepared.kept[0] >= _FEWEST_STEPS:
            yield prepared


@dataclass(frozen=True, kw_only=True)
class _Timed:
    first_s: float
    longest_s: float
    slack_s: float
    factor: float


def _time(of: Prepared, steps: Steps) -> _Timed:
    began_s = before_s = time.perf_counter()
    ends_s, sizes = [], []
    for part in of.generator.by(sizes=steps).stretches(of.source, of.style, of.kept, CancelToken()):
        ends_s.append(time.perf_counter())
        sizes.append(len(part))
    works_s = [end_s - start_s for start_s, end_s in zip([before_s, *ends_s], ends_s, strict=False)]
    return _Timed(
        first_s=ends_s[0] - began_s,
        longest_s=max(works_s),
        slack_s=_slack_s(ends_s, [size / SAMPLE_RATE_HZ for size in sizes]),
        factor=(ends_s[-1] - began_s) * SAMPLE_RATE_HZ / sum(sizes),
    )


def _slack_s(ends_s: Sequence[float], lasts_s: Sequence[float]) -> float:
    """When each window but the first came, against when all before it were heard."""
    dry_s, slacks_s = ends_s[0] + lasts_s[0], []
    for end_s, last_s in zip(ends_s[1:], lasts_s[1:], strict=True):
        slacks_s.append(dry_s - end_s)
        dry_s += last_s
    return min(slacks_s)


def _summary(steps: Steps, of: Sequence[_Timed]) -> Sizes:
    def over(figure: Callable[[_Timed], float], digits: int) -> Summary:
        return summarize([round(figure(timed), digits) for timed in of])

    return Sizes(
        steps=steps,
        first_window_ms=over(lambda timed: 1000 * timed.first_s, 1),
        longest_window_ms=over(lambda timed: 1000 * timed.longest_s, 1),
        slack_ms=over(lambda timed: 1000 * timed.slack_s, 1),
        real_time_factor=over(lambda timed: timed.factor, 3),
    )
