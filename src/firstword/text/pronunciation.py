"""How words are to be pronounced: a dictionary of respellings and phonemes, and the check that a voice knows them.

An entry maps a word, or words, to a respelling ("nginx": "engine x") or, between slashes, to phonemes ("/təmˈɑːtoʊ/").
An entry all in lower case stands for every casing of its word; any other stands for itself only. What symbols a voice
knows is a value handed in: this module knows of no voice.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from firstword.errors import ConfigError, RequestRefused, UsageError

__all__ = [
    "Found", "Pronunciations", "check_phonemes", "configured_pronunciations", "phonemes_of", "read_pronunciations",
]  # fmt: skip

_WORD = re.compile(r"\w+")
_PHONEMES = re.compile(r"/([^/]+)/")


class Found(NamedTuple):
    """Text `[start, end)` is to be said `value`: phonemes if `phonemes`, else a respelling."""

    start: int
    end: int
    value: str
    phonemes: bool


def phonemes_of(value: str) -> str | None:
    """The phonemes of "/…/"; None for anything else."""
    match = _PHONEMES.fullmatch(value.strip())
    return match[1].strip() if match else None


def check_phonemes(phonemes: str, symbols: frozenset[str] | None) -> None:
    """Raise RequestRefused (code bad_pronunciation), naming the first symbol that is not in `symbols`."""
    for symbol in phonemes:
        if symbols is not None and symbol not in symbols:
            raise RequestRefused(
                f"The voice has no phoneme {symbol if symbol.isprintable() else ''} U+{ord(symbol):04X}.",
                code="bad_pronunciation",
            )


@dataclass(frozen=True)
class Pronunciations:
    """A dictionary, from a deployment or from a request. `merged` lets the second overrule the first."""

    entries: Mapping[str, str] = field(default_factory=dict)

    def merged(self, other: Mapping[str, str]) -> "Pronunciations":
        return Pronunciations({**self.entries, **other}) if other else self

    def check(self, symbols: frozenset[str] | None) -> None:
        """Raise RequestRefused (code bad_pronunciation) for an empty entry or a phoneme the voice does not know."""
        for word, value in self.entries.items():
            if not _WORD.search(word) or not value.strip(" /"):
                raise RequestRefused(
                    "A pronunciation needs a word with a letter or digit, and a respelling or /phonemes/.",
                    code="bad_pronunciation",
                )
            check_phonemes(phonemes_of(value) or "", symbols)

    def find(self, text: str) -> Iterator[Found]:
        """Where entries stand in `text` as whole words, longest first, left to right, apart."""
        if not self.entries:
            return
        done = 0
        for match in _WORD.finditer(text):
            for written, offset, value in self._by_first_word.get(match[0].lower(), ()):
                start = match.start() - offset
                end = start + len(written)
                if start >= done and _stands(text, start, end, written):
                    phonemes = phonemes_of(value)
                    yield Found(start, end, phonemes or value, phonemes is not None)
                    done = end
                    break

    @cached_property
    def _by_first_word(self) -> dict[str, list[tuple[str, int, str]]]:
        table: dict[str, list[tuple[str, int, str]]] = {}
        for written, value in sorted(self.entries.items(), key=lambda entry: -len(entry[0])):
            match = _WORD.search(written)
            if match:
                table.setdefault(match[0].lower(), []).append((written, match.start(), value))
        return table


def read_pronunciations(path: Path) -> Pronunciations:
    """The dictionary in a JSON file. Raises UsageError if it cannot be read or is none; nothing else is checked."""
    hint = 'Give a JSON object such as {"nginx": "engine x", "tomato": "/təmˈɑːtO/"}.'
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as pronunciations.", hint=hint) from error
    if not isinstance(entries, dict) or not all(isinstance(value, str) for value in entries.values()):
        raise UsageError(f"{path} holds no pronunciations.", hint=hint)
    return Pronunciations(entries)


def configured_pronunciations(path: str | None, symbols: frozenset[str] | None = None) -> Pronunciations:
    """The dictionary that a setting names; without one an empty one. Raises ConfigError if it cannot be used."""
    if path is None:
        return Pronunciations()
    try:
        dictionary = read_pronunciations(Path(path))
        dictionary.check(symbols)
    except RequestRefused as refusal:
        raise ConfigError(f"{path}: {refusal.message}") from refusal
    except UsageError as error:
        raise ConfigError(error.message, hint=error.hint) from error
    return dictionary


def _stands(text: str, start: int, end: int, written: str) -> bool:
    found = text[start:end]
    if found != written and not (written == written.lower() and found.lower() == written):
        return False
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    opens = written[0].isalnum() and (before.isalnum() or before == "_")
    closes = written[-1].isalnum() and (after.isalnum() or after == "_")
    return not opens and not closes
