"""Spanish, French, Hindi, Italian and Brazilian Portuguese: espeak-ng, in the symbols the model was trained on.

espeak takes a clause at a time, so that words change each other as they do in speech (French liaison), and tells no
places; `match_words` finds again which sounds are whose.
"""

import logging
import re
from collections.abc import Callable, Iterable
from typing import Final

import espeakng_loader
from phonemizer.backend import EspeakBackend
from phonemizer.backend.espeak.wrapper import EspeakWrapper

from firstword.kokoro.phonemes.language import Said
from firstword.kokoro.phonemes.matching import match_words

__all__ = ["Espeak"]

_log = logging.getLogger(__name__)
_log_of_espeak = logging.getLogger(f"{__name__}.espeak")
_log_of_espeak.setLevel(logging.ERROR)  # it warns of every foreign word
# A clause, or one mark. A mark inside a number belongs to it.
_PART: Final = re.compile(r"(?:[^;:,.!?¡¿—…\"«»“”(){}\[\]।॥]|(?<=\d)[.,:](?=\d))+|\S")
_WORD: Final = re.compile(r"\S+")
# Two sounds that are one symbol of the vocabulary; espeak ties them by "^". Then what espeak writes in ASCII alone.
_TIED: Final = (
    ("a^ɪ", "I"),
    ("a^ʊ", "W"),
    ("d^z", "ʣ"),
    ("d^ʒ", "ʤ"),
    ("e^ɪ", "A"),
    ("o^ʊ", "O"),
    ("ə^ʊ", "Q"),
    ("s^s", "S"),
    ("t^s", "ʦ"),
    ("t^ʃ", "ʧ"),
    ("ɔ^ɪ", "Y"),
    ("^", ""),
    ("-", ""),
    ("r.", "ɽ"),
    (".", ""),
)


class Espeak:
    """A `Language` that espeak-ng knows by the name `voice`. Loads in milliseconds."""

    def __init__(self, voice: str, can_read: Callable[[str], bool]) -> None:
        EspeakWrapper.set_library(espeakng_loader.get_library_path())
        EspeakWrapper.set_data_path(espeakng_loader.get_data_path())
        self._backend = EspeakBackend(
            voice,
            punctuation_marks="\0",  # none: clauses come without
            with_stress=True,
            tie="^",
            language_switch="remove-flags",
            logger=_log_of_espeak,
        )
        self.can_read = can_read

    def say(self, text: str) -> Iterable[Said]:
        for part in _PART.finditer(text):
            if any(symbol.isalnum() for symbol in part[0]) or len(part[0]) > 1:
                yield from self._clause(part[0], part.start())
            else:
                yield Said(part.start(), part.end(), part[0])

    def _clause(self, clause: str, offset: int) -> Iterable[Said]:
        words = list(_WORD.finditer(clause))
        said = match_words([word[0] for word in words], self.sounds(clause).split(), self._alone)
        for first, last, phonemes in said:
            yield Said(offset + words[first].start(), offset + words[last - 1].end(), phonemes)

    def _alone(self, word: str) -> list[str]:
        return self.sounds(word).split()

    def sounds(self, words: str) -> str:
        """Words without punctuation as phonemes, a space between those that are said apart; empty if espeak fails."""
        try:
            (sounds,) = self._backend.phonemize([words.replace("’", "'")])
        except (RuntimeError, ValueError) as error:
            _log.warning("espeak failed", extra={"error": type(error).__name__})
            return ""
        for old, new in _TIED:
            sounds = sounds.replace(old, new)
        return str(sounds)
