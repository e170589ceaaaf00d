"""What is dropped or unified before any rule looks: controls, invisible marks, typographic variants; stray space."""

import re
import unicodedata
from html import unescape
from typing import Final

from firstword.text.edits import Edit

__all__ = ["characters", "entities", "spacing"]

_ODD: Final = re.compile(r"[^\x20-\x7e\n¡-¬®-ˆˋ-˿Ͱ-῿、-퟿–—…€™−≤≥≠×÷→]")
_STYLED: Final = re.compile(
    "[\U0001d400-\U0001d7ff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2160-\u2188\ufb00-\ufb06ℂℊℍℎℏℓℕℙℚℝℤ℃℉\u3380-\u33df]"
)
_CIRCLED: Final = re.compile("[\u2460-\u249b\u24f5-\u24ff\u2776-\u2793]")
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_SPACING: Final = re.compile(r"^\s+|\s+\Z|[ ]*\n\s*| {2,}| (?=[.,;:!?](?:\s|\Z))", re.MULTILINE)
_MOST_MARKS: Final = 6
"""Combining marks one letter may carry; a pile of more is a prank, not a script."""
_ZWNJ, _ZWJ, _VARIANT = "\u200c", "\u200d", "\ufe0f"
_SAME: Final = {
    **dict.fromkeys("\t\u2028\u2029\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
    **dict.fromkeys("\r\v\f\u0085\u2028\u2029", "\n"),
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201f\uff02", '"'),
    **dict.fromkeys("\u2010\u2011\uff0d\ufe63", "-"),
    "\u2024": ".",
    "\uff05": "%",
    "\uff04": "$",
    "\uffe5": "¥",
    "\uffe1": "£",
}


def characters(text: str) -> list[Edit]:
    """Drops what nobody can say (controls, invisible and unassigned characters, lone surrogates); unifies variants."""
    edits: list[Edit] = []
    marks = last_mark = 0
    for match in _ODD.finditer(text):
        char, at = match[0], match.start()
        category = unicodedata.category(char)
        if char in _SAME:
            edits.append(Edit(at, at + 1, _SAME[char]))
        elif _STYLED.match(char):
            edits.append(Edit(at, at + 1, unicodedata.normalize("NFKC", char)))
        elif _CIRCLED.match(char):
            edits.append(Edit(at, at + 1, f" {int(unicodedata.numeric(char))} "))
        elif category[0] == "M" and char != _VARIANT:
            marks = marks + 1 if last_mark == at - 1 else 1
            last_mark = at
            if marks > _MOST_MARKS:
                edits.append(Edit(at, at + 1, ""))
        elif category[0] == "C" and not _joins(text, at):
            edits.append(Edit(at, at + 1, ""))
    return edits


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands inside an emoji or inside a word of a script that writes with joiners."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return text[at] in (_ZWJ, _ZWNJ) and bool(before and after) and before > "\u0590" and after > "\u0590"


def entities(text: str) -> list[Edit]:
    """`&amp;` and its like become their characters."""
    if "&" not in text:
        return []
    return [Edit(match.start(), match.end(), unescape(match[0])) for match in _ENTITY.finditer(text)]


def spacing(text: str) -> list[Edit]:
    """One space between words, one newline between lines, none at the ends or before a closing mark."""
    edits: list[Edit] = []
    for match in _SPACING.finditer(text):
        start, end = match.span()
        if start == end:
            continue
        outer = start == 0 or end == len(text) or text[end] in ".,;:!?"
        edits.append(Edit(start, end, "" if outer else "\n" if "\n" in match[0] else " "))
    return [edit for edit in edits if text[edit.start : edit.end] != edit.text]
