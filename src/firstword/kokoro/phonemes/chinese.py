"""Mandarin: words by jieba, readings by pypinyin, syllables as misaki's table says them, tones as the model's arrows.

The forms are those of Kokoro v1.0's training: each syllable with the tone it has by itself, but for the few words
whose listed reading already changed it (不是, 一个); the model changes tones in speech as its speakers did.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import rjieba
from misaki.transcription import pinyin_to_ipa
from pypinyin import Style, lazy_pinyin

from firstword.kokoro.phonemes.borrowed import BorrowedWords
from firstword.kokoro.phonemes.language import Said
from firstword.kokoro.phonemes.scripts import is_chinese

__all__ = ["Chinese"]

_HAN: Final = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_PART: Final = re.compile(rf"(?P<han>[{_HAN}]+)|(?P<digits>\d+)|(?P<latin>[^\W\d_{_HAN}](?:[^\W\d_{_HAN}]|['’&-])*)|\S")
_DIGITS: Final = "零一二三四五六七八九"
# From the tone letters to the model's arrows, longest first: third, second, fourth, first. Then the vowel of 是 and 四.
_FORMS: Final = (("˧˩˧", "↓"), ("˧˥", "↗"), ("˥˩", "↘"), ("˥", "→"), ("ɻ̩", "ɨ"), ("ɹ̩", "ɨ"), ("̯", ""))


class Chinese:
    """A `Language`. The dictionary of words takes about a second to load."""

    def __init__(self) -> None:
        self._borrowed = BorrowedWords()
        rjieba.cut("词")

    def can_read(self, letter: str) -> bool:
        return is_chinese(letter)

    def say(self, text: str) -> Iterable[Said]:
        for part in _PART.finditer(text):
            if part["han"]:
                yield from _words(part["han"], part.start())
            elif part["digits"]:  # one by one: a number was made words of before it came here
                for place, digit in enumerate(part["digits"], part.start()):
                    yield Said(place, place + 1, f" {_word(_DIGITS[int(digit)])}")
            elif part["latin"]:
                yield Said(part.start(), part.end(), f" {self._borrowed.say(part['latin'])}")
            else:
                yield Said(part.start(), part.end(), " “" if part[0] == "“" else part[0])


def _words(han: str, offset: int) -> Iterable[Said]:
    for word, start, end in rjieba.tokenize(han, "default"):
        yield Said(offset + start, offset + end, f" {_word(word)}")


def _word(word: str) -> str:
    pinyin = lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True)
    return "".join(_syllable(syllable) for syllable in pinyin)


@lru_cache(maxsize=2048)
def _syllable(pinyin: str) -> str:
    """One syllable, tone number at its end; nothing for a character that has no reading."""
    try:
        sounds = "".join(pinyin_to_ipa(pinyin)[0])
    except (AssertionError, LookupError, ValueError):
        return ""
    for old, new in _FORMS:
        sounds = sounds.replace(old, new)
    return sounds
