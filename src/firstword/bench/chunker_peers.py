"""Other ways to cut a stream, for comparison: the usual regular expression always, libraries where they are installed.

A library that splits whole texts is streamed as voice frameworks do it: split the buffer again at every token and keep
the last piece.
"""

import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import Any, Final

from firstword.bench.cuts import Chunker

__all__ = ["PEERS", "Pulled", "Resplit", "peers"]

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


def _sentencex(language: str) -> Chunker:
    import sentencex  # type: ignore[import-not-found, unused-ignore]

    return Resplit(lambda text: [piece for piece in sentencex.segment(language, text) if piece.strip()])


def _livekit(_language: str) -> Chunker:
    from livekit.agents.tokenize import blingfire  # type: ignore[import-not-found, unused-ignore]

    # Its default joins sentences up to 20 characters; here every boundary counts.
    split: Any = blingfire.SentenceTokenizer(min_sentence_len=1).tokenize
    return Resplit(lambda text: list(split(text)))


class _Pipecat:
    """The aggregator's rule: at each character behind a stop, ask where the buffer's first sentence ends."""

    def __init__(self) -> None:
        from pipecat.utils.string import (  # type: ignore[import-not-found, unused-ignore]
            SENTENCE_ENDING_PUNCTUATION,
            match_endofsentence,
        )

        self._stops, self._match = frozenset(SENTENCE_ENDING_PUNCTUATION), match_endofsentence
        self._buffer, self._stopped = "", False

    def feed(self, fragment: str, /) -> list[str]:
        released = []
        for char in fragment:
            self._buffer += char
            if not self._stopped:
                self._stopped = char in self._stops
            elif char.strip():
                self._stopped = False
                end = self._match(self._buffer)
                if end:
                    released.append(self._buffer[:end])
                    self._buffer = self._buffer[end:]
        return released

    def flush(self) -> list[str]:
        rest, self._buffer = self._buffer, ""
        return [rest] if rest.strip() else []


def _pipecat(_language: str) -> Chunker:
    return _Pipecat()


class Pulled:
    """A generator that pulls fragments (stream2sentence), fed one at a time: it runs until it wants the next."""

    def __init__(self, generate: Callable[[Iterator[str]], Iterable[str]]) -> None:
        self._given: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._made: queue.SimpleQueue[str | None] = queue.SimpleQueue()  # None: it wants more, or has ended
        self._thread = threading.Thread(target=self._run, args=(generate,), daemon=True)
        self._thread.start()
        self._collect()

    def _run(self, generate: Callable[[Iterator[str]], Iterable[str]]) -> None:
        try:
            for sentence in generate(self._fragments()):
                self._made.put(sentence)
        finally:
            self._made.put(None)

    def _fragments(self) -> Iterator[str]:
        self._made.put(None)
        while (fragment := self._given.get()) is not None:
            yield fragment
            self._made.put(None)

    def _collect(self) -> list[str]:
        return list(iter(self._made.get, None))

    def feed(self, fragment: str, /) -> list[str]:
        self._given.put(fragment)
        return self._collect()

    def flush(self) -> list[str]:
        self._given.put(None)
        rest = self._collect()
        self._thread.join()
        return rest


def _stream2sentence(language: str) -> Chunker:
    from stream2sentence import generate_sentences  # type: ignore[import-not-found, unused-ignore]

    # Every boundary counts, so nothing is joined.
    return Pulled(
        lambda fragments: generate_sentences(
            fragments, language=language, minimum_sentence_length=1, minimum_first_fragment_length=1
        )
    )


# Every peer with the module that has to be installed for it.
PEERS: Final[dict[str, tuple[str | None, Callable[[str], Chunker]]]] = {
    "regex": (None, _regex),
    "pysbd": ("pysbd", _pysbd),
    "blingfire": ("blingfire", _blingfire),
    "sentencex": ("sentencex", _sentencex),
    "stream2sentence": ("stream2sentence", _stream2sentence),
    "livekit-agents": ("livekit", _livekit),
    "pipecat-ai": ("pipecat", _pipecat),
}


def peers() -> dict[str, Callable[[str], Chunker]]:
    """The peers that can run here, by name."""
    return {name: make for name, (module, make) in PEERS.items() if module is None or find_spec(module)}
