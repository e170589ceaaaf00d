"""Lines and code: what a line break, a code span and a fenced block say about where a sentence ends.

`chunker` stands above; it keeps the state of an open fence, which is only recognised here.
"""

from typing import Final

from firstword.text.rules.marks import LINE_BREAKS
from firstword.text.rules.reading import Reading, Verdict, cut, go_on

__all__ = ["fence_at", "judge_code", "judge_line_break"]

# A line at least this long without a stop at its end may be a wrapped one.
WRAPPED_LINE: Final = 40
# A code span longer than this is a stray backtick.
LONGEST_SPAN: Final = 160

# What may follow the marks of an opening fence, and how many marks a run may have.
LONGEST_INFO: Final = 80
LONGEST_MARKS: Final = 64


def judge_line_break(reading: Reading, position: int) -> Verdict:
    """A line break ends a chunk that has something to say, unless the line was wrapped in the middle of a sentence."""
    text = reading.text
    if not reading.speaks(position) or reading.is_bare_marker(position):
        return go_on(position + 1)
    line = text[:position].rstrip()
    line_start = max(line.rfind(mark) for mark in LINE_BREAKS) + 1
    wrapped = position - line_start >= WRAPPED_LINE and (line[-1].isalnum() or line[-1] in ",-–—'’")
    if not wrapped or _is_structure(text):
        return cut(position)
    after = position + 1
    while reading.at(after) in (" ", "\t"):
        after += 1
    first = reading.at(after)
    if first in LINE_BREAKS or not first.islower() or reading.at(after + 1) in (")", "."):
        return cut(position)
    return go_on(after)


def _is_structure(text: str) -> bool:
    return text.startswith(("#", "|"))


def fence_at(reading: Reading, position: int) -> str | None:
    """The marks that open a fenced block at `position`, or None where it is a code span or stray marks."""
    mark = reading.text[position]
    end = position
    while end - position < LONGEST_MARKS and reading.at(end) == mark:
        end += 1
    if end - position < 3 or (mark == "~" and not _only_marker(reading, position)):
        return None
    for index in range(end, end + LONGEST_INFO):
        char = reading.at(index)
        if not char or char == "`":
            return None
        if char in LINE_BREAKS:
            return mark * (end - position)
    return None


def _only_marker(reading: Reading, position: int) -> bool:
    return reading.line_head and reading.is_bare_marker(position)


def judge_code(reading: Reading, position: int) -> Verdict:
    """A code span hides the stops in it; backticks without a partner are letters like others."""
    mark = reading.text[position]
    end = position
    while end - position < LONGEST_MARKS and reading.at(end) == mark:
        end += 1
    size = end - position
    if mark == "~":
        return go_on(end)
    return go_on(_behind_span(reading, end, size))


def _behind_span(reading: Reading, start: int, size: int) -> int:
    index = start
    while index - start < LONGEST_SPAN:
        char = reading.at(index)
        if not char or char in LINE_BREAKS:
            return start
        if char == "`":
            run = index
            while reading.at(run) == "`" and run - index <= size:
                run += 1
            if run - index == size:
                return run
            index = run
        else:
            index += 1
    return start
