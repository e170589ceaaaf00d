"""The full stop proper: whether "." ends a sentence, by the word before it and the word after it.

`stops` stands above; `tokens` and `languages` below.
"""

import re
from typing import Final

from firstword.text.rules.items import begins_item, begins_item_in_line
from firstword.text.rules.languages import FIRST_PIECES, Lexicon
from firstword.text.rules.lexicon import Kind, words
from firstword.text.rules.marks import is_wide
from firstword.text.rules.quoting import is_attributed
from firstword.text.rules.reading import REACH, Reading
from firstword.text.rules.tokens import (
    Before,
    is_cased_name,
    is_caseless,
    language_before,
    look_before,
    word_before,
)

__all__ = ["ends_after_period"]

_STRONG: Final = words("i he she it we they you this that these those there i'm it's that's")
_MONARCHS: Final = words("elizabeth philip charles napoleon wilhelm nicholas alexander henry edward george james louis")
_BEFORE_PRONOUN: Final = words("and than am was is are as did do so not like nor but or")
# "2024. 3. 15." and "15. 3. 2024": what stands before a later number of a date.
_DATE_BEFORE: Final = re.compile(r"(?:19|20)\d\d\.\s(?:\d{1,2}\.\s)?\d{1,2}$")
_DIGITS: Final = re.compile(r"\d*")
_ROMAN: Final = frozenset("IVXLCDM")


def ends_after_period(reading: Reading, position: int, closed: bool, letter: int, first: str) -> bool:
    """Whether the "." at `position` ends a sentence; what follows begins with `first`, its words at `letter`."""
    before = look_before(reading, position)
    if before.word.lower() in FIRST_PIECES and _has_second_piece(reading, before, position, letter):
        return False
    if begins_item(reading, position) or begins_item_in_line(reading, before.token, word_before(reading, position)):
        return False
    following = reading.at(letter)
    if before.number and _is_ordinal(reading, before.token, position, letter):
        return False
    if before.kind is Kind.PLAIN or (before.kind is Kind.COUNTED and (following.islower() or first == "(")):
        return _plain_ends(reading, following, letter, closed, first)
    if before.kind is Kind.NEVER:
        return _is_street(reading, before, position, letter)
    if following.islower() and not is_cased_name(reading, letter):
        return reading.is_lower_style() and not closed and reading.word(letter).lower() in _STRONG
    if first == "(" or following.isdigit():
        return False
    if is_caseless(following):
        return before.kind in (Kind.ENDS, Kind.LIKELY)
    return _ends_before_capital(reading, before, position, letter)


def _has_second_piece(reading: Reading, before: Before, position: int, letter: int) -> bool:
    """Whether the next word completes the abbreviation: "EE." and "UU."."""
    word = reading.word(letter)
    known = language_before(reading, position)
    return reading.at(letter + len(word)) == "." and known.kind(f"{before.word}.{word}") is not None


def _plain_ends(reading: Reading, following: str, letter: int, closed: bool, first: str) -> bool:
    if following.islower() and first != "`":
        if not closed and reading.is_lower_style():
            return True
        return is_cased_name(reading, letter)
    return not (closed and is_caseless(following) and is_attributed(reading, letter))


def _is_ordinal(reading: Reading, token: str, position: int, letter: int) -> bool:
    """Whether the number before the stop counts what follows: "7. Juni", "im 19. Jahrhundert", "2024. 3. 15."."""
    following = reading.at(letter)
    if following.isdigit() or is_wide(following):
        return _is_date(reading, token, position, letter)
    if not following.isupper() or len(token) > 3:
        return False
    language = language_before(reading, position).language
    if not language.months:
        return False
    word = reading.word(letter)
    if word.lower() in language.months or word.lower() in language.ordinal_nouns:
        return True
    return word_before(reading, position).lower() in language.before_ordinal and word.lower() not in language.starters


def _is_date(reading: Reading, token: str, position: int, letter: int) -> bool:
    """Whether the stop stands inside a date of numbers and spaces."""
    if _DATE_BEFORE.search(reading.text, max(0, position - REACH), position):
        return True
    if not token.isdecimal() or len(token) not in (1, 2, 4) or not reading.at(letter).isdigit():
        return False
    end = reading.run(_DIGITS, letter)
    if reading.at(end) != "." or end - letter > 2:
        return False
    if len(token) == 4:
        return token[:2] in ("19", "20") and reading.at(end + 1) == " "
    return reading.at(end + 1) == " " and reading.begins(end + 2, "20")


def _is_street(reading: Reading, before: Before, position: int, letter: int) -> bool:
    if before.word not in ("Dr", "Ft", "Pt"):
        return False
    previous = word_before(reading, position)
    named = previous[:1].isupper() and not reading.text.startswith(previous)
    return named and reading.word(letter).lower() in _STRONG


def _ends_before_capital(reading: Reading, before: Before, position: int, letter: int) -> bool:
    previous = word_before(reading, position).strip("\"'“”(,").lower()
    known = language_before(reading, position)
    if before.kind in (Kind.ENDS, Kind.COUNTED):
        return not (before.kind is Kind.COUNTED and before.word.lower() != "no" and _is_label(reading, letter))
    labelled = previous in known.language.labelled or (before.word == "I" and previous in _BEFORE_PRONOUN)
    if len(before.word) == 1 and labelled:
        return True
    if before.kind is Kind.LIKELY:
        return not _follows(reading, known, letter)
    word = reading.word(letter)
    if len(word) == 1 and reading.at(letter + 1) == ".":
        return False
    if len(before.word) == 1 and before.word in _ROMAN and previous in _MONARCHS:
        return True
    return known.starts(word)


def _follows(reading: Reading, known: Lexicon, letter: int) -> bool:
    """Whether the word at `letter` continues "6 p.m." or "Oak Blvd.", told as soon as no follower begins like it."""
    for end in range(letter + 1, letter + REACH):
        if not known.may_follow(reading.text[letter:end], whole=False):
            return False
        if not reading.at(end).isalpha():
            return known.may_follow(reading.text[letter:end], whole=True)
    return False


def _is_label(reading: Reading, letter: int) -> bool:
    word = reading.word(letter)
    return (len(word) == 1 and word != "I") or (len(word) > 1 and all(char in _ROMAN for char in word))
