"""Which sentences are spoken by which voice at which speed, for fitting and for judging: the same for every run."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from firstword.kokoro.synthesizer import VoiceOptions
from firstword.kokoro.voices import VOICES

__all__ = ["JUDGES", "Utterance", "in_own_languages", "one_word_each", "short_ones", "to_fit", "to_judge"]

_HELD_OUT_EVERY: Final = 4
_SPEEDS: Final = (0.5, 0.6, 0.7, 0.85, 1, 1, 1, 1, 1, 1, 1, 1, 1.15, 1.3, 1.5, 1.75, 2.0)
_FEW_WORDS: Final = 8
_ENDS: Final = (".", "?", "!", ".", ".", ",")
_WITHOUT_SPACES: Final = ("ja", "zh")
_VERY_SHORT_CHARS: Final = 24
_FAVOURITE: Final = "af_heart"
_FAVOURITE_A_ROUND: Final = 6
_BLENDS_A_ROUND: Final = 10
_ROUNDS: Final = 200
_LANGUAGES: Final = tuple(sorted({info.language for info in VOICES.values()}))
_WORDS: Final = (
    "No.", "Sure!", "Hi.", "Done.", "Thanks!", "Perfect.", "Hello!", "Hmm.", "Correct.", "Got it."
)  # fmt: skip
JUDGES: Final = (
    "af_heart", "af_bella", "af_nicole", "am_michael", "am_puck", "bf_emma",
    "bm_george", "ef_dora", "ff_siwis", "hm_omega", "jf_alpha", "zm_yunxi",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Utterance:
    text: str
    options: VoiceOptions


def to_fit(seed: int = 7) -> Iterator[Utterance]:
    """In rounds: every voice once, the default voice and blends of two a few times more.

    A voice of another language speaks English every other time. Sentences are few, so that most are taken apart and
    put together anew: what is learned is how sounds are spoken, not what is said.
    """
    rng = random.Random(seed)
    spared = {text for language in _LANGUAGES for text in _sentences(language, held_out=True)}
    for voice in _voices(rng):
        own = VOICES[voice].language if voice in VOICES else "en-us"
        language = own if own.startswith("en") or rng.random() < 0.5 else "en-us"
        text = _text(rng, language)
        options = _options(voice, rng.choice(_SPEEDS), language)
        if text not in spared:
            yield Utterance(text=text, options=options)


def _voices(rng: random.Random) -> Iterator[str]:
    names = list(VOICES)
    for _ in range(_ROUNDS):
        order = list(names)
        rng.shuffle(order)
        yield from order
        yield from [_FAVOURITE] * _FAVOURITE_A_ROUND
        for _ in range(_BLENDS_A_ROUND):
            first, second = rng.sample(names, 2)
            share = rng.choice([0.3, 0.5, 0.7])
            yield f"{first}*{share}+{second}*{1 - share:.1f}"


def _text(rng: random.Random, language: str) -> str:
    """A sentence, the start of one and the end of another, a few words of one, two, or words in any order."""
    texts = _sentences(language)
    kind, first, second = rng.random(), rng.choice(texts), rng.choice(texts)
    if language in _WITHOUT_SPACES:
        return first if kind < 0.7 else first + second
    words, others = first.split(), second.split()
    if kind < 0.3:
        return first
    if kind < 0.55:
        start, rest = words[: rng.randint(1, len(words))], others[rng.randint(0, len(others) - 1) :]
        return f"{_open(start)} {' '.join(rest)}"
    if kind < 0.85:
        count = rng.randint(1, _FEW_WORDS)
        at = rng.randint(0, max(0, len(words) - count))
        text = " ".join(words[at : at + count]).rstrip(",;:")
        return text if text[-1] in ".?!" else text + rng.choice(_ENDS)
    if kind < 0.95:
        return f"{first} {second}"
    mixed = words + others
    rng.shuffle(mixed)
    return f"{_open(mixed[: rng.randint(4, 14)])}."


def _open(words: Sequence[str]) -> str:
    """What goes on: without the mark that ends it."""
    return " ".join(words).rstrip(".?!,;:")


def to_judge(count: int) -> Iterator[Utterance]:
    """Sentences that are never fitted on, over twelve voices, at speed one."""
    texts = _sentences("en-us", held_out=True)
    for index in range(count):
        yield Utterance(text=texts[index * 7 % len(texts)], options=_options(JUDGES[index % len(JUDGES)], 1.0, "en-us"))


def short_ones(count: int) -> Iterator[Utterance]:
    """Texts of a few words that are never fitted on, over twelve voices."""
    texts = _sentences("en-us", held_out=True)
    for index, text in enumerate([text for text in texts if len(text) < _VERY_SHORT_CHARS][:count]):
        yield Utterance(text=text, options=_options(JUDGES[index % len(JUDGES)], 1.0, "en-us"))


def one_word_each(of_each: int = 4) -> Iterator[Utterance]:
    """What an agent says first, none of it fitted on, each by some of the twelve voices."""
    apart = len(JUDGES) // of_each
    for index, text in enumerate(_WORDS):
        for voice in JUDGES[index % apart :: apart]:
            yield Utterance(text=text, options=_options(voice, 1.0, "en-us"))


def in_own_languages(of_each: int = 4) -> Iterator[Utterance]:
    """Sentences that are never fitted on, in every language but English by the voices of that language in turn."""
    for language in _LANGUAGES:
        if language.startswith("en"):
            continue
        voices = [name for name, info in VOICES.items() if info.language == language]
        texts = _sentences(language, held_out=True)
        for index, text in enumerate(texts[-of_each:]):
            yield Utterance(text=text, options=_options(voices[index % len(voices)], 1.0, language))


def _options(voice: str, speed: float, language: str) -> VoiceOptions:
    return VoiceOptions(voice=voice, speed=speed, language=language, trim=False)


@cache
def _sentences(language: str, *, held_out: bool = False) -> tuple[str, ...]:
    """Those that are fitted on, or every fourth, which never is."""
    name = "sentences.txt" if language.startswith("en") else f"sentences.{language}.txt"
    lines = files("firstword.kokoro.generator.fit").joinpath(name).read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if line and not line.startswith("#")]
    return tuple(text for index, text in enumerate(texts) if (index % _HELD_OUT_EVERY == 1) == held_out)
