"""The full stop proper: whether "." ends a sentence, by the word before it and the word after it.

`stops` stands above; `tokens` and `languages` below.
"""

import re
from typing import Final

from firstword.text.rules.english import DEGREES
from firstword.text.rules.items import begins_item, begins_item_in_line
from firstword.text.rules.languages import SECOND_PIECES, Lexicon
from firstword.text.rules.lexicon import Kind, words
from firstword.text.rules.marks import is_wide
from firstword.text.rules.quoting import is_attributed
from firstword.text.rules.reading import REACH, Reading
from firstword.text.rules.tokens import (
    Before,
    is_cased_name,
    is_caseless,
    is_one_of,
    language_before,
    look_before,
    starts_sentence,
    word_before,
)

__all__ = ["ends_after_period"]

_STRONG: Final = words("i he she it we they you this that these those there i'm it's that's")
_MONARCHS: Final = words("""
    elizabeth philip charles napoleon wilhelm nicholas alexander henry edward george james louis carlos felipe alfonso
    fernando isabel pedro joão manuel umberto emanuele vittorio napoleone napoléon françois friedrich heinrich karl
""")
_BEFORE_PRONOUN: Final = words("and than am was is are as did do so not like nor but or")
# "2024. 3. 15." and "15. 3. 2024": what stands before a later number of a date.
_DATE_BEFORE: Final = re.compile(r"(?:19|20)\d\d\.\s?(?:\d{1,2}\.\s?)?\d{1,2}$")
_DAY_BEFORE: Final = re.compile(r"(?<!\S)\d{1,2}\.\s\d{1,2}$")
# "At 5 a.m.": no sentence yet, unless a new one clearly begins.
_OPENING_PHRASE: Final = re.compile(
    r"(?:At|By|On|In|Around|After|Before|From|Since|Until|About|Nel|En|Em|Hacia|Verso)\s\S+"
    r"(?:\s(?:[A-Z\d]\S*|[ap]\.m|the|of|at|on|in|and|morning|afternoon|evening|night|noon|about)){0,6}$"
)
_DIGITS: Final = re.compile(r"\d*")
_SHORT_WORD: Final = re.compile(r"[^\W\d_]*")
_NATIONS: Final = words("u.s u.k u.n e.u u.s.a u.a.e u.s.s.r d.c e.u.a ee.uu")
_BEFORE_PLACE: Final = words(
    """in at near to from of for with across throughout within by around outside inside left leave washington
    nos dos aos em en los desde para hacia"""
)
_TWO_LABELS: Final = re.compile(r"(?<!\w)[A-Z] (?:or|and|to) [A-Z]$")  # "Y or N."
_BEFORE_UNKNOWN: Final = words("= + - − * × / < > ≤ ≥ ≠ ≈")
_BEFORE_DEGREE: Final = words("a an his her my your our their the another")
_AFTER_DEGREE: Final = words("program programme student students thesis degree candidate in from and")
_STEP: Final = re.compile(
    r"[#*>\s]*(?:Step|Tip|Rule|Question|Task|Example|Option|Schritt|Tipp|Regel|Frage|Aufgabe|Paso|Regla|Pregunta|Étape|"
    r"Règle|Passo|Regola|Domanda|Regra|Pergunta)\s\d{1,2}\Z"
)
"""The number of what the rest of the line tells: "Step 1. Open the app."."""
_LONGEST_LABEL: Final = 24
_ROMAN: Final = frozenset("IVXLCDM")


def ends_after_period(reading: Reading, position: int, closed: bool, letter: int, first: str) -> bool:
    """Whether the "." at `position` ends a sentence; what follows begins with `first`, its words at `letter`."""
    before = look_before(reading, position)
    if _has_second_piece(reading, before, position, letter):
        return False
    if begins_item(reading, position) or begins_item_in_line(reading, before.token, position):
        return False
    following = reading.at(letter)
    if before.number and position <= _LONGEST_LABEL and _STEP.match(reading.text, 0, position):
        return False
    if before.number and _is_ordinal(reading, before.token, position, letter):
        return False
    if before.kind is Kind.PLAIN or (before.kind is Kind.COUNTED and (following.islower() or first == "(")):
        return _plain_ends(reading, following, letter, closed, first)
    if before.kind is Kind.NEVER:
        return _is_street(reading, before, position, letter) or _is_lettered(reading, before, position)
    if following.islower() and not is_cased_name(reading, letter):
        return reading.is_lower_style() and not closed and is_one_of(reading, letter, _STRONG)
    if first == "(" or following.isdigit():
        return False
    if is_caseless(following):
        followers = language_before(reading, position).language.followers
        return before.kind in (Kind.ENDS, Kind.LIKELY) and not closed and not is_one_of(reading, letter, followers)
    return _ends_before_capital(reading, before, position, letter)


def _has_second_piece(reading: Reading, before: Before, position: int, letter: int) -> bool:
    """Whether the next word completes the abbreviation: "EE." and "UU."."""
    pieces = SECOND_PIECES.get(before.word.lower())
    if not pieces or not is_one_of(reading, letter, pieces):
        return False
    word = reading.text[letter : reading.run(_SHORT_WORD, letter, 4)]
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
    if is_one_of(reading, letter, language.months) or is_one_of(reading, letter, language.ordinal_nouns):
        return True
    counted = word_before(reading, position).lower() in language.before_ordinal
    return counted and not starts_sentence(reading, language_before(reading, position), letter)


def _is_date(reading: Reading, token: str, position: int, letter: int) -> bool:
    """Whether the stop stands inside a date of numbers and spaces."""
    start = max(0, position - REACH)
    if _DATE_BEFORE.search(reading.text, start, position):
        return True
    if _DAY_BEFORE.search(reading.text, start, position):
        return _is_year(reading, letter)
    if not token.isdecimal() or len(token) not in (1, 2, 4) or not reading.at(letter).isdigit():
        return False
    end = reading.run(_DIGITS, letter)
    if reading.at(end) != "." or end - letter > 2:
        return False
    if len(token) == 4:
        return token[:2] in ("19", "20") and reading.at(end + 1) == " "
    counted = word_before(reading, position).lower() in language_before(reading, position).language.before_ordinal
    return reading.at(end + 1) == " " and (counted or _is_year(reading, end + 2))


def _is_year(reading: Reading, start: int) -> bool:
    return reading.at(start) in ("1", "2") and reading.run(_DIGITS, start) == start + 4


def _is_lettered(reading: Reading, before: Before, position: int) -> bool:
    """Whether an Arabic letter is a label ("hall B") and no title."""
    if len(before.word) != 1 or not is_caseless(before.word):
        return False
    return word_before(reading, position) in language_before(reading, position).language.labelled


def _is_street(reading: Reading, before: Before, position: int, letter: int) -> bool:
    if before.word not in ("Dr", "Ft", "Pt"):
        return False
    previous = word_before(reading, position)
    named = previous[:1].isupper() and not reading.text.startswith(previous)
    return named and is_one_of(reading, letter, _STRONG)


def _ends_before_capital(reading: Reading, before: Before, position: int, letter: int) -> bool:
    previous = word_before(reading, position).strip("\"'“”(,").lower()
    known = language_before(reading, position)
    if before.word.lower() == "no" and _is_coded(reading, letter):
        return False
    if before.kind in (Kind.ENDS, Kind.COUNTED):
        return not (before.kind is Kind.COUNTED and before.word.lower() != "no" and _is_label(reading, letter))
    if len(before.word) == 1 and (
        _is_labelled(known, before.word, previous) or _TWO_LABELS.search(reading.text, max(0, position - 8), position)
    ):
        return True
    if before.word.lower() in DEGREES and previous in _BEFORE_DEGREE:
        return not is_one_of(reading, letter, _AFTER_DEGREE)
    if before.kind is Kind.LIKELY and not _OPENING_PHRASE.match(reading.text, 0, position):
        return not is_one_of(reading, letter, known.language.followers)
    if reading.at(letter + 1) == ".":
        return False
    if (previous in _BEFORE_PLACE and before.word.count(".") > 1) or (
        before.word.lower() in _NATIONS and _ends_phrase(reading, position, previous)
    ):
        return not is_one_of(reading, letter, known.language.institutions)
    return starts_sentence(reading, known, letter)


def _ends_phrase(reading: Reading, position: int, previous: str) -> bool:
    """Whether an acronym ends a phrase such as "in the U.S.", and is not the subject of what follows."""
    if previous == "the":
        previous = word_before(reading, position - len("the ") - len(reading.token_before(position))).lower()
    return previous in _BEFORE_PLACE


def _is_labelled(known: Lexicon, letter: str, previous: str) -> bool:
    """Whether a single letter is a label and no initial: "option A", "Charles I", "you and I"."""
    if previous in known.language.labelled or previous in _BEFORE_UNKNOWN or previous.endswith("°"):
        return True
    return (letter == "I" and previous in _BEFORE_PRONOUN) or (letter in "IVX" and previous in _MONARCHS)


def _is_coded(reading: Reading, letter: int) -> bool:
    """Whether letters and digits of a number stand at `letter`: "order no. A-1057"."""
    end = letter
    while end < letter + 3 and reading.at(end).isupper():
        end += 1
    return reading.at(end).isdigit() or (reading.at(end) in "-/" and reading.at(end + 1).isdigit())


def _is_label(reading: Reading, letter: int) -> bool:
    """Whether a letter or a Roman numeral stands at `letter`: "Fig. A", "Vol. II"."""
    first, second = reading.at(letter), reading.at(letter + 1)
    if not second.isalpha():
        return first != "I" and second not in ("'", "’")
    return first in _ROMAN and all(char in _ROMAN for char in reading.word(letter))
