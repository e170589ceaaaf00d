"""Whole texts: cleaned, cut into parts a phonemizer can hold, said by the language, joined into one pronunciation."""

import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firstword.errors import RequestRefused
from firstword.kokoro.phonemes.clean import Cleaned, clean, has_letters, segments
from firstword.kokoro.phonemes.given import pronounce_around
from firstword.kokoro.phonemes.language import LANGUAGES, Language, Said, require_extra
from firstword.kokoro.planning import Pronunciation, WordSpan
from firstword.kokoro.vocabulary import VOCABULARY

__all__ = ["Pronouncer"]

_MARKS: Final = ';:,.!?—…"()“” '
_SENTENCE_ENDS: Final = frozenset(".!?…")
_RUN: Final = re.compile(r"([;:,.!?—…])\1+")
_FORMS: Final = str.maketrans(
    {"–": "—", "‘": "'", "’": "'", "«": "“", "»": "”", "g": "ɡ"}
    | {"。": ".", "．": ".", "।": ".", "॥": ".", "！": "!", "？": "?", "、": ",", "，": ",", "：": ":", "；": ";"}
    | {"～": "—", "〜": "—", "（": " (", "）": ")", "｡": ".", "､": ","}
    | dict.fromkeys("「『《〈【〝｢", " “")
    | dict.fromkeys("」』》〉】〟｣", "”")
)
_OPENING: Final = '("“'


class Pronouncer:
    """Languages, each loaded when first spoken. Safe from any thread; one text at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: dict[str, Language] = {}

    def pronounce(self, text: str, language: str, given: Sequence[tuple[int, int, str]] = ()) -> Pronunciation:
        """How `text` is said; phonemes outside the vocabulary are dropped.

        `given` names words, by start and end in `text`, that are said by phonemes of their own.

        Raises RequestRefused, code bad_language, if it has letters or digits and the language can say none of them, or
        if what says the language is not installed.
        """
        with self._lock:
            spoken = self._language(language)
            said = pronounce_around(text, given, lambda part: _say(part, spoken))
        if not said.words and has_letters(text):
            raise RequestRefused(
                f"The text has no word that {language} can say.",
                code="bad_language",
                hint=f"Languages are {', '.join(LANGUAGES)}.",
            )
        return said

    def load(self, language: str) -> None:
        """Load a language now rather than when it is first spoken. Raises RequestRefused if it is not installed."""
        with self._lock:
            self._language(language)

    def _language(self, name: str) -> Language:
        if name not in self._loaded:
            require_extra(name)
            self._loaded[name] = LANGUAGES[name]()
        return self._loaded[name]


def _say(text: str, spoken: Language) -> Pronunciation:
    said = _Joined(text, clean(text, spoken.can_read))
    for offset, part in segments(said.cleaned.text):
        lead = len(part) - len(part.lstrip())
        for start, end, phonemes in spoken.say(part.strip()) if part.strip() else ():
            said.add(Said(offset + lead + start, offset + lead + end, phonemes))
    return said.pronunciation()


class _Joined:
    """A pronunciation under construction."""

    def __init__(self, text: str, cleaned: Cleaned) -> None:
        self._text = text
        self.cleaned = cleaned
        self._end = 0
        self._phonemes: list[str] = []
        self.words: list[WordSpan] = []

    def add(self, said: Said) -> None:
        raw = _RUN.sub(r"\1", said.phonemes.translate(_FORMS))
        symbols = "".join(symbol for symbol in raw if symbol in VOCABULARY).strip(" ")
        if self._phonemes and self._phonemes[-1] != " ":
            asked = raw.startswith(" ") and self._phonemes[-1] not in _OPENING
            if asked or " " in self.cleaned.text[self._end : said.start]:
                self._phonemes.append(" ")
        self._end = max(self._end, said.end)
        if symbols in _MARKS and self._phonemes and self._phonemes[-1] == symbols:
            return  # a row of marks that came one by one
        body = symbols.strip(_MARKS)
        if body:
            start, end = self.cleaned.origin(said.start, said.end)
            end -= len(self._text[start:end]) - len(self._text[start:end].rstrip())
            first = len(self._phonemes) + symbols.index(body)
            self._add(start, end, first, first + len(body))
        self._phonemes.extend(symbols)

    def _add(self, start: int, end: int, first: int, last: int) -> None:
        """A word where the one before has ended: a letter and its marks may fall into two words of a phonemizer."""
        before = self.words[-1] if self.words else None
        if before is not None and end <= before.char_end:
            self.words[-1] = replace(before, last=last)
            return
        start = start if before is None else max(start, before.char_end)
        self.words.append(WordSpan(char_start=start, char_end=end, first=first, last=last))

    def pronunciation(self) -> Pronunciation:
        phonemes = "".join(self._phonemes).rstrip(" ")
        end = self.cleaned.text.rstrip()[-1:].translate(_FORMS)
        if end in _SENTENCE_ENDS and phonemes and phonemes[-1] not in _MARKS:
            phonemes += "."  # "at ten a.m.": the full stop went into the word
        return Pronunciation(phonemes=phonemes, words=tuple(self.words))
