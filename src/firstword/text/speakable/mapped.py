"""Text that remembers which part of the source each of its characters came from, through any number of edits.

An edit replaces a range of the text as it now stands; `apply` takes a batch of them, sorted and apart, in one linear
pass. Every rule of this room is a function from text to edits, so none of them has to know of the map.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from firstword.text.edits import Edit

__all__ = ["Mapped", "Run"]


class Run(NamedTuple):
    """Text `[start, end)` came from source `[source_start, source_end)`: character by character if `exact`."""

    start: int
    end: int
    source_start: int
    source_end: int
    exact: bool


class Mapped(NamedTuple):
    text: str
    runs: tuple[Run, ...]

    @classmethod
    def of(cls, text: str, source_start: int = 0) -> "Mapped":
        """`text` as it stands in the source at `source_start`."""
        run = Run(0, len(text), source_start, source_start + len(text), True)
        return cls(text, (run,) if text else ())

    @classmethod
    def join(cls, pieces: Iterable[tuple[int, str]]) -> "Mapped":
        """Pieces of the source, each with where it stands there, put together."""
        texts: list[str] = []
        runs: list[Run] = []
        at = 0
        for source_start, text in pieces:
            if text:
                texts.append(text)
                runs.append(Run(at, at + len(text), source_start, source_start + len(text), True))
                at += len(text)
        return cls("".join(texts), tuple(runs))

    def apply(self, edits: Sequence[Edit]) -> "Mapped":
        """The text with `edits` made; they are sorted by start and do not overlap."""
        if not edits:
            return self
        writer = _Writer(self)
        at = 0
        for edit in edits:
            writer.copy(at, edit.start)
            writer.replace(edit)
            at = edit.end
        writer.copy(at, len(self.text))
        return Mapped("".join(writer.texts), tuple(writer.out))


class _Writer:
    """One pass of `apply`: `index` is the first run that may still reach past what has been written."""

    def __init__(self, old: Mapped) -> None:
        self.old = old
        self.index = 0
        self.at = 0
        self.texts: list[str] = []
        self.out: list[Run] = []

    def copy(self, start: int, end: int) -> None:
        if start >= end:
            return
        self.texts.append(self.old.text[start:end])
        for run in self._overlapping(start, end):
            low, high = max(run.start, start), min(run.end, end)
            source = (run.source_start, run.source_end)
            if run.exact:
                source = (run.source_start + low - run.start, run.source_start + high - run.start)
            self._emit(high - low, source, run.exact)

    def replace(self, edit: Edit) -> None:
        if not edit.text:
            return
        self.texts.append(edit.text)
        self._emit(len(edit.text), self._source(edit.start, edit.end), False)

    def _emit(self, length: int, source: tuple[int, int], exact: bool) -> None:
        self.out.append(Run(self.at, self.at + length, *source, exact))
        self.at += length

    def _source(self, start: int, end: int) -> tuple[int, int]:
        low = high = -1
        for run in self._overlapping(start, end):
            first, last = run.source_start, run.source_end
            if run.exact:
                first += max(0, start - run.start)
                last -= max(0, run.end - end)
            low = first if low < 0 else min(low, first)
            high = max(high, last)
        if low < 0:
            low = high = self.out[-1].source_end if self.out else self._first()
        return low, high

    def _first(self) -> int:
        return self.old.runs[0].source_start if self.old.runs else 0

    def _overlapping(self, start: int, end: int) -> list[Run]:
        runs = self.old.runs
        while self.index < len(runs) and runs[self.index].end <= start:
            self.index += 1
        found: list[Run] = []
        for index in range(self.index, len(runs)):
            if runs[index].start >= end:
                break
            found.append(runs[index])
        return found
