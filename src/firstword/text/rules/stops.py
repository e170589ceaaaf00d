"""Whether a stop ends a sentence: what stands before it, what is attached to it, what follows.

`judge_stop` is asked about one stop and answers where the sentence ends or where to look on. It raises `NeedMore` where
the characters so far leave it open. Words and their kinds come from `languages`, line structure from `lines`.
"""

import re
from typing import Final

from firstword.text.rules import marks
from firstword.text.rules.closing import Stop, behind_bracketed, read_stop
from firstword.text.rules.endings import ends_after_period
from firstword.text.rules.english import BANG_NAMES
from firstword.text.rules.items import next_item
from firstword.text.rules.languages import STARTERS
from firstword.text.rules.lexicon import Kind
from firstword.text.rules.marks import is_closer, is_wide
from firstword.text.rules.quoting import is_attributed
from firstword.text.rules.reading import REACH, Reading, Verdict, cut, go_on
from firstword.text.rules.tokens import is_cased_name, is_caseless, language_before, look_before, starts_sentence

__all__ = ["judge_borrowed_stop", "judge_stop"]

_JOINING: Final = frozenset(",;:،؛，；：、")
_DASHES: Final = frozenset("—–-―")
_NOT_A_START: Final = frozenset("&=+/|%")
_CLEAR_OPENERS: Final = frozenset('"“«„(¿¡「『【（《')
# What only stands before something to say.
_BEFORE_WORDS: Final = _CLEAR_OPENERS | frozenset(marks.LINE_BREAKS + "$€£¥₹@")
_WIDE: Final = frozenset(marks.WIDE_STOPS + marks.DANDAS)
# Titles of books are written in these, with their marks: 《摔跤吧！爸爸》.
_TITLES: Final = ("《》", "〈〉")
_TITLE_ENDS: Final = frozenset("》〉")
_LATIN: Final = re.compile(r"[A-Za-z]{3,12}\Z")
_DIGITS: Final = re.compile(r"\d*")
_QUOTES: Final = frozenset('"“«„「『')
_INVERTED: Final = frozenset("¿¡")


def judge_stop(reading: Reading, start: int) -> Verdict:
    """Whether the stop at `start` ends a sentence."""
    behind = reading.text[start + 1 : start + 3]
    if reading.text[start] in ".!?" and len(behind) == 2:
        # Most stops are one mark with a letter or a space and a letter behind it.
        stop = Stop(start, start + 1, reading.text[start], closed=False, sealed=False)
        if behind[0] == " " and behind[1].isalnum():
            return _spaced(reading, stop, start + 2, behind[1])
        if behind[0].isalnum() and not is_closer(behind[0]):
            return _attached(reading, stop, behind[0])
    ends, end = _judge(reading, read_stop(reading, start))
    return (ends and _says_more(reading, end)), end


def _says_more(reading: Reading, end: int) -> bool:
    """Whether a letter or digit follows in the same line, or a mark that opens something.

    Without, the rest of the line has nothing to say and stays with this sentence.
    """
    for index in range(end, end + REACH):
        char = reading.at(index)
        if not char:
            return False
        if char.isalnum() or char in _BEFORE_WORDS:
            return True
    return True


def _judge(reading: Reading, stop: Stop) -> Verdict:
    following = reading.at(stop.end)
    if not following:
        return go_on(stop.end)
    wide = not _WIDE.isdisjoint(stop.marks)
    if not following.isspace():
        return _wide(reading, stop, stop.end) if wide else _attached(reading, stop, following)
    after = reading.run(marks.BLANKS, stop.end)
    first = reading.at(after)
    if first and first in marks.LINE_BREAKS:
        return cut(stop.end)
    if not first:
        return go_on(stop.end)
    if wide:
        return _wide(reading, stop, after)
    return _spaced(reading, stop, after, first)


def _attached(reading: Reading, stop: Stop, following: str) -> Verdict:
    """A stop with no white space behind it: a number, a name, a file, or a space that was forgotten."""
    before = reading.text[stop.start - 1] if stop.start else ""
    wide = is_wide(following)
    if wide and _is_bang_name(reading, stop.start):
        return go_on(stop.end)
    if following in _INVERTED or (wide and not stop.closed and (stop.marks != "." or is_wide(before))):
        return cut(stop.end) if reading.speaks(stop.start) and "…" not in stop.marks else go_on(stop.end)
    if following.isdigit():
        return _noted(reading, stop)
    if not following.isupper():
        joins = not stop.closed and is_caseless(following) and is_caseless(before) and _joins_sentences(reading, stop)
        return cut(stop.end) if joins else go_on(stop.end)
    if not (before.isalnum() or stop.closed):
        return go_on(stop.end)
    if reading.at(stop.end + 1).isupper():
        return go_on(stop.end)
    word = reading.word(stop.end)
    if _is_code(reading, stop.end + len(word)):
        return go_on(stop.end)
    token = reading.token_before(stop.start)
    if stop.closed or (token.isalpha() and len(token) > 1) or token.isdigit():
        return cut(stop.end) if _forgotten_space(reading, stop, token, word) else go_on(stop.end)
    return go_on(stop.end)


def _joins_sentences(reading: Reading, stop: Stop) -> bool:
    """Whether a space was forgotten behind a stop between letters without case: "أهلا.كيف حالك؟"."""
    token = reading.token_before(stop.start)
    return len(token) > 3 and "." not in token and look_before(reading, stop.start).kind is Kind.PLAIN


def _noted(reading: Reading, stop: Stop) -> Verdict:
    """A number attached to a stop: a note whose sign was lost, as in "in a study.11 The", or part of a name."""
    token = reading.token_before(stop.start)
    if stop.marks != "." or not token.isalpha() or not token.islower() or len(token) < 4:
        return go_on(stop.end)
    end = reading.run(_DIGITS, stop.end, 3)
    if not reading.at(end).isspace() or look_before(reading, stop.start).kind is not Kind.PLAIN:
        return go_on(stop.end)
    return cut(end) if reading.at(reading.run(marks.BLANKS, end)).isupper() else go_on(stop.end)


def judge_borrowed_stop(reading: Reading, position: int) -> Verdict:
    """A colon behind an Armenian letter and a semicolon behind a Greek one end a sentence before a blank."""
    return cut(position + 1) if reading.at(position + 1).isspace() else go_on(position + 1)


def _is_code(reading: Reading, index: int) -> bool:
    """Whether a word that ends at `index` is part of a name such as "Console.WriteLine()"."""
    behind = reading.at(index)
    if behind == ".":
        return reading.at(index + 1).isalnum()
    return behind != "" and (behind in "_/@(\\" or behind.isdigit())


def _forgotten_space(reading: Reading, stop: Stop, token: str, word: str) -> bool:
    known = language_before(reading, stop.start)
    if stop.closed or stop.marks != "." or known.starts(word) or (len(word) > 2 and word.lower() in STARTERS):
        return not reading.is_bare_marker(stop.start + 1)
    # Two digits are as likely the number of an item: "1.Eggs, 2.Milk".
    return len(token) >= 3 and (token.islower() or token.isdigit())


def _wide(reading: Reading, stop: Stop, after: int) -> Verdict:
    following = reading.at(after)
    if following in _JOINING or reading.is_bare_marker(stop.end):
        return go_on(stop.end)
    if stop.closed and (reading.text[stop.end - 1] in _TITLE_ENDS or is_attributed(reading, after)):
        return go_on(stop.end)
    if after == stop.end and _is_bang_name(reading, stop.start):
        return go_on(stop.end)
    if all(mark in "．.…" for mark in stop.marks) and not is_wide(following) and not following.isupper():
        return go_on(stop.end)
    titled = any(
        reading.text.count(opener, 0, stop.end) > reading.text.count(closer, 0, stop.end) for opener, closer in _TITLES
    )
    return cut(stop.end) if reading.speaks(stop.start) and not titled else go_on(stop.end)


def _spaced(reading: Reading, stop: Stop, after: int, first: str) -> Verdict:
    """A stop with a space behind it."""
    if not reading.speaks(stop.start) or first in _JOINING or first in _NOT_A_START:
        return go_on(stop.end)
    if first in ".!?" and not reading.at(after + 1).isalnum():
        # ". . .", "? !": marks with spaces between them are one stop.
        return go_on(after)
    dots = stop.marks.count(".") + 3 * stop.marks.count("…")
    if stop.sealed:
        return _sealed(reading, stop, after)
    if len(stop.marks.strip(".…")) > 0:
        return _exclaimed(reading, stop, after)
    if dots > 1 or reading.text.endswith((". ", ".\u00a0"), 0, stop.start):
        return _trailing(reading, stop, after)
    if first in _CLEAR_OPENERS and look_before(reading, stop.start).kind is Kind.PLAIN:
        return go_on(stop.end) if reading.is_bare_marker(stop.end) else cut(stop.end)
    letter = _letter(reading, after)
    item = next_item(reading, stop.start)
    if item and reading.at(letter).isupper():
        return cut(item)
    if reading.text.startswith("#") and reading.text[stop.start - 1].isdigit():
        # "# Chapter 1. The Start"
        return go_on(stop.end)
    return cut(stop.end) if ends_after_period(reading, stop.start, stop.closed, letter, first) else go_on(stop.end)


def _sealed(reading: Reading, stop: Stop, after: int) -> Verdict:
    letter = _letter(reading, after)
    ends = not reading.at(letter).islower() or reading.is_lower_style() or is_cased_name(reading, letter)
    return cut(stop.end) if ends else go_on(stop.end)


def _letter(reading: Reading, index: int) -> int:
    """Where the words begin behind quotes, brackets, dashes and emphasis."""
    for _ in range(64):
        char = reading.at(index)
        if char == "<":
            tag = behind_bracketed(reading, marks.OPENING_TAG, index, "<")
            if tag == index:
                break
            index = tag
        elif char in marks.OPENERS or char in _DASHES or (char and char.isspace()):
            index += 1
        else:
            break
    return index


def _exclaimed(reading: Reading, stop: Stop, after: int) -> Verdict:
    if reading.text[after] in _INVERTED or (stop.closed and reading.text[after] in _QUOTES):
        return cut(stop.end)
    letter = _letter(reading, after)
    first = reading.at(letter)
    if first.islower():
        ends = (reading.is_lower_style() and not stop.closed) or is_cased_name(reading, letter)
        return cut(stop.end) if ends else go_on(stop.end)
    before = reading.text[stop.start - 1 : stop.start]
    if before and before in "([":
        return go_on(stop.end)
    if stop.closed and is_attributed(reading, letter):
        return go_on(stop.end)
    if _is_bang_name(reading, stop.start):
        ends = starts_sentence(reading, language_before(reading, stop.start), letter)
        return cut(stop.end) if ends else go_on(stop.end)
    return cut(stop.end)


def _is_bang_name(reading: Reading, position: int) -> bool:
    """Whether a name that is written with an exclamation mark ends at `position`."""
    name = _LATIN.search(reading.text, max(0, position - 13), position)
    return name is not None and name.group().lower() in BANG_NAMES


def _trailing(reading: Reading, stop: Stop, after: int) -> Verdict:
    """An ellipsis: goes on before lower case, numbers and a word said twice, ends before a capital."""
    letter = _letter(reading, after)
    first = reading.at(letter)
    before = reading.text[stop.start - 1 : stop.start]
    if not first.isupper() and not is_cased_name(reading, letter):
        return go_on(stop.end)
    if before and before in "([":
        return go_on(stop.end)
    said = reading.token_before(stop.start).strip('"“')
    stutter = said.isalpha() and reading.begins(letter, said) and not reading.at(letter + len(said)).isalpha()
    return go_on(stop.end) if stutter else cut(stop.end)
