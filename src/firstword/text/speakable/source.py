"""Finds each sentence of a live text in what was fed, though a chunker drops the space between sentences.

Keeps no more than what has been fed and not yet said.
"""

from typing import NamedTuple

from firstword.text.speakable.mapped import Mapped

__all__ = ["Located", "Source"]

_COMPACT = 4096


class Located(NamedTuple):
    """A sentence with its place in the source and what stood before it; `starts_line` if it begins a line."""

    text: Mapped
    starts_line: bool
    gap: str


class Source:
    def __init__(self) -> None:
        self._text = ""
        self._done = 0
        self._pieces: list[tuple[int, int]] = []  # (offset in `_text`, place in the source), sorted
        self._before = "\n"

    def extend(self, pieces: list[tuple[int, str]]) -> str:
        """Append pieces of the source; returns them as one text."""
        added = "".join(text for _, text in pieces)
        at = len(self._text)
        for start, text in pieces:
            if not self._pieces or self._pieces[-1][1] - self._pieces[-1][0] != start - at:
                self._pieces.append((at, start))
            at += len(text)
        self._text += added
        return added

    def take(self, sentence: str | None) -> Located:
        """The next place where `sentence` stands (None: the rest), and everything before it is done with."""
        wanted = self._text[self._done :].strip() if sentence is None else sentence.strip()
        start = self._text.find(wanted, self._done)
        end = start + len(wanted)
        if start < 0:
            start, end = self._loosely(wanted)
        gap = self._text[self._done : start]
        line = (self._before + gap).rstrip(" \t")
        found = self._text[start:end]
        self._done = end
        self._before = (found or line)[-1:]
        located = Located(self._mapped(start, end), line.endswith("\n"), gap)
        if self._done > _COMPACT and self._done * 2 > len(self._text):
            self._compact()
        return located

    def _loosely(self, wanted: str) -> tuple[int, int]:
        """The range with the same characters but for white space; the rest of the text if there is none."""
        at = start = -1
        position = self._done
        for char in wanted:
            if char.isspace():
                continue
            at = self._text.find(char, position)
            if at < 0:
                return self._done, len(self._text)
            start = at if start < 0 else start
            position = at + 1
        return (start, position) if start >= 0 else (self._done, self._done)

    def _mapped(self, start: int, end: int) -> Mapped:
        pieces: list[tuple[int, str]] = []
        for index, (offset, place) in enumerate(self._pieces):
            stop = self._pieces[index + 1][0] if index + 1 < len(self._pieces) else len(self._text)
            low, high = max(offset, start), min(stop, end)
            if low < high:
                pieces.append((place + low - offset, self._text[low:high]))
        return Mapped.join(pieces)

    def _compact(self) -> None:
        cut = self._done
        kept = [(max(offset, cut) - cut, place + max(0, cut - offset)) for offset, place in self._pieces]
        last = max((index for index, piece in enumerate(kept) if piece[0] == 0), default=0)
        self._text, self._done, self._pieces = self._text[cut:], 0, kept[last:]
