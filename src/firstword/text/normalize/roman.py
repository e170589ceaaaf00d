"""Roman numerals: one reading for every language."""

from typing import Final

__all__ = ["roman"]

_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def roman(numeral: str) -> int:
    """The value of a well-formed Roman numeral of I, V, X, L and C."""
    total = last = 0
    for char in reversed(numeral):
        value = _VALUES[char]
        total += value if value >= last else -value
        last = max(last, value)
    return total
