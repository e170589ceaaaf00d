"""Pronounced text in, pieces out: cuts at punctuation, then at words, so that nothing is ever lost.

Pure. A pronunciation is one string of phonemes, each a token of its own, with the words marked in it; what lies
between two words is punctuation and spaces. Below it stand the phonemes, above it the two voices.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from firstword.kokoro.synthesizer import Piece, VoiceOptions

__all__ = ["Pronunciation", "WordSpan", "pause_s", "plan_pieces"]

_SENTENCE_END: Final = ".!?…"
_CLAUSE_END: Final = ",;:—"
_OPENING: Final = '("“'
_SENTENCE_PAUSE_S: Final = 0.35
_CLAUSE_PAUSE_S: Final = 0.15
# What a cut costs: the share of a longest piece by which a better kind of place may lie further from the ideal.
_COST_SENTENCE, _COST_CLAUSE, _COST_WORD = 0.0, 0.2, 0.6


@dataclass(frozen=True, kw_only=True, slots=True)
class WordSpan:
    """A word: code points `char_start:char_end` of the text, phonemes `first:last` of its pronunciation."""

    char_start: int
    char_end: int
    first: int
    last: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Pronunciation:
    """How a text is said. Spans rise, do not overlap and are never empty: a word that is not said has none."""

    phonemes: str
    words: tuple[WordSpan, ...]


def plan_pieces(
    text: str, said: Pronunciation, vocabulary: Mapping[str, int], options: VoiceOptions, max_tokens: int
) -> tuple[Piece, ...]:
    """Pieces of at most `max_tokens` tokens that together hold every phoneme, but for spaces at a cut.

    The caller owes phonemes that are all in `vocabulary`. No pieces if no word is said.
    """
    if not said.words:
        return ()
    cuts = [0, *_cuts(said, max_tokens), len(said.phonemes)]
    parts = []
    for first, last in pairwise(cuts):
        words = [word for word in said.words if word.first < last and word.last > first]
        if words:
            parts.append((first, last, words))
    starts = [words[0].char_start for _, _, words in parts[1:]]
    return tuple(
        _piece(text, (start, end), said.phonemes[first:last], first, words, vocabulary, options)
        for (first, last, words), start, end in zip(parts, [0, *starts], [*starts, len(text)], strict=True)
    )


def pause_s(phonemes: str) -> float:
    """The silence that the punctuation at the end of these phonemes asks for, in seconds at speed one."""
    for symbol in reversed(phonemes):
        if symbol in _SENTENCE_END:
            return _SENTENCE_PAUSE_S
        if symbol in _CLAUSE_END:
            return _CLAUSE_PAUSE_S
        if symbol.isalpha():
            break
    return 0.0


def _cuts(said: Pronunciation, max_tokens: int) -> list[int]:
    """Where to cut the phonemes: pieces of about equal length, each end as natural as its neighbourhood allows."""
    places = _places(said)
    cuts: list[int] = []
    start, total, index = 0, len(said.phonemes), 0
    while total - start > max_tokens:
        target = start + (total - start) / -(-(total - start) // max_tokens)
        while index < len(places) and places[index][0] <= start:
            index += 1
        best, best_cost = start + max_tokens, float("inf")  # a word longer than a piece is cut where it must be
        for place, cost in places[index:]:
            if place > start + max_tokens:
                break
            if cost + abs(place - target) / max_tokens < best_cost:
                best, best_cost = place, cost + abs(place - target) / max_tokens
        cuts.append(best)
        start = best
    return cuts


def _places(said: Pronunciation) -> list[tuple[int, float]]:
    """The place before each word but the first (and before what opens it: a quote, a bracket), with its cost."""
    places = []
    for before, word in pairwise(said.words):
        gap = said.phonemes[before.last : word.first]
        if any(symbol in _SENTENCE_END for symbol in gap):
            cost = _COST_SENTENCE
        else:
            cost = _COST_CLAUSE if any(symbol in _CLAUSE_END for symbol in gap) else _COST_WORD
        places.append((word.first - len(gap) + len(gap.rstrip(_OPENING)), cost))
    return places


def _piece(
    text: str,
    chars: tuple[int, int],
    phonemes: str,
    first: int,
    words: list[WordSpan],
    vocabulary: Mapping[str, int],
    options: VoiceOptions,
) -> Piece:
    """One piece of the text from `chars`, less the spaces around it; `first` is where its phonemes begin."""
    first += len(phonemes) - len(phonemes.lstrip(" "))
    phonemes = phonemes.strip(" ")
    start, end = chars[0], max(chars[1], words[-1].char_end)
    said = text[start:end]
    start, end = start + len(said) - len(said.lstrip()), end - len(said) + len(said.rstrip())
    return Piece(
        text=text[start:end],
        char_start=start,
        char_end=end,
        phonemes=phonemes,
        tokens=tuple(vocabulary[symbol] for symbol in phonemes),
        options=options,
        pause_after_s=pause_s(phonemes) / options.speed if options.trim else 0.0,
        words=tuple(
            (word.char_start, word.char_end, max(0, word.first - first), min(len(phonemes), word.last - first))
            for word in words
        ),
    )
