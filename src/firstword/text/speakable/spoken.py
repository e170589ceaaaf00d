"""What is said: the words, where each stood in the source, and the parts that are not plain words."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

__all__ = ["NOTHING", "Part", "Pause", "Phonemes", "Said", "Segment", "Span", "Spoken", "joined"]


class Span(NamedTuple):
    """Spoken `[start, end)` was written at source `[source_start, source_end)`."""

    start: int
    end: int
    source_start: int
    source_end: int


@dataclass(frozen=True, kw_only=True)
class Said:
    """Words to be read as they stand: `Spoken.text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Phonemes:
    """`Spoken.text[start:end]` is to be pronounced `ipa`, in the voice's own symbols."""

    start: int
    end: int
    ipa: str


@dataclass(frozen=True, kw_only=True)
class Pause:
    """Silence of `seconds` before `Spoken.text[start]`; `end` is `start`."""

    start: int
    end: int
    seconds: float


_IDEOGRAPHS = "\u2e80"
"""From here on scripts are written without spaces."""

type Segment = Said | Phonemes | Pause


@dataclass(frozen=True)
class Spoken:
    """Words as said. Offsets are code points.

    `spans` are sorted by `start`; a word taken over unchanged has a span of its own with an equal slice of the source,
    words that stand for something written otherwise ("$3.5M") share one. `segments` cover `text` in order.
    """

    text: str
    spans: tuple[Span, ...]
    segments: tuple[Segment, ...]
    exact: tuple[bool, ...] = field(repr=False)
    """Per span: whether it stands in the source character by character."""

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """The smallest source range where spoken `[start, end)` was written; empty where nothing was."""
        first = max(0, bisect_right(self._starts, start) - 1)
        low = high = -1
        for index in range(first, len(self.spans)):
            span = self.spans[index]
            if span.start >= end:
                break
            if span.end <= start:
                continue
            left, right = span.source_start, span.source_end
            if self.exact[index]:
                left += max(0, start - span.start)
                right -= max(0, span.end - end)
            low = left if low < 0 else min(low, left)
            high = max(high, right)
        if low < 0:
            low = high = self.spans[first].source_end if self.spans else 0
        return low, high

    def pronounced(self, start: int = 0, end: int | None = None) -> tuple[tuple[int, int, str], ...]:
        """What lies in `text[start:end]` and is said by given phonemes: start, end (counted from `start`), phonemes."""
        stop = len(self.text) if end is None else end
        return tuple(
            (segment.start - start, segment.end - start, segment.ipa)
            for segment in self.segments
            if isinstance(segment, Phonemes) and start <= segment.start and segment.end <= stop
        )

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.spans]


NOTHING = Spoken("", (), (), ())


class Part(NamedTuple):
    """A sentence as said, with what stood before it in the source: a space, a line's end, or nothing."""

    gap: str
    spoken: Spoken


def joined(parts: Sequence[Part]) -> Spoken:
    """Sentences put together."""
    texts: list[str] = []
    spans: list[Span] = []
    exact: list[bool] = []
    segments: list[Segment] = []
    at, last = 0, ""
    for gap, spoken in parts:
        divider = _divider(gap, last, spoken.text) if at and spoken.text else ""
        if divider:
            _say(segments, at, at + len(divider))
        at += len(divider)
        texts += (divider, spoken.text)
        last = spoken.text[-1:] or last
        spans += [Span(start + at, end + at, low, high) for start, end, low, high in spoken.spans]
        exact += spoken.exact
        for segment in spoken.segments:
            if isinstance(segment, Said):
                _say(segments, segment.start + at, segment.end + at)
            else:
                segments.append(replace(segment, start=segment.start + at, end=segment.end + at))
        at += len(spoken.text)
    return Spoken("".join(texts), tuple(spans), tuple(segments), tuple(exact))


def _divider(gap: str, before: str, following: str) -> str:
    if "\n" in gap:
        return "\n"
    joins = following >= _IDEOGRAPHS and not before.isalnum()
    return "" if joins and gap.strip(" ") == gap else " "


def _say(segments: list[Segment], start: int, end: int) -> None:
    """Words [start, end) follow what is there."""
    last = segments[-1] if segments else None
    if isinstance(last, Said):
        segments[-1] = Said(start=last.start, end=end)
    else:
        segments.append(Said(start=start, end=end))
