"""What the word before a stop is, and what the word behind it looks like.

Shapes are decided here (numbers, initials, acronyms, names with inner capitals, web addresses), words by the lexicon.
`stops` and `endings` stand above.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final

from firstword.text.rules.english import CHAT
from firstword.text.rules.languages import Lexicon, guess_language, is_in_own_list, lexicon
from firstword.text.rules.lexicon import Kind, words
from firstword.text.rules.marks import is_wide
from firstword.text.rules.reading import REACH, Reading

__all__ = ["Before", "is_cased_name", "is_caseless", "language_before", "look_before", "word_before"]

_LEADING: Final = re.compile(r"^[^\w]+|^.*[—–/…\[({\"“«„]")
_SPACED: Final = re.compile(r"(?<![\w.])(?:[^\W\d_]{1,2}\.-?[ \u00a0\u202f]?)+[^\W\d_]{1,4}$")
_DOTTED: Final = re.compile(r"^(?:[^\W\d_]\.-?)+[^\W\d_]$")
_NUMBER: Final = re.compile(r"^[^\w]*\d[\d.,:]*$")
_NUMBER_WITH_UNIT: Final = re.compile(r"^[^\w]*\d[\d.,/]*([^\W\d_]+)$")
_CONSONANTS: Final = re.compile(
    r"^[B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz][b-df-hj-np-tv-xz]{1,4}$|^([ABD-HJKN-WYZ])\1$"
)  # "RR. HH."
_DOUBLE_NAME: Final = re.compile(r"^[^\W\d_]{3,}-[A-Z]$")  # "Karl-H. Meier"
_SOUNDS: Final = re.compile(
    r"^(?:h+m+|m+|m+h+m+|s+h+|p+f+t*|p+s+t+|t+s+k+|b+r+r+|g+r+|z+z+|n+th|tch|hmph)$", re.IGNORECASE
)
_ADDRESS: Final = re.compile(r"^(?:https?://|www\.|[\w.+-]+@\w)")
_WIDE_HEAD: Final = re.compile(r"^.*[^\x00-\x7f]")
_NO_BLANK: Final = re.compile(r"\S*")
# "Dipl.-Ing", "L'Avv": what the last part is, the word is. German streets are one word: "Hauptstr.", "Marktpl."
_LAST_PART: Final = re.compile(r"^.*[-'’]")
_PLACE: Final = ("str", "pl")
# Letters of algebra end a sentence; no abbreviation is written so.
_UNKNOWNS: Final = frozenset("xyz")
_NUMBER_SIGNS: Final = words("n° nº № n.º nos° #")
_NUMBER_WORDS: Final = words("one two three four five six seven eight nine ten twelve twenty fifty hundred few")


@dataclass(frozen=True, slots=True)
class Before:
    """The word before a stop and what the stop says there."""

    token: str  # all up to the white space before it
    word: str
    kind: Kind
    number: bool = False


def language_before(reading: Reading, position: int) -> Lexicon:
    """The lexicon of the language that the text before `position` seems to be in."""
    if reading.guessed_at != position:
        # A letter of its own before a stop is an initial or a numeral and no word of any language: "Carlos I."
        end = position - 1 if position > 1 and reading.text[position - 2].isspace() else position
        # One little word is not enough against the language that was named.
        head_start = 1 if reading.guessed == reading.named else 0
        reading.guessed = guess_language(reading.text[:end], reading.guessed, head_start)
        reading.guessed_at = position
    return lexicon(reading.guessed)


def look_before(reading: Reading, position: int) -> Before:
    """What stands before the stop at `position`."""
    token = reading.token_before(position)
    if not token or not _is_letter(token[-1]):
        return Before(token, token, Kind.COUNTED if token.lower() in _NUMBER_SIGNS else Kind.PLAIN)
    if _NUMBER.match(token):
        return Before(token, token, Kind.PLAIN, number=True)
    word = _LEADING.sub("", token)
    if word.isdigit():
        return Before(token, word, Kind.PLAIN)
    if is_wide(word[:1]) and word[-1].isascii():
        word = _WIDE_HEAD.sub("", word)  # "是No"
    if len(word) > 12 and "." not in word:
        return Before(token, word, Kind.PLAIN)
    if "°" in token:
        return Before(token, word, Kind.COUNTED if word[:1] in "nN" else Kind.PLAIN)
    known = language_before(reading, position) if is_in_own_list(word) else lexicon(reading.guessed)
    compact = _compact(reading, position, word)
    if compact:
        kind = known.kind(compact) or (Kind.MAYBE if _DOTTED.match(compact) else None)
        if kind:
            return Before(token, compact, kind)
    return Before(token, word, _unit_kind(known, reading, position, word) or _kind_of_word(known, word))


def _compact(reading: Reading, position: int, word: str) -> str:
    """ "z. B" and "U.S" without their spaces, or "" where no short pieces with stops stand before `position`."""
    if len(word) > 4 and "." not in word:
        return ""
    if "." not in reading.text[max(0, position - len(word) - 3) : position]:
        return ""
    spaced = _SPACED.search(reading.text, max(0, position - 24), position)
    return re.sub(r"\s", "", spaced.group()) if spaced else ""


def _unit_kind(known: Lexicon, reading: Reading, position: int, word: str) -> Kind | None:
    attached = _NUMBER_WITH_UNIT.match(word)
    if attached:
        return Kind.ENDS if known.is_unit(attached.group(1)) else Kind.PLAIN
    if (
        (len(word) > 1 or word.islower() or word == "L")
        and known.is_unit(word)
        and _is_number(word_before(reading, position))
    ):
        return Kind.ENDS
    return None


def _kind_of_word(known: Lexicon, word: str) -> Kind:
    kind = known.kind(word) or known.kind(_LAST_PART.sub("", word))
    if kind:
        return kind
    if word.lower().endswith(_PLACE):
        return Kind.NUMBERED
    if word.lower() in CHAT:
        return Kind.PLAIN
    if "-" in word and _DOUBLE_NAME.match(word):
        return Kind.MAYBE
    if (len(word) == 1 and not is_wide(word) and word not in _UNKNOWNS) or (
        _CONSONANTS.match(word) and not _SOUNDS.match(word)
    ):
        return Kind.MAYBE
    return Kind.PLAIN


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _is_number(token: str) -> bool:
    return token[-1:].isdigit() or token.lower() in _NUMBER_WORDS or token[-1:] in ("½", "¼", "¾")


def word_before(reading: Reading, position: int) -> str:
    """The word before the token that ends at `position`."""
    before = reading.text[max(0, position - REACH) : position]
    if not before or before[-1].isspace():
        return before.split()[-1] if before.strip() else ""
    words_before = before.rsplit(None, 2)
    return words_before[-2] if len(words_before) > 1 else ""


@cache
def _beginnings(vocabulary: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:end] for word in vocabulary for end in range(1, len(word)))


def is_one_of(reading: Reading, index: int, vocabulary: frozenset[str]) -> bool:
    """Whether the word at `index` is one of `vocabulary`, told as soon as none of it begins like the word."""
    beginnings = _beginnings(vocabulary)
    reading.at(index)
    for end in range(index + 1, index + REACH):
        begun = reading.text[index:end].lower()
        if begun not in beginnings and begun not in vocabulary:
            return False
        behind = reading.at(end)
        if not behind.isalpha():
            # A vowel sign is no letter to `isalpha`, and goes on with the word.
            longer = begun + behind
            if not behind or (longer not in beginnings and longer not in vocabulary):
                return begun in vocabulary
    return False


def starts_sentence(reading: Reading, known: Lexicon, index: int) -> bool:
    """Whether the word at `index` is one that sentences begin with and names do not, told before its apostrophe."""
    end = index
    while end < index + REACH and reading.at(end).isalpha():
        end += 1
    return known.starts(reading.text[index:end]) or (
        reading.at(end) in ("'", "’") and known.starts(reading.word(index))
    )


def is_caseless(char: str) -> bool:
    """Whether `char` is a letter of a script without capitals."""
    return char.isalpha() and not char.isupper() and not char.islower()


def is_cased_name(reading: Reading, index: int) -> bool:
    """Whether the word at `index` begins in lower case but is a name or an address: "iPhone", "https://…"."""
    if not reading.text[index : index + 1].islower():
        return False
    word = reading.word(index)
    if any(char.isupper() for char in word):
        return True
    behind = reading.at(index + len(word))
    if behind == "@" or (behind == ":" and word in ("http", "https")) or (behind == "." and word == "www"):
        return True
    if behind == ".":
        reading.run(_NO_BLANK, index)
        return _ADDRESS.match(reading.text[index:]) is not None
    return False
