"""A chunker for a text that is to be said in one: it is not cut, unless it is too long for that."""

from typing import override

from firstword.speech.script import Chunker
from firstword.text.chunker import IncrementalSentenceChunker

__all__ = ["MAX_UNCUT_CHARS", "Uncut"]

MAX_UNCUT_CHARS = 400
"""A longer text would hold up the planning of everybody else's, and its own first sound."""


class Uncut(Chunker):
    """All of the text at the end of it; of one longer than `MAX_UNCUT_CHARS` its sentences."""

    def __init__(self, language: str) -> None:
        self._sentences = IncrementalSentenceChunker(language)
        self._text = ""

    @override
    def feed(self, fragment: str, /) -> list[str]:
        self._text += fragment
        return []

    @override
    def idle(self, *, long: bool = False) -> list[str]:
        return []

    @override
    def flush(self) -> list[str]:
        text, self._text = self._text.strip(), ""
        if len(text) > MAX_UNCUT_CHARS:
            return self._sentences.feed(text) + self._sentences.flush()
        return [text] if any(map(str.isalnum, text)) else []
