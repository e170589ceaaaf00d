"""Other ways to cut a stream, for comparison: the usual regular expression always, libraries where they are installed.

A library that splits whole texts is streamed as voice frameworks do it: split the buffer again at every token and keep
the last piece.
"""

import re
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final

from firstword.bench.cuts import Chunker

__all__ = ["PEERS", "Resplit", "peers"]

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")


class Resplit:
    """A splitter of whole texts, made to stream."""

    def __init__(self, split: Callable[[str], list[str]]) -> None:
        self._split = split
        self._buffer = ""

    def feed(self, fragment: str, /) -> list[str]:
        self._buffer += fragment
        pieces = self._split(self._buffer)
        if len(pieces) < 2:
            return []
        start = self._buffer.rfind(pieces[-1].strip())
        if start <= 0:
            return []
        self._buffer = self._buffer[start:]
        return [piece for piece in pieces[:-1] if piece.strip()]

    def flush(self) -> list[str]:
        pieces, self._buffer = self._split(self._buffer), ""
        return [piece for piece in pieces if piece.strip()]


def _regex(_language: str) -> Chunker:
    return Resplit(lambda text: [piece for piece in _SENTENCE_END.split(text) if piece])


def _pysbd(language: str) -> Chunker:
    import pysbd  # type: ignore[import-not-found, unused-ignore]

    known = language if language in pysbd.languages.LANGUAGE_CODES else "en"
    segmenter: Any = pysbd.Segmenter(language=known, clean=False)
    return Resplit(lambda text: list(segmenter.segment(text)))


def _blingfire(_language: str) -> Chunker:
    import blingfire  # type: ignore[import-not-found, unused-ignore]

    return Resplit(lambda text: [piece for piece in blingfire.text_to_sentences(text).split("\n") if piece])


PEERS: Final[dict[str, Callable[[str], Chunker]]] = {"regex": _regex, "pysbd": _pysbd, "blingfire": _blingfire}


def peers() -> dict[str, Callable[[str], Chunker]]:
    """The peers that can run here, by name."""
    return {name: make for name, make in PEERS.items() if name == "regex" or find_spec(name)}
