"""Whether what follows a closing quote belongs to the quote's sentence: who said it, or a particle that ties it in.

`stops` and `endings` stand above.
"""

from typing import Final

from firstword.text.rules.languages import SAYING
from firstword.text.rules.lexicon import words
from firstword.text.rules.marks import BLANKS, is_wide
from firstword.text.rules.reading import Reading
from firstword.text.rules.tokens import is_caseless, is_one_of, language_before, starts_sentence

__all__ = ["is_attributed"]

_TITLES: Final = words("mr mrs ms dr prof mme m sr sra srta hr fr sig st capt sgt lt gen col rev")
_QUOTES: Final = frozenset("\"“‘«„»'—")

# What ties a closing quote to the words behind it: Japanese particles, Chinese and Korean verbs of saying.
_PARTICLES: Final = (
    "と", "って", "っ", "が", "は", "を", "に", "の", "も", "か", "で", "へ", "や", "だ", "な", "など",
    "そう言", "そう叫", "そう答", "そう聞", "そう呟", "そうつぶや",
)  # fmt: skip
_NOT_PARTICLES: Final = (
    "でも", "では", "ですが", "ですから", "できれ", "とにかく", "ところ", "ともかく", "とりあえず", "とても",
    "もう", "もし", "もちろん", "もっと",
    "はい", "はじめ", "はっきり", "はや",
    "にわか", "のち", "のんびり", "かなり", "かつて", "がっかり", "やがて",
    "やっと", "やはり", "やっぱり",
    "だから", "だが", "だけど", "だって",
    "なぜ", "なに", "なんで", "なんと", "なんだ", "なんの", "なので", "なら", "なるほど",
)  # fmt: skip
_SAYING: Final = "说問问道喊叫答嚷吼說"
_NOT_SAYING: Final = "就的是在了有和都也不很这那然后，。！？、；：”"


def is_attributed(reading: Reading, after: int) -> bool:
    """Whether the words at `after`, behind a closing quote, say who said it or take it up."""
    first = reading.at(after)
    if is_wide(first) and not "\uac00" <= first <= "\ud7af":
        return _goes_on_wide(reading, after)
    if is_wide(first) and not reading.text[after - 1].isspace():
        return True
    begun_before = reading.text[0] not in _QUOTES
    if is_caseless(first):
        return _says_within(reading, after, 1 if begun_before else _words_to_verb(first))
    if begun_before:
        return False
    if not first.isupper():
        return False
    if first != "I" and starts_sentence(reading, language_before(reading, after), after):
        return False
    end = after + len(reading.word(after))
    if reading.text[after:end].lower() in _TITLES and reading.at(end) == ".":
        # "Mr. Pike asked."
        name = reading.run(BLANKS, end + 1)
        end = name + len(reading.word(name))
    return reading.at(end) == " " and is_one_of(reading, end + 1, SAYING)


def _goes_on_wide(reading: Reading, after: int) -> bool:
    if _begins(reading, after, _NOT_PARTICLES):
        return False
    if _begins(reading, after, _PARTICLES):
        return True
    start = max(reading.text.rfind(quote, 0, after) for quote in "“「『‘")
    if start <= 0:
        return _says(reading, after)
    before = reading.text[start - 1]
    # The speaker was named before the quote, or the quote stands inside a sentence that has begun.
    return is_wide(before) and not "\u3040" <= before <= "\u30ff"


def _words_to_verb(letter: str) -> int:
    """How far behind a quote its verb of saying stands: in Arabic it is the first word, in Korean the second."""
    if "\u0600" <= letter <= "\u06ff":
        return 1
    return 2 if is_wide(letter) else 3


def _says_within(reading: Reading, index: int, most: int) -> bool:
    for _ in range(most - 1):
        if is_one_of(reading, index, SAYING):
            return True
        end = index + len(reading.word(index))
        index = reading.run(BLANKS, end)
        if index == end:
            return False
    return is_one_of(reading, index, SAYING)


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
    for offset in range(2 if reading.begins(index, "有人") else 0, 6):
        char = reading.at(index + offset)
        if not char or char in _NOT_SAYING:
            return False
        if char in _SAYING:
            return True
        if "\u3040" <= char <= "\u30ff" or not is_wide(char):
            return False
    return False
