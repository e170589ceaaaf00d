"""Which sentences are spoken by which voice at which speed, for fitting and for judging: the same for every run."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from firstword.kokoro.synthesizer import VoiceOptions
from firstword.kokoro.voices import VOICES

__all__ = ["Utterance", "to_fit", "to_judge"]

_HELD_OUT_EVERY: Final = 4
_SPEEDS: Final = (0.7, 0.85, 1.0, 1.0, 1.0, 1.0, 1.15, 1.4, 1.8)
_SHORT_CHARS: Final = 45
_FAVOURITE: Final = "af_heart"
_EXTRA_A_ROUND: Final = 6
_ROUNDS: Final = 40
_JUDGES: Final = (
    "af_heart", "af_bella", "af_nicole", "am_michael", "am_puck", "bf_emma",
    "bm_george", "ef_dora", "ff_siwis", "hm_omega", "jf_alpha", "zm_yunxi",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Utterance:
    text: str
    options: VoiceOptions


def to_fit(seed: int = 1) -> Iterator[Utterance]:
    """In rounds: every voice once, the default voice and blends of two a few times more."""
    rng = random.Random(seed)
    texts = [text for index, text in enumerate(_sentences()) if index % _HELD_OUT_EVERY != 1]
    for voice in _voices(rng):
        text = rng.choice(texts)
        for _ in range(3):  # short ones mostly: they fit worst, and they cost least
            if len(text) > _SHORT_CHARS and rng.random() < 0.75:
                text = rng.choice(texts)
        yield Utterance(text=text, options=_options(voice, rng.choice(_SPEEDS)))


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
    texts = [text for index, text in enumerate(_sentences()) if index % _HELD_OUT_EVERY == 1]
    for index in range(count):
        yield Utterance(text=texts[index * 7 % len(texts)], options=_options(_JUDGES[index % len(_JUDGES)], 1.0))


def _options(voice: str, speed: float) -> VoiceOptions:
    return VoiceOptions(voice=voice, speed=speed, language="en-us", trim=False)


def _sentences() -> list[str]:
    lines = files("firstword.kokoro.generator.fit").joinpath("sentences.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
