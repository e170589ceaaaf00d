"""The text of one chunk as the rules read it: everything up to now is known, what follows may not have come yet.

Every rule looks ahead through this class only. A look past the end raises `NeedMore` unless the stream has ended, so
an answer once given rests on characters that were there, and no later fragment can change it. That is what makes the
output independent of how the text was cut into fragments. Knows no rule. `stops` and `lines` stand above it.
"""

import re
from dataclasses import dataclass
from typing import Final

from firstword.text.rules.marks import SPEAKABLE

__all__ = ["REACH", "NeedMore", "Reading", "Verdict", "cut", "go_on"]

# How far any rule looks back or ahead. It bounds the cost of a character.
REACH: Final = 64

# Vowel signs are not letters to `re`.
_SIGNS: Final = "\u0300-\u036f\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0dff"
_WORD: Final = re.compile(rf"(?:[^\W_]|[{_SIGNS}])*(?:['’][^\W\d_]+)*")
_LETTER: Final = re.compile(r"[^\W\d_]+")

# What stands before the words of an item: quote marks, bullets, boxes, then a number or a letter.
_MARKER: Final = re.compile(
    r"(?:[>#*+•◦▪‣⁃·–—-]+\s+|[•◦▪‣⁃]|\*\*|__|\[[ xX]\]\s*)*"
    r"(?:\(?(?:\d{1,3}(?:\.\d{1,2}){0,3}|[A-Za-z]|[ivxIVX]{1,5}|[가나다라마바사](?=[.)]))(?:\.\)|\)\.|[.)．、]))?"
)


class NeedMore(Exception):
    """The answer lies in characters that have not come yet."""


# (True, end of the sentence) or (False, where to look on).
type Verdict = tuple[bool, int]


def cut(end: int) -> Verdict:
    return True, end


def go_on(position: int) -> Verdict:
    return False, position


@dataclass(slots=True)
class Reading:
    """`text` begins at the chunk's first character; `final` says that nothing follows its last."""

    text: str
    final: bool
    # The language of the stream as far as it has shown, at first what the caller said.
    guessed: str = "en"
    # The language that the caller named, if little words of another are no proof against it.
    named: str = ""
    guessed_at: int = -1
    line_head: bool = True
    # Characters of the first line that went out with the chunks before.
    line_offset: int = 0
    # Set where this chunk continues a sentence that was cut for its length, so that its first letter tells no style.
    inherited_lower: bool | None = None
    # The label that the next item of the current list would have.
    item: str = ""
    # Quotes that stand open from the chunks before: a quote of several sentences.
    opened: str = ""

    def at(self, index: int) -> str:
        """The character at `index`, or "" behind the end of the stream."""
        if index < len(self.text):
            return self.text[index]
        if self.final:
            return ""
        raise NeedMore

    def run(self, pattern: re.Pattern[str], start: int, most: int = REACH) -> int:
        """Where the run of `pattern` (a starred class) from `start` ends, at most `most` characters on."""
        match = pattern.match(self.text, start, start + most)
        end = match.end() if match else start
        if end == len(self.text) and end < start + most and not self.final:
            raise NeedMore
        return end

    def word(self, start: int) -> str:
        """The whole word at `start`, with its apostrophes."""
        end = self.run(_WORD, start)
        if end > start and self.at(end) in ("'", "’"):
            self.at(end + 1)
            end = self.run(_WORD, start)
        return self.text[start:end]

    def begins(self, start: int, word: str) -> bool:
        """Whether `word` stands at `start`, told as soon as it is certain; case does not count."""
        return all(self.at(start + offset).lower() == char for offset, char in enumerate(word.lower()))

    def token_before(self, position: int) -> str:
        """What stands between the last white space and `position`."""
        before = self.text[max(0, position - REACH) : position]
        return "" if not before or before[-1].isspace() else before.rsplit(None, 1)[-1]

    def last_break(self, end: int) -> int:
        """Where the last line break before `end` stands, or -1."""
        text = self.text
        return max(text.rfind("\n", 0, end), text.rfind("\u2028", 0, end), text.rfind("\u2029", 0, end))

    def speaks(self, end: int) -> bool:
        return SPEAKABLE.search(self.text, 0, end) is not None

    def is_bare_marker(self, end: int) -> bool:
        """Whether all before `end` is the mark of an item whose words are still to come."""
        return not self.text[self.marker_end() : end].strip()

    def marker_end(self) -> int:
        """Where the mark of an item at the beginning of the text ends, 0 where there is none."""
        marker = _MARKER.match(self.text)
        return marker.end() if marker else 0

    def is_lower_style(self) -> bool:
        """Whether the chunk began in lower case, as people chat."""
        if self.inherited_lower is not None:
            return self.inherited_lower
        first = _LETTER.search(self.text, self.marker_end() if self.line_head else 0)
        if first is None:
            return False
        word = first.group()
        return word[0].islower() and word == word.lower()
