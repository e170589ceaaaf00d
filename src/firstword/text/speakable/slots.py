"""Places that no rule may touch: what is pronounced by phonemes, and pauses.

While the rules run, such a place is one private-use character, which is neither a word nor a space to any of them;
`finish` puts the words back and says where they are. Private-use characters of the source were dropped before.
"""

import re

from firstword.text.edits import Edit
from firstword.text.speakable.mapped import Mapped
from firstword.text.speakable.spoken import Pause, Phonemes, Said, Segment, Span, Spoken

__all__ = ["Slots"]

_FIRST = 0xF0000
_LAST = 0xFFFFD
_WORD = re.compile(r"\S+")


class Slots:
    def __init__(self) -> None:
        self._contents: list[tuple[str, str | float]] = []

    def phonemes(self, word: str, ipa: str) -> str:
        """The placeholder of `word` said as `ipa`; the word itself once the placeholders are used up."""
        return self._add(word, ipa)

    def pause(self, seconds: float) -> str:
        return self._add("", seconds)

    def _add(self, word: str, value: str | float) -> str:
        code = _FIRST + len(self._contents)
        if code > _LAST:
            return word
        self._contents.append((word, value))
        return chr(code)

    def finish(self, mapped: Mapped) -> Spoken:
        """The spoken value of `mapped`, with every placeholder replaced."""
        edits: list[Edit] = []
        marks: list[Segment] = []
        shift = 0
        if self._contents:
            for at, char in enumerate(mapped.text):
                if ord(char) >= _FIRST:
                    word, value = self._contents[ord(char) - _FIRST]
                    start = at + shift
                    end = (
                        at + 1
                        if word or mapped.text[at - 1 : at] != " " or mapped.text[at + 1 : at + 2] != " "
                        else at + 2
                    )
                    apart = " " if not word and _parts_words(mapped.text, at) else ""
                    edits.append(Edit(at, end, word + apart))
                    shift += len(word + apart) - (end - at)
                    marks.append(_segment(start, start + len(word), value))
        done = mapped.apply(edits)
        spans, exact = _spans(done)
        return Spoken(done.text, spans, _segments(len(done.text), marks), exact)


def _parts_words(text: str, at: int) -> bool:
    """Whether a pause at `at` is all that stands between two words."""
    return 0 < at < len(text) - 1 and not text[at - 1].isspace() and text[at + 1].isalnum()


def _segment(start: int, end: int, value: str | float) -> Segment:
    if isinstance(value, str):
        return Phonemes(start=start, end=end, ipa=value)
    return Pause(start=start, end=end, seconds=value)


def _segments(length: int, marks: list[Segment]) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    at = 0
    for mark in marks:
        if mark.start > at:
            segments.append(Said(start=at, end=mark.start))
        segments.append(mark)
        at = mark.end
    if length > at:
        segments.append(Said(start=at, end=length))
    return tuple(segments)


def _spans(mapped: Mapped) -> tuple[tuple[Span, ...], tuple[bool, ...]]:
    """A span per word of what stands in the source as it is said, one per run of what does not."""
    spans: list[Span] = []
    exact: list[bool] = []
    for run in mapped.runs:
        if run.source_start == run.source_end:
            continue
        text = mapped.text[run.start : run.end]
        if not run.exact:
            start = run.start + len(text) - len(text.lstrip())
            spans.append(Span(start, run.start + len(text.rstrip()), run.source_start, run.source_end))
            exact.append(False)
            continue
        for word in _WORD.finditer(text):
            offset = run.source_start - run.start
            start, end = run.start + word.start(), run.start + word.end()
            spans.append(Span(start, end, start + offset, end + offset))
            exact.append(True)
    kept = [(span, same) for span, same in zip(spans, exact, strict=True) if span.start < span.end]
    return tuple(span for span, _ in kept), tuple(same for _, same in kept)
