"""What may be released when no text has come for a while: here a guess is allowed that `stops` does not make.

`chunker` stands above, on behalf of a caller with a clock.
"""

import re
from typing import Final

from firstword.text.rules.english import BANG_NAMES
from firstword.text.rules.lexicon import Kind, words
from firstword.text.rules.marks import is_wide, stands_open
from firstword.text.rules.reading import Reading
from firstword.text.rules.tokens import is_caseless, look_before, word_before

__all__ = ["ends_for_now"]

_SURE: Final = re.compile(r"[。।؟॥]\s*$")
_EXCLAIMED: Final = re.compile(r"[^\W_]{2}[)\]]*([!?！？]+)\s*$")
_PERIOD: Final = re.compile(r"(?:^|[\s\"“‘'«(*\[—-])([^\W\d_]{2,})(\.)[\"”’»)\]*_]*\s*$")

# The first part of many names of files and sites, and what such names often follow: "setup" of "setup.cfg".
_STEMS: Final = words("""
    setup config index main app readme package example site docs run test tests notes file script server client mail
    data image photo video report resume backup settings output input error debug style styles models views admin
    requirements manage google amazon github gitlab facebook twitter youtube wikipedia booking openai node vue next
    react express angular socket electron system console module project template
""")
# "请用Node": the name behind letters of another script.
_LATIN_TAIL: Final = re.compile(r"^.*[^\x00-\x7f]")
_DASHES: Final = ("—", "–")
_BEFORE_NAMES: Final = words("visit email mail mailto edit called named import install download rename")


def ends_for_now(reading: Reading, *, long: bool = False) -> bool:
    """Whether the pending text is complete as it stands, as far as that can be told; less sure after a `long` pause."""
    text = reading.text
    if text.startswith("|") or stands_open(text) or reading.is_bare_marker(len(text)):
        return False
    if _SURE.search(text):
        return True
    exclaimed = _EXCLAIMED.search(text)
    if exclaimed and text.startswith(_DASHES):
        # Spoken lines that begin with a dash: "—¡Corre! —gritó Juan."
        return long
    if exclaimed:
        return _exclaims(reading.token_before(exclaimed.start(1)))
    period = _PERIOD.search(text)
    if not period or "`" in text:
        return False
    kind = look_before(reading, period.start(2)).kind
    if long:
        return kind is not Kind.NEVER
    return kind is Kind.PLAIN and _is_ordinary(period.group(1)) and not _may_name(reading, period)


def _exclaims(token: str) -> bool:
    return not any(mark in token for mark in "/.@=_*") and token.strip("\"“'").lower() not in BANG_NAMES


def _is_ordinary(word: str) -> bool:
    """Whether `word` is no beginning of an address and long enough to be no abbreviation."""
    if is_caseless(word[-1]):
        return word[-1] < "\u3040" or word[-1] >= "\uac00"
    return (word.islower() and len(word) >= 3) or (word.istitle() and len(word) >= 5)


def _may_name(reading: Reading, period: re.Match[str]) -> bool:
    word = _LATIN_TAIL.sub("", period.group(1)) if is_wide(period.group(1)[0]) else period.group(1)
    return word.lower() in _STEMS or word_before(reading, period.start(2)).lower() in _BEFORE_NAMES
