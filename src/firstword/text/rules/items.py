"""Items of a list: which marks begin one, also where all items stand on one line.

`chunker`, `stops` and `endings` stand above.
"""

import re
from typing import Final

from firstword.text.rules.marks import BLANKS
from firstword.text.rules.reading import Reading, Verdict, cut, go_on

__all__ = ["begins_item", "begins_item_in_line", "judge_bullet", "judge_item_number", "next_item"]

_LABEL: Final = re.compile(r"(\d{1,3}|[A-Za-z])(?=[.)．、]*$)")


def judge_item_number(reading: Reading, position: int) -> Verdict:
    """Whether the ")" at `position` ends the number of the next item: the sentence then ends before the number."""
    if begins_item(reading, position):
        return go_on(position + 1)
    start = next_item(reading, position)
    if not start or not reading.at(position + 1).isspace():
        return go_on(position + 1)
    after = reading.run(BLANKS, position + 1)
    return cut(start) if reading.at(after).isalnum() else go_on(position + 1)


def judge_bullet(reading: Reading, position: int) -> Verdict:
    """A bullet ends the item before it, if that began with the same one."""
    text = reading.text
    follows = position > 0 and text[position - 1].isspace() and text.startswith(text[position])
    return cut(position) if follows and not reading.is_bare_marker(position) else go_on(position + 1)


def begins_item(reading: Reading, position: int) -> bool:
    """Whether all up to the mark at `position` is the label of an item, which is then the one to count on from."""
    end = reading.marker_end()
    if end not in (position + 1, position + 2):
        return False
    label = _LABEL.search(reading.text[:end])
    if label is None:
        return reading.line_head
    wanted = label.group()
    if _is_answer(reading, wanted):
        return True
    if wanted.isupper() and reading.text[position] != ")":
        # "A. Lincoln" at the head of a line is as likely a name.
        return reading.line_head
    if not (reading.line_head or wanted in ("1", "a", "A") or wanted == reading.item):
        return False
    reading.item = _successor(wanted)
    return True


def _is_answer(reading: Reading, label: str) -> bool:
    """Whether `label` takes its turn in "Q. … A. … Q. …"."""
    turn = {"Q": "A", "A": "Q"}.get(label, "")
    if not turn or not (reading.item == label or (label == "Q" and reading.line_head)):
        return False
    reading.item = turn
    return True


def begins_item_in_line(reading: Reading, token: str, position: int) -> bool:
    """Whether the `token` that ends at `position`, behind a colon, is the label of an item: "Do this: 1."."""
    if not token or token not in ("1", "a", reading.item):
        return False
    if not reading.text[: position - len(token)].rstrip().endswith((":", ";")):
        return False
    reading.item = _successor(token)
    return True


def next_item(reading: Reading, position: int) -> int:
    """Where the label that ends at `position` begins, if it is the one that comes next in this list, else 0."""
    if not reading.item or not reading.marker_end():
        return 0
    start = position - len(reading.item)
    before = reading.text[start - 1 : start]
    return start if start > 0 and before.isspace() and reading.text.startswith(reading.item, start) else 0


def _successor(label: str) -> str:
    return str(int(label) + 1) if label.isdecimal() else chr(ord(label) + 1)
