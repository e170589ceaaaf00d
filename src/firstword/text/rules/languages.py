"""The languages put together: what kind of word stands before a stop, what a word after it tells, which language it is.

Looks up words, never the text around them, but for the guess at the language. `tokens` stands above;
the data modules stand below.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firstword.text.rules.elsewhere import ELSEWHERE
from firstword.text.rules.english import ENGLISH
from firstword.text.rules.german import GERMAN
from firstword.text.rules.lexicon import Kind, Language
from firstword.text.rules.other_scripts import ARABIC, CHINESE, HINDI, JAPANESE, KOREAN
from firstword.text.rules.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH

__all__ = [
    "LANGUAGES",
    "SAYING",
    "SECOND_PIECES",
    "STARTERS",
    "Lexicon",
    "guess_language",
    "is_in_own_list",
    "lexicon",
    "named_language",
]

LANGUAGES: Final[dict[str, Language]] = {
    language.code: language
    for language in (
        ENGLISH,
        SPANISH,
        FRENCH,
        GERMAN,
        ITALIAN,
        PORTUGUESE,
        HINDI,
        JAPANESE,
        CHINESE,
        KOREAN,
        ARABIC,
        ELSEWHERE,
    )
}
# Words that sentences begin with in some language, for where the language has not shown yet.
STARTERS: Final = frozenset[str]().union(*(language.starters for language in LANGUAGES.values()))
SAYING: Final = frozenset[str]().union(*(language.saying for language in LANGUAGES.values()))

_ELISION: Final = re.compile(r"^([^\W\d_]{1,4})['’]")
_WORDS: Final = re.compile(r"[^\W\d_]+")


def _table(lists: Iterable[dict[Kind, str]]) -> dict[str, Kind]:
    """Words to kinds; of two lists with the same word the later one holds."""
    return {
        word: kind
        for group in lists
        for kind, block in group.items()
        if kind is not Kind.UNIT
        for word in block.split()
    }


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All a chunk's rules may look up, for one language: its own lists first, then what the others share."""

    language: Language
    _kinds: dict[str, Kind]
    _units: frozenset[str]

    def kind(self, word: str) -> Kind | None:
        """What a stop after `word` says, or None where no list has it."""
        return self._kinds.get(word) or self._kinds.get(word.lower())

    def is_unit(self, word: str) -> bool:
        return word.lower() in self._units

    def starts(self, word: str) -> bool:
        """Whether sentences begin with `word` and names do not."""
        lower = word.lower().replace("’", "'")
        if lower in self.language.starters:
            return True
        elided = _ELISION.match(lower)
        return elided is not None and elided.group(1) in self.language.starters


def _build(language: Language) -> Lexicon:
    others = [other.shared for other in LANGUAGES.values() if other is not language]
    kinds = _table([*others, language.shared, language.own])
    units = {word for other in LANGUAGES.values() for word in other.shared.get(Kind.UNIT, "").split()}
    return Lexicon(language, kinds, frozenset(units))


_LEXICONS: Final = {code: _build(language) for code, language in LANGUAGES.items()}


def _second_pieces() -> dict[str, frozenset[str]]:
    pieces: dict[str, set[str]] = {}
    for language in LANGUAGES.values():
        for word in _table([language.shared, language.own]):
            first, _, rest = word.lower().partition(".")
            if rest:
                pieces.setdefault(first, set()).add(rest.partition(".")[0])
    return {first: frozenset(found) for first, found in pieces.items()}


# "EE" and "UU" of "EE. UU.": the beginnings of abbreviations that may have spaces, with what may follow each.
SECOND_PIECES: Final = _second_pieces()
_OWN: Final = frozenset(_table(language.own for language in LANGUAGES.values()))


def _telltale_index() -> dict[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for code, language in LANGUAGES.items():
        for word in language.telltale:
            index[word] = (*index.get(word, ()), code)
    return index


_TELLTALES: Final = _telltale_index()


def lexicon(code: str) -> Lexicon:
    """The lexicon of a language code; English where there is none."""
    return _LEXICONS.get(code, _LEXICONS["en"])


def is_in_own_list(word: str) -> bool:
    """Whether what a stop after `word` says depends on the language."""
    return word in _OWN or word.lower() in _OWN


def named_language(code: str) -> str:
    """`code` where it is worth holding on to; not English, which is what stands where none was named."""
    return code if code != "en" and code in LANGUAGES and LANGUAGES[code].telltale else ""


def guess_language(text: str, otherwise: str, head_start: int = 0) -> str:
    """The language whose little words `text` has most of; `otherwise` where that tells nothing or no more.

    `head_start` is how many words more it takes to leave `otherwise`.
    """
    if "\u0600" <= text[-1:] <= "\u06ff":
        return "ar"
    counts: dict[str, int] = {}
    for word in _WORDS.findall(text.lower()):
        for code in _TELLTALES.get(word, ()):
            counts[code] = counts.get(code, 0) + 1
    if not counts:
        return otherwise
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] > counts.get(otherwise, 0) + head_start else otherwise
