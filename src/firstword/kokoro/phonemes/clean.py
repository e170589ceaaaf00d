"""Any string of code points as text that a phonemizer can take, with the way back to where each came from.

What is no letter, digit or punctuation (control characters, lone surrogates, emoji, letters of a script the language
does not read) becomes a space, runs of spaces one space, a letter and its accents one letter. Pure.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["Cleaned", "clean", "has_letters", "segments"]

_UNSAID: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "So", "Sk", "Zs", "Zl", "Zp"})
_DASHES: Final = re.compile(r"(?<=[\s\w])--(?=[\s\w])")
_ENDS: Final = (". ", "! ", "? ", "… ", "。", "！", "？", "।")
_GAPS: Final = (" ", "，", "、", "；")
# Joiners inside a word of Hindi, and the voicing marks of half-width kana.
_INNER: Final = frozenset("\u200c\u200dﾞﾟ")
_PARAGRAPH: Final = re.compile(r"(?<=[^\W_])\n(?=[^\S\n]*\n)")


@dataclass(frozen=True, kw_only=True)
class Cleaned:
    """`text`, and for each of its code points the range `starts[i]:ends[i]` of the original that it stands for."""

    text: str
    starts: list[int]
    ends: list[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original that `text[start:end]`, which is not empty, stands for."""
        return self.starts[start], self.ends[end - 1]


def clean(text: str, can_read: Callable[[str], bool]) -> Cleaned:
    """A paragraph that ends without punctuation gets a full stop for its line break, so that it is heard to end."""
    said: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end, symbols in _clusters(_DASHES.sub("— ", _PARAGRAPH.sub(".", text)), can_read):
        readable = symbols if all(can_read(symbol) for symbol in symbols if symbol.isalpha()) else " "
        if readable == " " and said and said[-1] == " ":
            ends[-1] = end
            continue
        for symbol in readable:
            said.append(symbol)
            starts.append(start)
            ends.append(end)
    return Cleaned(text="".join(said), starts=starts, ends=ends)


def has_letters(text: str) -> bool:
    """Whether there is anything a person would read aloud, in whatever script."""
    return any(symbol.isalnum() for symbol in text)


def segments(text: str, longest: int = 600) -> Iterator[tuple[int, str]]:
    """A text in parts with their offsets, cut after a sentence or at a space; inside a word only if it must be."""
    start = 0
    while len(text) - start > longest:
        window = text[start : start + longest]
        cut = max(window.rfind(mark) + len(mark) for mark in _ENDS)
        if cut < longest // 3:
            cut = max(window.rfind(mark) + 1 for mark in _GAPS)
        if cut < longest // 3:
            cut = longest
        yield start, text[start : start + cut]
        start += cut
    yield start, text[start:]


def _clusters(text: str, can_read: Callable[[str], bool]) -> Iterator[tuple[int, int, str]]:
    """Each code point with the marks that follow it, and what they are together."""
    start = 0
    while start < len(text):
        symbol = text[start]
        end = start + 1
        if symbol.isascii() and (end == len(text) or text[end].isascii()):
            yield start, end, symbol if symbol.isprintable() else " "
        else:
            while end < len(text) and (text[end] in _INNER or unicodedata.category(text[end])[0] == "M"):
                end += 1
            yield start, end, _composed(text[start:end], can_read)
        start = end


def _composed(cluster: str, can_read: Callable[[str], bool]) -> str:
    """Compatibility forms resolved where they are letters or digits; a space for what cannot be said.

    A mark that makes no letter with its base stays where the language reads it (a vowel sign of Hindi).
    """
    if unicodedata.category(cluster[0]) in _UNSAID:
        return " "
    resolved = unicodedata.normalize("NFKC", cluster)
    if not resolved.isalnum():
        resolved = unicodedata.normalize("NFC", cluster)
    said = "".join(symbol for symbol in resolved if symbol.isprintable() and (not _is_mark(symbol) or can_read(symbol)))
    return said or " "


def _is_mark(symbol: str) -> bool:
    return unicodedata.category(symbol)[0] == "M"
