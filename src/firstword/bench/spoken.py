"""Whether what is written is said right, and heard so: 40 written texts with the words that should be said.

Three figures: how many texts become exactly those words, what the chain from text to words costs a sentence (without a
phonemizer), and the words that a recogniser hears wrong in the audio. A recogniser writes digits of its own; they are
read by the same rules before they are compared.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Final

from firstword.bench import corpus
from firstword.bench.hearing import transcribe, word_errors, words
from firstword.bench.voice import open_voice, speak
from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.speakable import SpeakableStream, speakable

__all__ = ["Case", "Measured", "cost_ms", "run"]

_ROUNDS: Final = 20


@dataclass(frozen=True, kw_only=True)
class Case:
    written: str
    said: str
    right: bool
    """Whether `said` is what it should be, word for word."""
    heard: str
    wrong_words: int


@dataclass(frozen=True, kw_only=True)
class Measured:
    """`word_error_rate` over all words of all texts; `chain_ms` the median cost of a sentence, text to words."""

    texts: int
    right: int
    words: int
    word_error_rate: float
    chain_ms: float
    cases: tuple[Case, ...]


def run(progress: Callable[[str], None], hear: Callable[[bytes], str] = transcribe) -> Measured:
    """Say every text and hear it back. `hear` turns PCM into words."""
    chain_ms = cost_ms()
    synthesizer = open_voice()
    cases = []
    for written, wanted in corpus.spoken():
        progress(written)
        said = speakable(written).text
        heard = hear(speak(synthesizer, written).pcm)
        errors = word_errors(wanted, speakable(heard).text)
        cases.append(Case(written=written, said=said, right=_same(said, wanted), heard=heard, wrong_words=errors))
    spoken_words = sum(len(words(wanted)) for _, wanted in corpus.spoken())
    return Measured(
        texts=len(cases),
        right=sum(case.right for case in cases),
        words=spoken_words,
        word_error_rate=round(sum(case.wrong_words for case in cases) / spoken_words, 4),
        chain_ms=round(chain_ms, 3),
        cases=tuple(cases),
    )


def cost_ms() -> float:
    """Milliseconds from a sentence's text to its words: the median over the texts, cutting included."""
    _say("One, so that the rules are compiled: $5.")
    return median(_sentence_ms(written) for written, _ in corpus.spoken() for _ in range(_ROUNDS))


def _sentence_ms(written: str) -> float:
    begun = time.perf_counter()
    sentences = _say(written)
    return (time.perf_counter() - begun) * 1000 / max(1, sentences)


def _say(written: str) -> int:
    stream, chunker = SpeakableStream(), IncrementalSentenceChunker("en")
    sentences = [*chunker.feed(stream.feed(written)), *chunker.feed(stream.finish()), *chunker.flush()]
    for sentence in sentences:
        stream.say(sentence)
    return len(sentences)


def _same(said: str, wanted: str) -> bool:
    return re.findall(r"\w+", said.lower()) == re.findall(r"\w+", wanted.lower())
