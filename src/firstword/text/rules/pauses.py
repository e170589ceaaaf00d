"""What may be released when no text has come for a while: here a guess is allowed that `stops` does not make.

`chunker` stands above, on behalf of a caller with a clock.
"""

import re
from typing import Final

from firstword.text.rules.lexicon import Kind
from firstword.text.rules.marks import stands_open
from firstword.text.rules.reading import Reading
from firstword.text.rules.tokens import look_before

__all__ = ["ends_for_now"]

_SURE: Final = re.compile(r"[。।؟॥]\s*$")
_EXCLAIMED: Final = re.compile(r"(?:[^\W_])([!?！？]+)\s*$")
_PERIOD: Final = re.compile(r"(?<![^\s\"“‘'(*])([^\W\d_]{3,})(\.)\s*$")


def ends_for_now(reading: Reading, *, long: bool = False) -> bool:
    """Whether the pending text is complete as it stands, as far as that can be told; less sure after a `long` pause."""
    text = reading.text
    if _SURE.search(text):
        return not stands_open(text)
    exclaimed = _EXCLAIMED.search(text)
    if exclaimed:
        token = reading.token_before(exclaimed.start(1))
        return not stands_open(text) and not any(mark in token for mark in "/.@=")
    period = _PERIOD.search(text)
    if not period or "`" in text:
        return False
    word = period.group(1)
    if long:
        return look_before(reading, period.start(2)).kind is not Kind.NEVER
    return word.islower() and look_before(reading, period.start(2)).kind is Kind.PLAIN
