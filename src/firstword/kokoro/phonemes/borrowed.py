"""Words that no lexicon holds, said as English by espeak-ng: new words in English, Latin ones in other scripts.

An image may be built without espeak-ng (it is GPL): this is the one place that knows.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

try:
    from misaki.espeak import EspeakFallback
except ImportError:
    EspeakFallback = None

__all__ = ["BorrowedWords", "espeak_english"]


class _Word(Protocol):
    @property
    def text(self) -> str: ...


class _Token(NamedTuple):
    text: str


type Fallback = Callable[[_Word], tuple[str | None, int | None]]


def espeak_english(*, british: bool) -> Fallback | None:
    """From a word to its phonemes (None if it has no sound) and misaki's grade for them; None without espeak-ng."""
    if EspeakFallback is None:
        return None
    fallback: Fallback = EspeakFallback(british=british)
    return fallback


class BorrowedWords:
    """American, in misaki's symbols; the tagger and lexicons of `english` would take seconds to load for a brand."""

    def __init__(self) -> None:
        self._espeak = espeak_english(british=False)

    def say(self, word: str) -> str:
        """The phonemes of a word of Latin letters; empty if it has no sound, or without espeak-ng."""
        if self._espeak is None:
            return ""
        try:
            phonemes, _ = self._espeak(_Token(word))
        except (RuntimeError, ValueError):
            return ""
        return phonemes or ""
