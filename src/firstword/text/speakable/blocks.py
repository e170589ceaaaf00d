"""The lines of markdown: headings, items, quotes, rules, tables, fences. What is left of a line is said.

A line that is a unit of its own (heading, item, table row) gets a full stop if it ends without a mark, so that it is
not run into the next. The only state that crosses sentences is an open fence; everything else is told from its line.
"""

import re
from typing import Final

from firstword.text.edits import Edit

__all__ = ["Blocks"]

_FENCE: Final = re.compile(r"(?P<head>[^`\n]{0,200}?(?<![`\w]))(?P<marks>`{3,}|~{3,})(?P<info>[^`\n]{0,100})\Z")
_CLOSE: Final = re.compile(r"\s{0,40}(`{3,}|~{3,})\s*\Z")
_QUOTE: Final = re.compile(r"(?:[ \t]{0,20}>(?![0-9=]))+[ \t]?")
_HEADING: Final = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_WIKI_HEADING: Final = re.compile(r"={2,4} (?=[^=\n]{1,200} ={2,4}\s*\Z)")
_WIKI_HEADING_END: Final = re.compile(r" ={2,4}\s*\Z")
_HEADING_END: Final = re.compile(r"[ \t]+#+[ \t]*\Z")
_BULLET: Final = re.compile(r"[ \t]*+[-*+•‣◦▪●○■□➤►–—][ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_NUMBER: Final = re.compile(
    r"[ \t]*+(?!\(c\) ?[12]\d{3}\b)(?:\((?=\d{1,2}\)|[a-zA-Z]\)))?(\d{1,4}|[a-zA-Z])([.)])[ \t]+(?=\S)"
)
_HEADING_ENDS: Final = {"heading": _HEADING_END, "wiki heading": _WIKI_HEADING_END}
_FOOTNOTE: Final = re.compile(r"[ \t]{0,3}\[\^[^\]\n]{1,40}\]:[ \t]*")
_REFERENCE: Final = re.compile(r"[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]+<?(?:https?://|/|#|mailto:)\S+.*\Z")
_ABSOLUTE: Final = re.compile(r"(?<!\w)\|[^|\n]{1,30}\|\s?[<>=≤≥]\s?[\w-]+")
"""|x| < 5 is no row."""
_UNITS: Final = re.compile(r"[*_~`\"')\]\s]*\Z")
_ENDS: Final = frozenset(".!?:;,…。！？：；،।")
_RULE_CHARS: Final = frozenset("-*_=~")


class Blocks:
    """Reads the lines of one text after another."""

    def __init__(self, announcement: str) -> None:
        """`announcement` is said for a block of code."""
        self._announcement = announcement
        self._fence = ""

    def edits(self, text: str, *, starts_line: bool) -> list[Edit]:
        """The edits of a text; its first line is one from its beginning if `starts_line`."""
        edits: list[Edit] = []
        at, opened = 0, 0 if self._fence else -1
        announcement = "" if self._fence else self._announcement
        for line in text.split("\n"):
            end = at + len(line)
            if self._fence:
                if _closes(line, self._fence):
                    self._fence = ""
                    edits.append(Edit(opened, end, announcement if _holds_words(text[opened:end]) else ""))
                    opened, announcement = -1, self._announcement
            elif match := _FENCE.match(line):
                self._fence = match["marks"]
                opened = at + match.start("marks")
            else:
                edits.extend(_line(line, at, starts_line or at > 0))
            at = end + 1
        if self._fence:
            edits.append(Edit(opened, len(text), announcement if _holds_words(text[opened:]) else ""))
        return edits


def _holds_words(fenced: str) -> bool:
    """An empty fence is not worth announcing; a live text never gets to say one, for the chunker drops it."""
    return any(character.isalnum() for character in fenced)


def _closes(line: str, fence: str) -> bool:
    match = _CLOSE.match(line)
    return match is not None and match[1][0] == fence[0] and len(match[1]) >= len(fence)


def _line(line: str, at: int, whole: bool) -> list[Edit]:
    if not whole:
        return [Edit(at + start, at + end, said) for start, end, said in _cells(line, 0)]
    stripped = line.strip()
    if _is_rule(stripped) or _REFERENCE.match(line):
        return [Edit(at, at + len(line), "")]
    edits: list[Edit] = []
    start = 0
    if match := _QUOTE.match(line):
        edits.append(Edit(0, match.end(), ""))
        start = match.end()
    rest, unit = _marker(line, start, edits)
    cells = _cells(line, rest)
    edits.extend(cells)
    if unit or cells:
        edits.extend(_stop(line, rest, _HEADING_ENDS.get(unit)))
    return [Edit(at + first, at + last, said) for first, last, said in edits if first < last or said]


def _marker(line: str, start: int, edits: list[Edit]) -> tuple[int, str]:
    """Adds the edit of the marker at `start`; where the text after it begins, and what kind of unit it is."""
    if match := _HEADING.match(line, start):
        edits.append(Edit(start, match.end(), ""))
        return match.end(), "heading"
    if match := _WIKI_HEADING.match(line, start):
        edits.append(Edit(start, match.end(), ""))
        return match.end(), "wiki heading"
    if match := _BULLET.match(line, start):
        edits.append(Edit(start, match.end(), ""))
        return match.end(), "item"
    if (match := _NUMBER.match(line, start)) and (match[1].isdigit() or match[2] == ")"):
        edits += [Edit(start, match.start(1), ""), Edit(match.start(2), match.end(2), ".")]
        return match.end(), "item" if match[1].isdigit() else ""
    if match := _FOOTNOTE.match(line, start):
        edits.append(Edit(start, match.end(), ""))
        return match.end(), "item"
    return start, ""


def _stop(line: str, start: int, closing: re.Pattern[str] | None) -> list[Edit]:
    """A full stop after a unit that ends without a mark; a heading's closing marks go."""
    tail = closing.search(line, start) if closing else None
    end = tail.start() if tail else len(line)
    edits = [Edit(end, len(line), "")] if tail else []
    last = _UNITS.search(line[:end])
    mark = line[last.start() - 1] if last and last.start() > start else ""
    if mark and mark not in _ENDS and mark != "|":
        edits.insert(0, Edit(end, end, "."))
    return edits


def _is_rule(line: str) -> bool:
    """A thematic break, the underline of a heading, or the line under a table's head."""
    kinds = set(line) - {" "}
    if len(kinds) == 1 and kinds <= _RULE_CHARS:
        return len(line) >= 3
    return "-" in kinds and "|" in kinds and kinds <= frozenset("|-:+")


def _cells(line: str, start: int) -> list[Edit]:
    """The bars of a table row become commas, those at its ends nothing."""
    if (line.count("|") < 2 and " | " not in line) or _ABSOLUTE.search(line):
        return []
    edits: list[Edit] = []
    first, last = start + len(line[start:]) - len(line[start:].lstrip()), len(line.rstrip()) - 1
    if line[first : first + 1] != "|" and " | " not in line:
        return []
    spoken = False
    for match in re.finditer(r"[ \t]*+(?<!\\)\|[ \t]*+", line[start:]):
        low, high = start + match.start(), start + match.end()
        outer = low <= first or high > last
        edits.append(Edit(low, high, "" if low <= first else "." if high > last and spoken else "" if outer else ", "))
        spoken = spoken or not outer
    return edits
