"""How long a chunk may grow, and where one that grew too long is cut. `chunker` stands above."""

import re
import unicodedata
from typing import Final

from firstword.text.rules.marks import CLAUSE_MARKS, SPEAKABLE, WIDE_LETTER

__all__ = ["DENSE_LIMIT", "SPACED_LIMIT", "forced_cut", "limit_of"]

# Kokoro rushes beyond some 300 characters; a Chinese or Japanese character is worth several letters.
SPACED_LIMIT: Final = 320
DENSE_LIMIT: Final = 160

_CLAUSE_END: Final = re.compile(rf"[{re.escape(CLAUSE_MARKS)}](?=\s)|[、，；：،؛—](?=\S)")
_BLANK: Final = re.compile(r"\s+")


def limit_of(text: str) -> int:
    """The length at which a chunk beginning with `text` is cut; exact once `text` has reached it."""
    if len(text) < DENSE_LIMIT:
        return DENSE_LIMIT
    return DENSE_LIMIT if 2 * len(WIDE_LETTER.findall(text, 0, DENSE_LIMIT)) > DENSE_LIMIT else SPACED_LIMIT


def forced_cut(text: str, limit: int) -> int:
    """Where to cut a `text` of at least `limit` characters: at the last clause mark, else space, else anywhere.

    The rest within the limit has something to say too, where that is possible.
    """
    last = _last_speakable(text, limit)
    for pattern in (_CLAUSE_END, _BLANK):
        ends = [match.end() for match in pattern.finditer(text, limit // 4, limit) if match.end() <= last]
        if ends:
            return ends[-1]
    for end in range(last, limit // 2, -1):
        if not _continues_character(text[end]):
            return end
    return last


def _last_speakable(text: str, limit: int) -> int:
    for index in range(limit - 1, limit // 2, -1):
        if SPEAKABLE.match(text[index]):
            return index
    return limit - 1


def _continues_character(char: str) -> bool:
    return char in "\u200d\ufe0f" or unicodedata.category(char) in ("Mn", "Mc", "Me")
