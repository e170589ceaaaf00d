"""A text of which some words come with their phonemes: what lies between is said by the language, those as given.

Cutting costs the language the words across the cut (whether a vowel follows "the"), and gains that a given word is
said exactly so, even one that the language could not read. Pure.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from firstword.kokoro.planning import Pronunciation, WordSpan
from firstword.kokoro.vocabulary import VOCABULARY

__all__ = ["pronounce_around"]


def pronounce_around(
    text: str, given: Sequence[tuple[int, int, str]], say: Callable[[str], Pronunciation]
) -> Pronunciation:
    """`given` holds start, end and phonemes of words of `text`, in order and apart; `say` says the rest of it."""
    phonemes, words = "", list[WordSpan]()
    bounds = [0, *(at for start, end, _ in given for at in (start, end)), len(text)]
    for number, (start, end) in enumerate(pairwise(bounds)):
        is_given = number % 2 == 1
        part = _said_so(given[number // 2][2], end - start) if is_given else say(text[start:end])
        if not part.phonemes:
            continue
        if phonemes and (text[start - 1 : start].isspace() or text[start : start + 1].isspace()):
            phonemes = phonemes.rstrip(" ") + " "
        words += [_moved(word, start, len(phonemes)) for word in part.words]
        phonemes += part.phonemes
    return Pronunciation(phonemes=phonemes, words=tuple(words))


def _said_so(ipa: str, chars: int) -> Pronunciation:
    """One word of `chars` code points, said by these phonemes."""
    symbols = "".join(symbol for symbol in ipa.replace("g", "ɡ") if symbol in VOCABULARY).strip(" ")
    if not symbols:
        return Pronunciation(phonemes="", words=())
    return Pronunciation(phonemes=symbols, words=(WordSpan(char_start=0, char_end=chars, first=0, last=len(symbols)),))


def _moved(word: WordSpan, chars: int, symbols: int) -> WordSpan:
    return WordSpan(
        char_start=word.char_start + chars,
        char_end=word.char_end + chars,
        first=word.first + symbols,
        last=word.last + symbols,
    )
