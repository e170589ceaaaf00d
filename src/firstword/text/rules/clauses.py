"""Where a sentence may be cut before its end: the first chunk of a turn, and a pause in the stream.

A cut inside a sentence is heard, so it is made only at a clause mark, before a conjunction or after very many words,
with enough on both sides, and never inside quotes, brackets, numbers, dates, headings, tables and lists of short
things. `chunker` stands above.
"""

import re
from typing import Final

from firstword.text.rules.marks import CLAUSE_MARKS, LINE_BREAKS, SPEAKABLE, WIDE_LETTER, stands_open
from firstword.text.rules.reading import Reading, Verdict, cut, go_on
from firstword.text.rules.tokens import language_before

__all__ = ["CLAUSE_CANDIDATE", "judge_clause", "last_clause"]

# Words before a conjunction, and before a cut without any mark.
WORDS_BEFORE_CONJUNCTION: Final = 10
WORDS_AT_MOST: Final = 24
# A Chinese or Japanese word has about two characters.
_WIDE_LETTERS_A_WORD: Final = 2

CLAUSE_CANDIDATE: Final = re.compile(rf"[{re.escape(CLAUSE_MARKS)}]|[^\S{LINE_BREAKS}]")
_SPACED_WORD: Final = re.compile(r"\S*\w\S*")
_NO_BLANK: Final = re.compile(r"\S*")
_WIDE_MARKS: Final = "、，；："
_ENDS_OR_PAUSES: Final = re.compile(rf"[.!?…。！？।؟{re.escape(CLAUSE_MARKS)}]")
_CLAUSE_END: Final = re.compile(rf"(?<!\d)(?:[{re.escape(CLAUSE_MARKS)}](?=\s|$)|[{_WIDE_MARKS}])")


def judge_clause(reading: Reading, position: int, least_words: int) -> Verdict:
    """Whether the first chunk may end behind the clause mark, or at the space, at `position`."""
    text = reading.text
    char = text[position]
    if text.startswith(("#", "|")):
        return go_on(position + 1)
    if char.isspace():
        fits = _may_end_at_space(reading, position)
    elif char in _WIDE_MARKS:
        fits = _count_words(reading, position) >= least_words and _continues_wide(reading, position + 1)
    else:
        fits = _may_end_at_mark(reading, position, least_words)
    return cut(position + 1) if fits and not stands_open(text[:position]) else go_on(position + 1)


def last_clause(reading: Reading, least_words: int) -> int:
    """Behind the last clause mark with at least `least_words` words before it and something to say behind it, or 0."""
    text = reading.text
    if text.startswith(("#", "|")) or "`" in text:
        return 0
    for match in reversed(list(_CLAUSE_END.finditer(text))):
        if _count_words(reading, match.start()) >= least_words and not stands_open(text[: match.start()]):
            return match.end()
    return 0


def _count_words(reading: Reading, end: int) -> int:
    said = reading.text[reading.marker_end() : end]
    wide = len(WIDE_LETTER.findall(said))
    if wide:
        return wide // _WIDE_LETTERS_A_WORD + len(re.findall(r"[A-Za-z]+", said))
    return len(_SPACED_WORD.findall(said))


def _may_end_at_mark(reading: Reading, position: int, least_words: int) -> bool:
    text = reading.text
    if _count_words(reading, position) < least_words:
        return False
    following = reading.at(position + 1)
    dash = text[position] in "—–"
    if not following.isspace() and not (dash and following.isalpha()):
        return False
    after = position + 1 + following.isspace()
    previous = reading.token_before(position)
    if reading.at(after).isdigit() or previous[-1:].isdigit() or not reading.at(after).isalpha():
        return False
    first, second = _two_words(reading, after)
    if not second or (text[position] == "," and _is_list(reading, position, first)):
        return False
    named = first[:1].isupper() and previous[:1].isupper() and not text.startswith(previous)
    tags = language_before(reading, position).language.tags
    return not named and first.lower().replace("’", "'") not in tags


def _two_words(reading: Reading, start: int) -> tuple[str, str]:
    """The two words at `start`, both "" unless a third word may follow them with no mark between."""
    end = reading.run(_NO_BLANK, start)
    first = reading.text[start:end]
    if _ENDS_OR_PAUSES.search(first) or not reading.at(end) or reading.at(end) in LINE_BREAKS:
        return "", ""
    second_end = reading.run(_NO_BLANK, end + 1)
    second = reading.text[end + 1 : second_end]
    if _ENDS_OR_PAUSES.search(second) or not reading.at(second_end) or not SPEAKABLE.search(second):
        return "", ""
    return first, second


def _is_list(reading: Reading, position: int, first: str) -> bool:
    """Whether the comma at `position` stands between short things: another one is three words before it."""
    if first.lower() not in ("and", "or", "y", "o", "et", "ou", "und", "oder", "e"):
        return False
    before = reading.text[:position]
    return any(word.endswith(",") for word in before.split()[-3:])


def _may_end_at_space(reading: Reading, position: int) -> bool:
    text = reading.text
    count = _count_words(reading, position)
    if count < WORDS_BEFORE_CONJUNCTION or text[position - 1] in CLAUSE_MARKS or WIDE_LETTER.search(text):
        return False
    first, second = _two_words(reading, position + 1)
    if not second or not first[0].isalpha():
        return False
    if count >= WORDS_AT_MOST:
        return True
    known = language_before(reading, position)
    if first not in known.language.conjunctions or reading.token_before(position) in known.language.tied:
        return False
    return first not in known.language.joining or known.starts(second)


def _continues_wide(reading: Reading, start: int) -> bool:
    """Whether at least four characters without a mark follow."""
    for offset in range(2 * _WIDE_LETTERS_A_WORD):
        char = reading.at(start + offset)
        if not char or not SPEAKABLE.match(char):
            return False
    return True
