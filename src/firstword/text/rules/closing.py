"""What belongs to a stop: the run of marks, and the closers, notes, tags and emoji behind it.

Says where the sentence would end, not whether it does: that is `stops`, above.
"""

import re
from dataclasses import dataclass
from typing import Final

from firstword.text.rules import marks
from firstword.text.rules.marks import is_closer
from firstword.text.rules.reading import REACH, Reading

__all__ = ["Stop", "behind_bracketed", "read_stop"]

_FACES: Final = frozenset(":;=<xX^")
_LINK_TARGET: Final = re.compile(r"\([^\s()]*\)?")


@dataclass(frozen=True, slots=True)
class Stop:
    """A run of stops with all that belongs to it."""

    start: int
    end: int  # behind closers, notes and emoji
    marks: str
    closed: bool  # a quote or bracket closes behind it
    sealed: bool  # a second stop stands behind the closer: "(at 5 p.m.)."


def read_stop(reading: Reading, start: int) -> Stop:
    """The run of stops at `start` with its closers, notes, tags and emoji."""
    end, closed, sealed = start, False, False
    found = ""
    while end - start < 2 * REACH:
        run = reading.run(marks.STOPS, end)
        found += reading.text[end:run]
        sealed = closed and run > end
        closer = _closer(reading, run)
        closed = closed or reading.text[run:closer].strip(" \u00a0\u202f*_") != ""
        if closer == run:
            end = run
            break
        end = closer
    return Stop(start, _with_emoji(reading, end), found, closed, sealed)


def _closer(reading: Reading, index: int) -> int:
    """Behind one closer, note or closing tag at `index`, or `index`."""
    char = reading.at(index)
    if not char:
        return index
    if is_closer(char) and not (char == "»" and _closes_elsewhere(reading, index)):
        if char == "]" and reading.at(index + 1) == "(":
            return behind_bracketed(reading, _LINK_TARGET, index + 1, "(")
        return index + 1
    if char in marks.QUOTE_PAIRS and (
        marks.QUOTE_PAIRS[char] in reading.opened or marks.QUOTE_PAIRS[char] in reading.text[:index]
    ):
        return index + 1
    if char == "[":
        return _note(reading, index)
    if char == "【":
        return _source_note(reading, index)
    if char == "(" and reading.at(index + 1).isdigit():
        return _numbered_note(reading, index)
    if char == "<":
        return behind_bracketed(reading, marks.CLOSING_TAG, index, "<")
    if (
        char in " \u00a0\u202f"
        and reading.at(index + 1) == "»"
        and ("«" in reading.opened) + reading.text.count("«", 0, index) > reading.text.count("»", 0, index)
    ):
        return index + 2
    return index


def _closes_elsewhere(reading: Reading, index: int) -> bool:
    """Whether a » at `index` opens, as in German: nothing stands open that it could close."""
    before = reading.opened + reading.text[:index]
    return "«" not in before and "»" not in before


def _note(reading: Reading, index: int) -> int:
    for offset in range(1, 24):
        char = reading.at(index + offset)
        if not char or not (char.isalnum() or char in " ,–-^]"):
            return index
        if char == "]":
            match = marks.NOTE.match(reading.text, index)
            return match.end() if match and reading.at(match.end()) != "(" else index
    return index


def _source_note(reading: Reading, index: int) -> int:
    """Behind a source as tools write it, 【4†file.pdf】, or `index`."""
    if not reading.at(index + 1).isdigit():
        return index
    for offset in range(2, REACH):
        char = reading.at(index + offset)
        if not char or char.isspace():
            break
        if char == "】":
            return index + offset + 1 if "†" in reading.text[index : index + offset] else index
    return index


def behind_bracketed(reading: Reading, pattern: re.Pattern[str], index: int, prefix: str) -> int:
    """Behind the match of `pattern` at `index`, if it begins with `prefix` and closes before a blank; else `index`."""
    for offset, wanted in enumerate(prefix):
        if reading.at(index + offset) != wanted:
            return index
    for offset in range(len(prefix), 300):
        char = reading.at(index + offset)
        if not char or char.isspace():
            break
        if char in ")>":
            match = pattern.match(reading.text, index)
            return match.end() if match else index
    return index


def _numbered_note(reading: Reading, index: int) -> int:
    """Behind the note at `index` ("[3]", "(3)") that a blank follows, or `index`."""
    for offset in range(1, 16):
        char = reading.at(index + offset)
        if char and char in "])":
            match = marks.NUMBERED_NOTE.match(reading.text, index)
            after = reading.at(match.end()) if match else "("
            if match and after == "[":
                behind = _numbered_note(reading, match.end())
                return behind if behind > match.end() else index
            return match.end() if match and (not after or after.isspace()) else index
        if not char or not (char.isdigit() or char in " ,–-^"):
            return index
    return index


def _with_emoji(reading: Reading, end: int) -> int:
    """Behind the emoji, emoticons and numbers of notes that follow `end` with or without a space."""
    while True:
        blank = reading.run(marks.BLANKS, end)
        behind = reading.run(marks.EMOJI, blank)
        if behind == blank == end and reading.at(blank) == "(":
            behind = _face(reading, blank)
        if behind == blank and (blank > end or reading.at(blank) == "^"):
            behind = _numbered_note(reading, blank) if reading.at(blank) == "[" else _emoticon(reading, blank)
        if behind == blank:
            return end
        end = behind


def _face(reading: Reading, index: int) -> int:
    """Behind the bracketed face at `index`, or `index`."""
    for offset in range(1, 11):
        char = reading.at(index + offset)
        if not char or char.isspace() or (offset == 1 and char.isalnum()):
            break
        if char == ")":
            match = marks.FACE.match(reading.text, index)
            return match.end() if match else index
    return index


def _emoticon(reading: Reading, index: int) -> int:
    """Behind the face at `index` that no word follows, or `index`."""
    if reading.at(index) not in _FACES:
        return index
    for length in (2, 3):
        reading.at(index + length - 1)
        match = marks.EMOTICON.fullmatch(reading.text, index, index + length)
        if match and not reading.at(match.end()).isalnum():
            return match.end()
    return index
