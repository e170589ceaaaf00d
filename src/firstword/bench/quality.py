"""How good the voice is: words heard back, sound, loudness, joins, silence at the ends. Against a stored baseline.

60 sentences and 10 paragraphs of ours. A figure outside its band of the baseline is a regression; the band is what
runs on one machine differ by, not what a listener would forgive.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec
import numpy as np

from firstword import audio
from firstword.bench import corpus
from firstword.bench.hearing import opinion, transcribe, word_error_rate
from firstword.bench.joins import Fault, find_faults
from firstword.bench.voice import Spoken, open_voice, speak
from firstword.errors import UsageError
from firstword.kokoro.synthesizer import Synthesizer, VoiceOptions

__all__ = ["BANDS", "REFERENCE", "Quality", "Utterance", "load_baseline", "regressions", "run"]

REFERENCE: Final = {
    "Hello there.": 1.525,
    "This is a post deployment check.": 2.250,
    "It has three sentences.": 2.050,
}
"""Seconds that the public write-up's three sentences take, voice af_heart, untrimmed."""

BANDS: Final = {"word_error_rate": 0.01, "dnsmos": 0.05, "dnsmos_p808": 0.05, "loudness_dbfs": 0.5, "faults": 0}


@dataclass(frozen=True, kw_only=True)
class Utterance:
    text: str
    heard: str
    word_error_rate: float
    dnsmos: float
    dnsmos_p808: float
    loudness_dbfs: float
    silence_before_s: float
    silence_after_s: float
    audio_s: float
    faults: tuple[Fault, ...]


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Means over all utterances; `faults` is their number. `reference_s` are measured durations of REFERENCE."""

    voice: str
    word_error_rate: float
    dnsmos: float
    dnsmos_p808: float
    loudness_dbfs: float
    faults: int
    reference_s: dict[str, float]
    utterances: tuple[Utterance, ...]


def run(
    progress: Callable[[str], None],
    voice: str = "af_heart",
    texts: Sequence[str] | None = None,
    hear: Callable[[bytes], str] = transcribe,
) -> Quality:
    """Speak, hear back and look at every text (default: the whole corpus). `hear` turns PCM into words."""
    synthesizer = open_voice()
    options = VoiceOptions(voice=voice)
    utterances = []
    for text in texts or (*corpus.sentences(), *corpus.paragraphs()):
        progress(text)
        utterances.append(_look_at(speak(synthesizer, text, options), hear))
    return Quality(
        voice=voice,
        word_error_rate=round(fmean(item.word_error_rate for item in utterances), 4),
        dnsmos=round(fmean(item.dnsmos for item in utterances), 3),
        dnsmos_p808=round(fmean(item.dnsmos_p808 for item in utterances), 3),
        loudness_dbfs=round(fmean(item.loudness_dbfs for item in utterances), 2),
        faults=sum(len(item.faults) for item in utterances),
        reference_s=_reference(synthesizer),
        utterances=tuple(utterances),
    )


def regressions(now: Quality, before: dict[str, float]) -> list[str]:
    """What is worse than the baseline by more than its band, a line each."""
    worse = []
    for name, band in BANDS.items():
        value, was = float(getattr(now, name)), float(before[name])
        off = abs(value - was) if name == "loudness_dbfs" else was - value if name.startswith("dnsmos") else value - was
        if off > band:
            worse.append(f"{name} is {value:g}, the baseline {was:g}, the band {band:g}")
    return worse


def load_baseline(path: Path) -> dict[str, float]:
    """The figures of an earlier run's JSON. Raises UsageError if the file holds none."""
    try:
        results = msgspec.json.decode(path.read_bytes())["results"]
        return {name: float(results[name]) for name in BANDS}
    except (OSError, msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path} holds no result of bench quality.") from error


def _look_at(spoken: Spoken, hear: Callable[[bytes], str]) -> Utterance:
    heard, score = hear(spoken.pcm), opinion(spoken.pcm)
    before_s, after_s = _ends_s(spoken.pcm)
    return Utterance(
        text=spoken.text,
        heard=heard,
        word_error_rate=round(word_error_rate(spoken.text, heard), 4),
        dnsmos=round(score.overall, 3),
        dnsmos_p808=round(score.p808, 3),
        loudness_dbfs=round(_loudness_dbfs(spoken.pcm), 2),
        silence_before_s=before_s,
        silence_after_s=after_s,
        audio_s=round(audio.duration_s(len(spoken.pcm)), 3),
        faults=tuple(find_faults(spoken.pcm, spoken.joins_s)),
    )


def _ends_s(pcm: bytes) -> tuple[float, float]:
    samples = np.frombuffer(pcm, dtype="<i2")
    backwards = samples[::-1].tobytes()
    return round(audio.first_audible_s(pcm) or 0.0, 3), round(audio.first_audible_s(backwards) or 0.0, 3)


def _loudness_dbfs(pcm: bytes) -> float:
    """RMS of the 10 ms windows that are audible, so that pauses do not count."""
    samples = audio.pcm_to_float(pcm)
    windows = samples[: len(samples) // 240 * 240].reshape(-1, 240)
    power = np.mean(np.square(windows), axis=1)
    loud = power[power > 10 ** (-45 / 10)]
    return float(10 * np.log10(loud.mean())) if len(loud) else -120.0


def _reference(synthesizer: Synthesizer) -> dict[str, float]:
    untrimmed = VoiceOptions(trim=False)
    return {text: round(audio.duration_s(len(speak(synthesizer, text, untrimmed).pcm)), 3) for text in REFERENCE}
