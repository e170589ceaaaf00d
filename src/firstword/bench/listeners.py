"""Several listeners at once on one voice: what each hears, with the deadline order and without, against one alone.

The scheduler, its listeners and the voice as a server holds them, in this process, no network. Every listener takes
audio no further ahead of playback than a session does, and begins to play with the first of it. Above it: `cli`.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firstword.bench import corpus
from firstword.bench.playback import listen
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, ratio, summarize
from firstword.bench.voice import open_voice
from firstword.config import ServerSettings
from firstword.kokoro.synthesizer import CancelToken, Decoding, Piece, SpokenWord, Synthesizer, VoiceOptions
from firstword.speech.items import Audio
from firstword.speech.order import Claim
from firstword.speech.scheduler import Scheduler
from firstword.speech.service import SpeechService

__all__ = ["Crowd", "Listeners", "run"]

_ALONE: Final = "one alone"
_DEADLINE: Final = "deadline order"
_ARRIVAL: Final = "order of arrival"
_PAUSE_S: Final = 0.05
"""Between the listeners' requests: at once, as far as people are."""


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """Figures of one way of serving. `worst_first_audio_ms` is one for each trial, the rest by listener, medians."""

    order: str
    first_audio_ms: tuple[float, ...]
    worst_first_audio_ms: Summary
    underrun_ms: tuple[float, ...]
    underruns: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Listeners:
    """`longest_step_ms`: nobody waits longer for a step that has begun. `worst_over_alone`: of the first audio."""

    listeners: int
    audio_s: tuple[float, ...]
    crowds: tuple[Crowd, ...]
    worst_over_alone: dict[str, float | None]
    real_time_factor: float
    median_step_ms: dict[str, float]
    longest_step_ms: dict[str, float]


def run(
    listeners: int,
    trials: int,
    progress: Callable[[str], None],
    *,
    max_lead_s: float | None = ServerSettings().max_lead_s,
    **voice: str,
) -> Listeners:
    """Let `listeners` ask for a paragraph each at once, `trials` times in each order; `voice` are its settings."""
    progress("loading the voice")
    return asyncio.run(_run(_Watched(open_voice(**voice)), listeners, trials, progress, max_lead_s))


async def _run(
    voice: "_Watched", listeners: int, trials: int, progress: Callable[[str], None], max_lead_s: float | None
) -> Listeners:
    samples: dict[str, list[list[_Hearing]]] = {_ALONE: [], _DEADLINE: [], _ARRIVAL: []}
    for way, counts in interleaved(tuple(samples), trials, warm_ups=0):
        progress(way)
        scheduler = Scheduler(order=_first_come) if way == _ARRIVAL else Scheduler()
        heard = await _crowd(SpeechService(voice, scheduler=scheduler), 1 if way == _ALONE else listeners, max_lead_s)
        if counts:
            samples[way].append(heard)
    crowds = {way: _figures(way, of) for way, of in samples.items()}
    alone = crowds[_ALONE].worst_first_audio_ms.median
    over = {way: ratio(crowds[way].worst_first_audio_ms.median, alone) for way in (_DEADLINE, _ARRIVAL)}
    return Listeners(
        listeners=listeners,
        audio_s=tuple(round(hearing.audio_s, 2) for hearing in samples[_DEADLINE][0]),
        crowds=tuple(crowds.values()),
        worst_over_alone={way: None if value is None else round(value, 2) for way, value in over.items()},
        real_time_factor=round(voice.worked_s / voice.made_s, 3),
        median_step_ms={kind: round(summarize(taken).median, 1) for kind, taken in voice.steps_ms.items()},
        longest_step_ms={kind: round(max(taken), 1) for kind, taken in voice.steps_ms.items()},
    )


@dataclass(frozen=True, kw_only=True)
class _Hearing:
    first_ms: float
    underrun_ms: float
    underruns: int
    audio_s: float


async def _crowd(service: SpeechService, listeners: int, max_lead_s: float | None) -> list[_Hearing]:
    texts = corpus.paragraphs()
    async with service.running():
        return await asyncio.gather(
            *(_listen(service, texts[number], number * _PAUSE_S, max_lead_s) for number in range(listeners))
        )


def _first_come(claims: Sequence[Claim], _now_s: float) -> int:
    """Claims stand in the order in which their listeners came."""
    return min(range(len(claims)))


async def _listen(service: SpeechService, text: str, after_s: float, max_lead_s: float | None) -> _Hearing:
    await asyncio.sleep(after_s)
    began_s, arrivals = time.monotonic(), []
    with service.listen(max_lead_s=max_lead_s) as listener:
        utterance = service.say(listener, VoiceOptions(), live=False)
        utterance.feed(text)
        utterance.finish()
        async for item in listener.items(utterance):
            if isinstance(item, Audio):
                arrivals.append(((time.monotonic() - began_s) * 1000, len(item.pcm)))
                await asyncio.sleep(listener.hold_s())
    heard = listen(arrivals, 24_000)
    return _Hearing(
        first_ms=arrivals[0][0],
        underrun_ms=heard.underrun_ms,
        underruns=len(heard.stalls),
        audio_s=sum(size for _, size in arrivals) / 48_000,
    )


def _figures(order: str, of: list[list[_Hearing]]) -> Crowd:
    def medians(figure: Callable[[_Hearing], float]) -> tuple[float, ...]:
        return tuple(round(summarize([figure(hearing) for hearing in one]).median, 1) for one in zip(*of, strict=True))

    return Crowd(
        order=order,
        first_audio_ms=medians(lambda hearing: hearing.first_ms),
        worst_first_audio_ms=summarize([round(max(hearing.first_ms for hearing in each), 1) for each in of]),
        underrun_ms=medians(lambda hearing: hearing.underrun_ms),
        underruns=medians(lambda hearing: hearing.underruns),
    )


class _Watched:
    """A voice whose steps are timed, by what they do."""

    def __init__(self, voice: Synthesizer) -> None:
        self._voice = voice
        self.steps_ms: dict[str, list[float]] = {}
        self.worked_s = 0.0
        self.made_s = 0.0
        self.check, self.plan, self.symbols, self.voices, self.warm = (
            voice.check, voice.plan, voice.symbols, voice.voices, voice.warm,
        )  # fmt: skip

    def begin(self, piece: Piece, cancel: CancelToken) -> Decoding:
        began_s = time.perf_counter()
        decoding = self._voice.begin(piece, cancel)
        self.note("front", began_s)
        self.made_s += decoding.duration_s
        return _WatchedDecoding(decoding, self)

    def note(self, kind: str, began_s: float) -> None:
        taken_s = time.perf_counter() - began_s
        self.worked_s += taken_s
        self.steps_ms.setdefault(kind, []).append(taken_s * 1000)


class _WatchedDecoding:
    def __init__(self, decoding: Decoding, voice: _Watched) -> None:
        self._decoding = decoding
        self._voice = voice
        self.words: Sequence[SpokenWord] = decoding.words
        self.duration_s = decoding.duration_s

    def prepare(self) -> None:
        began_s = time.perf_counter()
        self._decoding.prepare()
        self._voice.note("body", began_s)

    def step(self) -> bytes | None:
        began_s = time.perf_counter()
        pcm = self._decoding.step()
        if pcm is not None:
            self._voice.note("window", began_s)
        return pcm
