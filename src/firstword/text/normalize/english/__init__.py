"""English: the order of its rules. What is told by its form alone comes first, bare numbers and signs last."""

import re
from typing import Final

from firstword.text.edits import Claims
from firstword.text.normalize.english import codes, dates, money, names, numbers, symbols, units
from firstword.text.normalize.english.rule import Rule
from firstword.text.normalize.english.words import AMERICAN, BRITISH
from firstword.text.normalize.fraction_signs import SIGNS

__all__ = ["normalize"]

_DIGIT: Final = re.compile(rf"[0-9{SIGNS}₀-₉⁰¹²³⁴-⁹^]")
_SIGN: Final = re.compile(r"[^\w\s.,;:!?'\"()-]|_|->|--|[0-9]\s-\s[0-9]|[\u0370-\u03ff]")
_NUMERIC: Final[tuple[Rule, ...]] = (
    *dates.RULES,
    *codes.AFTER_DATES,
    *money.RULES,
    *units.RULES,
    *numbers.FRACTIONS,
    *dates.YEARS,
    *numbers.RULES,
    *units.RATES,
)


def normalize(claims: Claims, *, british: bool) -> None:
    """Claim everything in an English text that is not said as it is written."""
    words = BRITISH if british else AMERICAN
    present = set(claims.masked)

    def run(rules: tuple[Rule, ...]) -> None:
        for pattern, say, needs in rules:
            if not needs or not needs.isdisjoint(present):
                claims.rule(pattern, lambda match, say=say: say(match, words))  # type: ignore[misc]

    has_sign = _SIGN.search(claims.masked) is not None
    has_digit = _DIGIT.search(claims.masked) is not None
    if has_digit:
        run(codes.RULES)
        run(names.NUMBERED)
    run(names.RULES)
    if has_sign:
        run(symbols.RULES)
    if has_digit:
        run(_NUMERIC)
    run(dates.NAMES)
    if has_sign:
        run(symbols.BETWEEN)
        run(symbols.RESIDUE)
