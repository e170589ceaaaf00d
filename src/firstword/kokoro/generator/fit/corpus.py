"""Which sentences are spoken by which voice at which speed, for fitting and for judging: the same for every run."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from firstword.kokoro.synthesizer import VoiceOptions
from firstword.kokoro.voices import VOICES

__all__ = ["JUDGES", "Utterance", "in_own_languages", "short_ones", "to_fit", "to_judge"]

_HELD_OUT_EVERY: Final = 4
_SPEEDS: Final = (0.5, 0.7, 0.85, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.15, 1.4, 2.0)
_SHORT_CHARS: Final = 45
_VERY_SHORT_CHARS: Final = 24
_FAVOURITE: Final = "af_heart"
_EXTRA_A_ROUND: Final = 6
_ROUNDS: Final = 40
JUDGES: Final = (
    "af_heart", "af_bella", "af_nicole", "am_michael", "am_puck", "bf_emma",
    "bm_george", "ef_dora", "ff_siwis", "hm_omega", "jf_alpha", "zm_yunxi",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Utterance:
    text: str
    options: VoiceOptions


def to_fit(seed: int = 1) -> Iterator[Utterance]:
    """In rounds: every voice once, the default voice and blends of two a few times more.

    A voice of another language speaks English every other time.
    """
    rng = random.Random(seed)
    for voice in _voices(rng):
        own = VOICES[voice].language if voice in VOICES else "en-us"
        language = own if own.startswith("en") or rng.random() < 0.5 else "en-us"
        texts = [text for index, text in enumerate(_sentences(language)) if index % _HELD_OUT_EVERY != 1]
        text = rng.choice(texts)
        if len(text) > _SHORT_CHARS and rng.random() < 0.5:  # short ones fit worst, and they cost least
            text = rng.choice(texts)
        yield Utterance(text=text, options=_options(voice, rng.choice(_SPEEDS), language))


def _voices(rng: random.Random) -> list[str]:
    names, chosen = list(VOICES), []
    for _ in range(_ROUNDS):
        order = list(names)
        rng.shuffle(order)
        chosen += order + [_FAVOURITE] * _EXTRA_A_ROUND
        for _ in range(_EXTRA_A_ROUND):
            first, second = rng.sample(names, 2)
            share = rng.choice([0.3, 0.5, 0.7])
            chosen.append(f"{first}*{share}+{second}*{1 - share:.1f}")
    return chosen


def to_judge(count: int) -> Iterator[Utterance]:
    """Sentences that are never fitted on, over twelve voices, at speed one."""
    texts = [text for index, text in enumerate(_sentences("en-us")) if index % _HELD_OUT_EVERY == 1]
    for index in range(count):
        yield Utterance(text=texts[index * 7 % len(texts)], options=_options(JUDGES[index % len(JUDGES)], 1.0, "en-us"))


def short_ones(count: int) -> Iterator[Utterance]:
    """Texts of a few words that are never fitted on, over twelve voices."""
    texts = [text for index, text in enumerate(_sentences("en-us")) if index % _HELD_OUT_EVERY == 1]
    for index, text in enumerate([text for text in texts if len(text) < _VERY_SHORT_CHARS][:count]):
        yield Utterance(text=text, options=_options(JUDGES[index % len(JUDGES)], 1.0, "en-us"))


def in_own_languages(of_each: int = 4) -> Iterator[Utterance]:
    """Sentences that are never fitted on, in every language but English by the voices of that language in turn."""
    languages = sorted({info.language for info in VOICES.values()} - {"en-us", "en-gb"})
    for language in languages:
        voices = [name for name, info in VOICES.items() if info.language == language]
        texts = [text for index, text in enumerate(_sentences(language)) if index % _HELD_OUT_EVERY == 1]
        for index, text in enumerate(texts[-of_each:]):
            yield Utterance(text=text, options=_options(voices[index % len(voices)], 1.0, language))


def _options(voice: str, speed: float, language: str) -> VoiceOptions:
    return VoiceOptions(voice=voice, speed=speed, language=language, trim=False)


@cache
def _sentences(language: str) -> tuple[str, ...]:
    name = "sentences.txt" if language.startswith("en") else f"sentences.{language}.txt"
    lines = files("firstword.kokoro.generator.fit").joinpath(name).read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))
