"""The full stop proper: whether "." ends a sentence, by the word before it and the word after it; and what may follow
a closing quote where words are not spaced.

`stops` stands above; `tokens` and `languages` below.
"""

from typing import Final

from firstword.text.rules.lexicon import Kind, words
from firstword.text.rules.marks import is_wide
from firstword.text.rules.reading import Reading
from firstword.text.rules.tokens import Before, is_cased_name, is_marker, lexicon_of, look_before, word_before

__all__ = ["closed_wide", "ends_after_period"]

_STRONG: Final = words("i he she it we they you this that these those there i'm it's that's")
_BEFORE_PRONOUN: Final = words("and than am was is are as did do so not like nor but or")
_ROMAN: Final = frozenset("IVXLCDM")

# What ties a closing quote to the words behind it: Japanese particles, Chinese and Korean verbs of saying.
_PARTICLES: Final = ("と", "って", "っ", "が", "は", "を", "に", "の", "も", "か", "で", "へ", "や", "だ", "な", "など")
_NOT_PARTICLES: Final = (
    "でも", "では", "ですが", "ですから", "できれ", "とにかく", "ところ", "ともかく", "とりあえず", "とても",
    "もう", "もし", "もちろん", "もっと",
    "はい", "はじめ", "はっきり", "はや",
    "にわか", "のち", "のんびり", "かなり", "かつて", "がっかり", "やがて",
    "やっと", "やはり", "やっぱり",
    "だから", "だが", "だけど", "だって",
    "なぜ", "なに", "なん", "なので", "なら", "なるほど",
)  # fmt: skip
_SAYING: Final = "说問问道喊叫答笑嚷吼說"
_NOT_SAYING: Final = "就的是在了有和都也不很这那然后，。！？、；：”"


def ends_after_period(reading: Reading, position: int, closed: bool, letter: int, first: str) -> bool:
    """Whether the "." at `position` ends a sentence; what follows begins with `first`, its words at `letter`."""
    before = look_before(reading, position)
    if is_marker(reading, position) and _is_item(reading, before):
        return False
    following = reading.at(letter)
    if before.kind is Kind.PLAIN:
        return _plain_ends(reading, following, letter, closed, first)
    if before.kind is Kind.NEVER:
        return _is_street(reading, before, position, letter)
    if following.islower() and not is_cased_name(reading, letter):
        return reading.is_lower_style() and not closed and reading.word(letter).lower() in _STRONG
    if first == "(" or following.isdigit():
        return False
    if is_wide(following):
        return before.kind is Kind.ENDS
    return _ends_before_capital(reading, before, position, letter)


def _is_item(reading: Reading, before: Before) -> bool:
    if not before.token[-1:].isdigit():
        return reading.line_head
    number = int("".join(char for char in before.token if char.isdecimal()) or 0)
    if reading.line_head or number == 1 or number == (reading.item or 0) + 1:
        reading.item = number
        return True
    return False


def _plain_ends(reading: Reading, following: str, letter: int, closed: bool, first: str) -> bool:
    if following.islower() and first != "`":
        if not closed and reading.is_lower_style():
            return True
        return is_cased_name(reading, letter)
    return True


def _is_street(reading: Reading, before: Before, position: int, letter: int) -> bool:
    if before.word not in ("Dr", "Ft", "Pt"):
        return False
    previous = word_before(reading, position)
    named = previous[:1].isupper() and not reading.text.startswith(previous)
    return named and reading.word(letter).lower() in _STRONG


def _ends_before_capital(reading: Reading, before: Before, position: int, letter: int) -> bool:
    previous = word_before(reading, position).strip("\"'“”(,").lower()
    known = lexicon_of(reading)
    if before.kind in (Kind.ENDS, Kind.COUNTED):
        return not (before.kind is Kind.COUNTED and before.word.lower() != "no" and _is_label(reading, letter))
    labelled = previous in known.language.labelled or (before.word == "I" and previous in _BEFORE_PRONOUN)
    if len(before.word) == 1 and labelled:
        return True
    word = reading.word(letter)
    if len(word) == 1 and reading.at(letter + 1) == ".":
        return False
    if before.kind is Kind.LIKELY:
        return word.lower() not in known.language.followers
    return known.starts(word)


def _is_label(reading: Reading, letter: int) -> bool:
    word = reading.word(letter)
    return (len(word) == 1 and word != "I") or (len(word) > 1 and all(char in _ROMAN for char in word))


def closed_wide(reading: Reading, closed: bool, after: int) -> bool:
    """Whether what follows a closing quote goes on with its sentence: a particle or a verb of saying."""
    if not closed or not is_wide(reading.at(after)):
        return False
    if _begins(reading, after, _NOT_PARTICLES):
        return False
    return _begins(reading, after, _PARTICLES) or _says(reading, after)


def _begins(reading: Reading, index: int, prefixes: tuple[str, ...]) -> bool:
    fits = prefixes
    for offset in range(max(len(prefix) for prefix in prefixes)):
        if any(len(prefix) <= offset for prefix in fits):
            return True
        char = reading.at(index + offset)
        fits = tuple(prefix for prefix in fits if prefix[offset] == char)
        if not fits:
            return False
    return True


def _says(reading: Reading, index: int) -> bool:
    for offset in range(6):
        char = reading.at(index + offset)
        if not char or char in _NOT_SAYING:
            return False
        if char in _SAYING:
            return True
        if "\u3040" <= char <= "\u30ff" or not is_wide(char):
            return False
    return False
