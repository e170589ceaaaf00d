"""English number words, American or British. Works on digits as text, so no number is too long for it."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from firstword.text.wordlist import listed

__all__ = ["AMERICAN", "BRITISH", "Words", "fraction_of", "spelled"]

_ONES: Final = listed("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
""")
_TENS: Final = listed("_ _ twenty thirty forty fifty sixty seventy eighty ninety")
_SCALES: Final = listed("""
    thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion
""")
_ORDINALS: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_LONGEST_CARDINAL: Final = 36
_LONGEST_PLAIN: Final = 15
_LONGEST_DIGITS: Final = 60
_LETTER_A: Final = re.compile(r"\bA (?=\w)")
_FRACTIONS: Final = {2: ("half", "halves"), 4: ("quarter", "quarters")}


class Words:
    """Numbers in one variety of English. Numbers come as the text that was written."""

    def __init__(self, *, british: bool) -> None:
        self.british = british
        self._and = " and " if british else " "

    def cardinal(self, written: str) -> str:
        """A whole number; digit by digit if it has a leading zero or is longer than anyone can name."""
        digits = written.replace(",", "")
        longest = _LONGEST_CARDINAL if "," in written or digits.endswith("000000") else _LONGEST_PLAIN
        if len(digits) > longest or (len(digits) > 1 and digits[0] == "0"):
            return self.digits(digits)
        return _cardinal(digits, self._and)

    def digits(self, digits: str, zero: str = "zero") -> str:
        """Digit by digit; of very many only how many they are."""
        if len(digits) > _LONGEST_DIGITS:
            return f"a number of {self.cardinal(str(len(digits)))} digits"
        return " ".join(zero if digit == "0" else _ONES[int(digit)] for digit in digits)

    def number(self, written: str) -> str:
        """A whole or decimal number, with commas or without."""
        whole, point, decimals = written.partition(".")
        said = self.cardinal(whole) if whole else ""
        return f"{said} point {self.digits(decimals)}".strip() if point and decimals else said

    def ordinal(self, written: str) -> str:
        said = self.cardinal(written)
        head, divider, last = _split_last(said)
        if last in _ORDINALS:
            return head + divider + _ORDINALS[last]
        return head + divider + (last[:-1] + "ieth" if last.endswith("y") else last + "th")

    def year(self, written: str) -> str:
        """A year of three or four digits ("1905": nineteen oh five)."""
        if len(written) != 4 or written[0] == "0":
            return self.cardinal(written)
        century, rest = written[:2], written[2:]
        if century[1] == "0" and rest[0] == "0":
            return self.cardinal(written)
        return f"{self.cardinal(century)} {self.pair(rest)}"

    def pair(self, two: str) -> str:
        """The second half of a year or a room number: "05" oh five, "00" hundred."""
        if two == "00":
            return "hundred"
        return f"oh {_ONES[int(two[1])]}" if two[0] == "0" else self.cardinal(two)

    def pairs(self, written: str) -> str:
        """A room, a flight, a house number: "204" two oh four, "1600" sixteen hundred."""
        if len(written) == 3:
            return f"{_ONES[int(written[0])]} {self.pair(written[1:])}"
        return self.year(written) if len(written) == 4 else self.cardinal(written)

    def plural(self, said: str) -> str:
        """The plural of a spoken number: nineteen nineties, two thousands."""
        head, divider, last = _split_last(said)
        if last.endswith("y"):
            return head + divider + last[:-1] + "ies"
        return head + divider + last + ("es" if last.endswith("x") else "s")


def spelled(characters: Iterable[str], words: Words) -> str:
    """Letters and digits one by one. A hyphen keeps the letter A from being read as the article."""
    said = " ".join(words.digits(char) if char.isdigit() else char.upper() for char in characters if char.isalnum())
    return _LETTER_A.sub("A-", said)


def _split_last(said: str) -> tuple[str, str, str]:
    at = max(said.rfind(" "), said.rfind("-"))
    return (said[:at], said[at], said[at + 1 :]) if at >= 0 else ("", "", said)


@lru_cache(maxsize=4096)
def _cardinal(digits: str, and_: str) -> str:
    digits = digits.lstrip("0") or "0"
    if len(digits) <= 3:
        return _hundreds(int(digits), and_)
    parts: list[str] = []
    size = (len(digits) - 1) // 3
    for index in range(size, -1, -1):
        end = len(digits) - 3 * index
        group = int(digits[max(0, end - 3) : end])
        if group:
            said = _hundreds(group, and_)
            if not index and group < 100 and and_ != " " and parts:
                said = f"and {said}"
            parts.append(f"{said} {_SCALES[index - 1]}" if index else said)
    return " ".join(parts)


def _hundreds(number: int, and_: str) -> str:
    hundreds, rest = divmod(number, 100)
    said = _ONES[rest] if rest < 20 else _TENS[rest // 10] + (f"-{_ONES[rest % 10]}" if rest % 10 else "")
    if not hundreds:
        return said
    return f"{_ONES[hundreds]} hundred{and_}{said}" if rest else f"{_ONES[hundreds]} hundred"


def fraction_of(words: Words, numerator: str, denominator: str) -> str:
    """ "3", "4" -> three quarters."""
    below = int(denominator)
    one, many = _FRACTIONS.get(below, ("", ""))
    if not one:
        one = re.sub(r"^one ", "", words.ordinal(denominator))
        many = one + "s"
    return f"{words.cardinal(numerator)} {one if numerator == '1' else many}"


AMERICAN: Final = Words(british=False)
BRITISH: Final = Words(british=True)
