"""Latin words in a text of another script, said as English: espeak's American, in misaki's symbols.

The tagger and the lexicons of `english` would take seconds to load for a brand name.
"""

from typing import NamedTuple

from misaki.espeak import EspeakFallback

__all__ = ["BorrowedWords"]


class _Token(NamedTuple):
    text: str


class BorrowedWords:
    def __init__(self) -> None:
        self._espeak = EspeakFallback(british=False)

    def say(self, word: str) -> str:
        """The phonemes of a word of Latin letters; letters that make no word are spelled. Empty if it has no sound."""
        try:
            phonemes, _ = self._espeak(_Token(word))
        except (RuntimeError, ValueError):
            return ""
        return phonemes or ""
