"""Lines and code: what a line break, a code span and a fenced block say about where a sentence ends.

`chunker` stands above; it keeps the state of an open fence, which is only recognised here.
"""

import re
from typing import Final

from firstword.text.rules.marks import LINE_BREAKS
from firstword.text.rules.reading import Reading, Verdict, cut, go_on
from firstword.text.rules.tokens import language_before

__all__ = ["fence_at", "judge_code", "judge_line_break"]

# A line at least this long without a stop at its end may be a wrapped one.
WRAPPED_LINE: Final = 40
# A code span longer than this is a stray backtick.
LONGEST_SPAN: Final = 160

# What may follow the marks of an opening fence, and how many marks a run may have.
LONGEST_INFO: Final = 80
LONGEST_MARKS: Final = 64
_MARKS: Final = {"`": re.compile("`*"), "~": re.compile("~*")}
_UP_TO_TICKS: Final = re.compile(f"[^`{LINE_BREAKS}]*")


def judge_line_break(reading: Reading, position: int) -> Verdict:
    """A line break ends a chunk that has something to say, unless the line was wrapped in the middle of a sentence."""
    if not reading.speaks(position) or reading.is_bare_marker(position):
        return go_on(position + 1)
    if not _may_be_wrapped(reading, position):
        return cut(position)
    after = position + 1
    while reading.at(after) in (" ", "\t"):
        after += 1
    first = reading.at(after)
    if not first.isalpha() or reading.at(after + 1) in (")", "."):
        return cut(position)
    return go_on(after) if first.islower() or _is_torn(reading, position) else cut(position)


def _may_be_wrapped(reading: Reading, position: int) -> bool:
    """Whether the line that ends at `position` is prose, long, and ends in the middle of a sentence."""
    line = reading.text[:position].rstrip()
    if line.startswith(("#", "|")) or not (line[-1].isalnum() or line[-1] in ",-–—'’"):
        return False
    start = max(line.rfind(mark) for mark in LINE_BREAKS) + 1
    return position - start + (0 if start else reading.line_offset) >= WRAPPED_LINE


def _is_torn(reading: Reading, position: int) -> bool:
    """Whether the last word of a line needs another behind it: "the", "of"."""
    known = language_before(reading, position).language
    return reading.token_before(len(reading.text[:position].rstrip())).lower() in known.needy


def fence_at(reading: Reading, position: int) -> str | None:
    """The marks that open a fenced block at `position`, or None where it is a code span or stray marks."""
    mark = reading.text[position]
    end = reading.run(_MARKS[mark], position, LONGEST_MARKS)
    if end - position < 3 or (mark == "~" and not (reading.line_head and reading.is_bare_marker(position))):
        return None
    info_end = reading.run(_UP_TO_TICKS, end, LONGEST_INFO)
    behind = reading.at(info_end)
    return mark * (end - position) if behind and behind in LINE_BREAKS else None


def judge_code(reading: Reading, position: int) -> Verdict:
    """A code span hides the stops in it; backticks without a partner are letters like others."""
    mark = reading.text[position]
    end = reading.run(_MARKS[mark], position, LONGEST_MARKS)
    return go_on(end if mark == "~" else _behind_span(reading, end, end - position))


def _behind_span(reading: Reading, start: int, size: int) -> int:
    """Behind the run of `size` backticks that closes the span begun before `start`, or `start` if none does."""
    index = start
    while index - start < LONGEST_SPAN:
        ticks = reading.run(_UP_TO_TICKS, index, LONGEST_SPAN)
        if reading.at(ticks) != "`":
            return start
        index = reading.run(_MARKS["`"], ticks, size + 1)
        if index - ticks == size:
            return index
    return start
