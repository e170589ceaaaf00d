"""How good the voice is: words heard back, sound, loudness, joins, silence at the ends. Against a stored baseline.

60 sentences and 10 paragraphs of ours, or a few of each. A figure outside its band of the baseline (of the same texts)
is a regression; the band is what machines and builds differ by, not what a listener would forgive.
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

__all__ = ["BANDS", "REFERENCE", "Quality", "Utterance", "corpus_texts", "load_baseline", "regressions", "run"]

REFERENCE: Final = {
    "Hello there.": 1.525,
    "This is a post deployment check.": 2.250,
    "It has three sentences.": 2.050,
}
"""Seconds that the public write-up's three sentences take, voice af_heart, untrimmed."""

BANDS: Final = {"word_error_rate": 0.01, "dnsmos": 0.05, "dnsmos_p808": 0.05, "loudness_dbfs": 0.5, "faults": 0.0}
_SPEED_BAND: Final = 0.03
"""How much longer or shorter all texts together may become, as a part of the baseline."""
_SILENCE_BAND_S: Final = 0.05
_SHORT: Final = (3, 1)
_SHORT_SLACK: Final = 3.0
"""Means of few texts differ by more."""
_FEW: Final = 10


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
    joins: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Means over all utterances; `faults` is their number, `joins` that of the places looked at most closely.

    `reference_s` are measured durations of REFERENCE, `reference_off` by what part each differs from it.
    """

    voice: str
    word_error_rate: float
    dnsmos: float
    dnsmos_p808: float
    loudness_dbfs: float
    silence_before_s: float
    silence_after_s: float
    audio_s: float
    joins: int
    faults: int
    reference_s: dict[str, float]
    reference_off: dict[str, float]
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
    for text in texts or corpus_texts():
        progress(text)
        utterances.append(_look_at(speak(synthesizer, text, options), hear))
    measured = _reference(synthesizer)
    return _together(voice, measured, utterances)


def corpus_texts(*, short: bool = False) -> tuple[str, ...]:
    """All texts, or with `short` the first few of each kind."""
    sentences, paragraphs = _SHORT if short else (None, None)
    return (*corpus.sentences()[:sentences], *corpus.paragraphs()[:paragraphs])


def _together(voice: str, reference_s: dict[str, float], utterances: Sequence[Utterance]) -> Quality:
    return Quality(
        voice=voice,
        word_error_rate=round(fmean(item.word_error_rate for item in utterances), 4),
        dnsmos=round(fmean(item.dnsmos for item in utterances), 3),
        dnsmos_p808=round(fmean(item.dnsmos_p808 for item in utterances), 3),
        loudness_dbfs=round(fmean(item.loudness_dbfs for item in utterances), 2),
        silence_before_s=round(fmean(item.silence_before_s for item in utterances), 3),
        silence_after_s=round(fmean(item.silence_after_s for item in utterances), 3),
        audio_s=round(sum(item.audio_s for item in utterances), 3),
        joins=sum(item.joins for item in utterances),
        faults=sum(len(item.faults) for item in utterances),
        reference_s=reference_s,
        reference_off={text: round(said / REFERENCE[text] - 1, 4) for text, said in reference_s.items()},
        utterances=tuple(utterances),
    )


def regressions(now: Quality, before: Quality) -> list[str]:
    """What is worse than the baseline by more than its band, a line each; only texts that are in both are compared.

    Raises UsageError if none is, or if another voice was measured.
    """
    if now.voice != before.voice:
        raise UsageError(f"The baseline is of {before.voice}, this is {now.voice}.")
    texts = {item.text for item in now.utterances} & {item.text for item in before.utterances}
    if not texts:
        raise UsageError("The baseline has none of these texts.")
    now, before = (
        _together(each.voice, each.reference_s, [item for item in each.utterances if item.text in texts])
        for each in (now, before)
    )
    slack = _SHORT_SLACK if len(texts) < _FEW else 1.0
    worse = [
        f"{name} is {getattr(now, name):g}, the baseline {getattr(before, name):g}, the band {band:g}"
        for name, band in ((name, slack * band) for name, band in BANDS.items())
        if _off(name, getattr(now, name), getattr(before, name)) > band
    ]
    if abs(now.audio_s / before.audio_s - 1) > slack * _SPEED_BAND:
        band = f"{slack * _SPEED_BAND:.0%}"
        worse.append(f"the audio is {now.audio_s:g} s, the baseline {before.audio_s:g} s, the band {band}")
    for name in ("silence_before_s", "silence_after_s"):
        value, was = getattr(now, name), getattr(before, name)
        if abs(value - was) > slack * _SILENCE_BAND_S:
            worse.append(f"{name} is {value:g}, the baseline {was:g}, the band {slack * _SILENCE_BAND_S:g}")
    return worse


def _off(name: str, value: float, was: float) -> float:
    if name == "loudness_dbfs":
        return abs(value - was)
    return was - value if name.startswith("dnsmos") else value - was


def load_baseline(path: Path) -> Quality:
    """The figures of an earlier run's JSON. Raises UsageError if the file holds none."""
    try:
        return msgspec.convert(msgspec.json.decode(path.read_bytes())["results"], Quality)
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
        joins=len(spoken.joins_s),
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
