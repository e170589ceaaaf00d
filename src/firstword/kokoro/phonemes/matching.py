"""Which sounds are which word's, when a phonemizer was given a whole clause and tells no places. Pure."""

from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from typing import Final

__all__ = ["match_words"]

_LONGEST: Final = 400
"""Sounds of a clause up to which they are compared one by one; comparing takes the square of it."""


def match_words(
    words: Sequence[str], sounds: Sequence[str], alone: Callable[[str], Sequence[str]]
) -> Iterable[tuple[int, int, str]]:
    """Ranges of words, in order and without a gap, each with what is said for it.

    `sounds` are the groups that the clause was said as, `alone(word)` those of one word by itself. One word may be
    several groups (a number), several words one (two that are run together); words that are silent join a neighbour.
    """
    if not sounds:
        return []
    if len(words) == len(sounds) and not any(symbol.isdigit() for word in words for symbol in word):
        return [(index, index + 1, sound) for index, sound in enumerate(sounds)]
    counts = [alone(word) for word in words]
    if sum(map(len, counts)) == len(sounds):
        ends = list(accumulate(map(len, counts)))
    else:
        ends = _compared(["".join(count) for count in counts], sounds)
    return list(_ranges(ends, sounds))


def _compared(expected: Sequence[str], sounds: Sequence[str]) -> list[int]:
    """For each word the number of groups up to its end: where its last sound is found again, at the nearest gap."""
    said = "".join(sounds)
    gaps = list(accumulate(map(len, sounds), initial=0))
    places = _places("".join(expected), said)
    ends, gap = [], 0
    for end in accumulate(map(len, expected)):
        place = places[min(end, len(places) - 1)]
        while gap + 1 < len(gaps) and abs(gaps[gap + 1] - place) <= abs(gaps[gap] - place):
            gap += 1
        ends.append(gap)
    ends[-1] = len(sounds)
    return ends


def _places(expected: str, said: str) -> list[int]:
    """For each place between two sounds of `expected`, both ends included, its place in `said`. They never fall."""
    ratio = len(said) / max(1, len(expected))
    if max(len(expected), len(said)) > _LONGEST:
        return [round(place * ratio) for place in range(len(expected) + 1)]
    places = [0] * (len(expected) + 1)
    for _, first, last, to_first, to_last in SequenceMatcher(None, expected, said, autojunk=False).get_opcodes():
        for place in range(first, last + 1):
            share = (place - first) / (last - first) if last > first else 1.0
            places[place] = to_first + round(share * (to_last - to_first))
    return places


def _ranges(ends: Sequence[int], sounds: Sequence[str]) -> Iterable[tuple[int, int, str]]:
    """Each word with its groups; silent ones stand with the word before, at the start with the word after."""
    first, said = 0, 0
    spoken: list[tuple[int, int, str]] = []
    for index, (before, end) in enumerate(pairwise([0, *ends])):
        if end > before:
            spoken.append((first, index + 1, " ".join(sounds[said:end])))
            first, said = index + 1, end
        elif spoken:
            spoken[-1] = (spoken[-1][0], index + 1, spoken[-1][2])
            first = index + 1
    return spoken
