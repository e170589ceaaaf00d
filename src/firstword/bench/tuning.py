"""What runs the voice best on this machine: every backend, thread count and way of waiting that is there, in one run.

Each candidate is loaded, warmed and measured in every round, one at a time, so that a slow minute hits all alike and
memory holds one model. The best is the one with the smallest product of first audio and real-time factor; the default
goes only for one that is clearly better, since a run is noisy, and spinning only for more, since it takes the cores
from whatever runs beside the voice.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from firstword import audio
from firstword.bench import corpus
from firstword.bench.other_work import OtherWork
from firstword.bench.statistics import Summary, summarize
from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import FirstwordError
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, Piece, VoiceOptions
from firstword.kokoro.tuning import Choice, candidates, keep, key_of

__all__ = ["Candidate", "Tuned", "best", "tune"]

_ROUNDS: Final = 2
_WORTH_CHANGING: Final = 0.95
_WORTH_SPINNING: Final = 0.90
_ORIGIN: Final = "tuned"
_DISTURBING: Final = 0.1
"""Of all cores: a busy loop on two is half."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """`decode` full is the model's own graph: shown beside the others, never chosen, for that is a setting."""

    choice: Choice
    decode: str
    first_audio_ms: Summary
    real_time_factor: Summary

    @property
    def score(self) -> float:
        return self.first_audio_ms.median * self.real_time_factor.median


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """`kept`: whether the choice could be written to the cache. `absent`: candidates that did not run, and why.
    `other_work`: the part of all cores that others used meanwhile, None where that is not known."""

    chosen: Choice
    kept: bool
    candidates: tuple[Candidate, ...]
    absent: tuple[str, ...]
    other_work: float | None

    @property
    def disturbed(self) -> bool:
        return (self.other_work or 0.0) > _DISTURBING


def tune(trials: int, progress: Callable[[str], None]) -> Tuned:
    """Measure all candidates, choose and keep the choice. Raises AssetError where the weights cannot be had."""
    assets = AssetSettings.load()
    store = open_store(assets)
    store.ensure()
    manifest = store.manifest()
    piece = KokoroVoice(VoiceSettings(), assets).plan(corpus.lengths()[1], VoiceOptions())[0]
    others = OtherWork()
    measured, absent = _measure(
        [(choice, decode) for decode, choices in _ways(manifest.precision).items() for choice in choices],
        piece,
        assets,
        trials,
        progress,
    )
    other_work = others.share()
    chosen = best(measured)
    kept = keep(store.base, key_of(manifest.files[MODEL].sha256), chosen)
    return Tuned(chosen=chosen, kept=kept, candidates=tuple(measured), absent=tuple(absent), other_work=other_work)


def best(measured: Sequence[Candidate]) -> Choice:
    """The choice; the first candidate that is not decoded whole is the default."""
    streamed = [candidate for candidate in measured if candidate.decode != "full"]
    default = winner = streamed[0]
    for candidate in streamed[1:]:
        worth = _WORTH_SPINNING if candidate.choice.spinning else _WORTH_CHANGING
        if candidate.score < default.score * worth and candidate.score < winner.score:
            winner = candidate
    return replace(winner.choice, origin=_ORIGIN)


def _ways(precision: str) -> dict[str, list[Choice]]:
    every = candidates(precision)
    own = next(choice for choice in every if choice.backend != "openvino")  # which does not run the model's own graphs
    return {"streamed": every, "full": [own]}


def _measure(
    ways: Sequence[tuple[Choice, str]],
    piece: Piece,
    assets: AssetSettings,
    trials: int,
    progress: Callable[[str], None],
) -> tuple[list[Candidate], list[str]]:
    samples: dict[tuple[Choice, str], list[tuple[float, float]]] = {way: [] for way in ways}
    absent: dict[tuple[Choice, str], str] = {}
    for turn in range(_ROUNDS):
        for way in ways if turn % 2 == 0 else tuple(reversed(ways)):
            choice, decode = way
            progress(f"{decode}: {choice.named}")
            try:
                samples[way] += _speak(_voice(choice, decode, assets), piece, -(-trials // _ROUNDS))
            except FirstwordError as error:
                absent[way] = f"{decode}: {choice.named}: {error.message}"
    measured = [
        Candidate(
            choice=choice,
            decode=decode,
            first_audio_ms=summarize([round(first * 1000, 1) for first, _ in of]),
            real_time_factor=summarize([round(factor, 3) for _, factor in of]),
        )
        for (choice, decode), of in samples.items()
        if of
    ]
    return measured, list(absent.values())


def _voice(choice: Choice, decode: str, assets: AssetSettings) -> KokoroVoice:
    settings = VoiceSettings(
        backend=choice.backend,
        threads=choice.threads,
        spinning="on" if choice.spinning else "off",
        windows=choice.windows,
        decode=decode,
        tuned=False,
    )
    return KokoroVoice(settings, assets)


def _speak(voice: KokoroVoice, piece: Piece, trials: int) -> list[tuple[float, float]]:
    """Seconds to the first step's end and the real-time factor, of each trial after one to warm up."""
    samples = []
    for trial in range(trials + 1):
        started, first_s, size = time.perf_counter(), 0.0, 0
        decoding = voice.begin(piece, CancelToken())
        while (step := decoding.step()) is not None:
            first_s = first_s or time.perf_counter() - started
            size += len(step)
        if trial:
            samples.append((first_s, (time.perf_counter() - started) / audio.duration_s(size)))
    return samples
