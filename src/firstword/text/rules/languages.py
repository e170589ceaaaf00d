"""The languages put together: what kind of word stands before a stop, and what a word after it tells.

Looks up words, never text around them. `stops` stands above it; the data modules stand below.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firstword.text.rules.english import ENGLISH
from firstword.text.rules.lexicon import Kind, Language

__all__ = ["LANGUAGES", "Lexicon", "lexicon"]

LANGUAGES: Final[dict[str, Language]] = {language.code: language for language in (ENGLISH,)}

_ELISION: Final = re.compile(r"^([^\W\d_]{1,4})['’]")


def _table(lists: Iterable[dict[Kind, str]]) -> dict[str, Kind]:
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
        return elided is not None and (
            elided.group(1) in self.language.starters or elided.group() in self.language.starters
        )


def _build(language: Language) -> Lexicon:
    others = [other.shared for other in LANGUAGES.values() if other is not language]
    kinds = _table([*others, language.shared, language.own])
    units = {word for other in LANGUAGES.values() for word in other.shared.get(Kind.UNIT, "").split()}
    return Lexicon(language, kinds, frozenset(units))


_LEXICONS: Final = {code: _build(language) for code, language in LANGUAGES.items()}


def lexicon(language: str | None) -> Lexicon:
    """The lexicon of a language code ("pt-br" is "pt"); English where there is none."""
    code = (language or "en").lower().replace("_", "-").partition("-")[0]
    return _LEXICONS.get(code, _LEXICONS["en"])
