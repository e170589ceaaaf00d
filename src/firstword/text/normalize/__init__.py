"""Numbers, money, dates, times, units, abbreviations and signs -> words, per language.

Above it: `speakable`, which has taken markup away. It claims places of the text and knows nothing of maps or markup.
"""

from firstword.text.edits import Claims
from firstword.text.normalize import english, numerals

__all__ = ["normalize"]


def normalize(claims: Claims, language: str) -> None:
    """Claim what is not said as it is written; a language that is not known is left to its phonemizer."""
    base = language.partition("-")[0]
    if base == "en":
        english.normalize(claims, british=language in ("en-gb", "en-uk"))
    elif base in numerals.LANGUAGES:
        numerals.normalize(claims, base)
