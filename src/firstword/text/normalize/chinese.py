"""Chinese numerals: 10 203 is 一万零二百零三. Above it: `numerals`. Pure."""

from typing import Final

__all__ = ["TWO", "before", "cardinal", "year"]

TWO: Final = "两"
"""Two of something; 二 is the number by itself."""

_DIGITS: Final = "零一二三四五六七八九"
_PLACES: Final = ("", "十", "百", "千")
_GROUPS: Final = ("", "万", "亿", "万亿")
_LONGEST: Final = 16
# What is counted with 两: measure words that follow a number at once. Floors, days of the month and months are not.
_MEASURES: Final = frozenset("个位名只条张本台件家次天种杯瓶块辆座岁倍层点小分份套部篇段句页双对束场年斤米")


def cardinal(digits: str) -> str:
    """A whole number of at most 16 digits; longer ones digit by digit."""
    if len(digits) > _LONGEST:
        return year(digits)
    digits = digits.lstrip("0")
    if not digits:
        return _DIGITS[0]
    groups = [digits[max(0, end - 4) : end] for end in range(len(digits), 0, -4)]
    said, skipped = "", False
    for level in range(len(groups) - 1, -1, -1):
        if groups[level] == "0000":
            skipped = True
            continue
        zero = _DIGITS[0] if said and (skipped or groups[level][0] == "0") else ""
        said += zero + _group(groups[level], alone=groups[level] == "2" and level > 0) + _GROUPS[level]
        skipped = False
    if said.startswith("一十"):
        return said[1:]
    return TWO + said[1:] if said.startswith("二千") else said


def _group(group: str, *, alone: bool) -> str:
    """Four places or fewer, without the zeros at either end. `alone` for the 2 of 20 000, which is 两万."""
    if alone:
        return TWO
    said, gap = "", False
    for place, digit in enumerate(group):
        if digit == "0":
            gap = bool(said)
            continue
        said += (_DIGITS[0] if gap else "") + _DIGITS[int(digit)] + _PLACES[len(group) - 1 - place]
        gap = False
    return said


def year(digits: str) -> str:
    """Digit by digit."""
    return "".join(_DIGITS[int(digit)] for digit in digits[:60])


def before(digits: str, following: str) -> str:
    """A number and what it counts: years are said digit by digit, two of something is 两."""
    if following == "年" and len(digits) == 4:
        return year(digits)
    if len(digits) > _LONGEST or (len(digits) > 1 and digits[0] == "0"):
        return year(digits)
    return TWO if digits == "2" and following in _MEASURES else cardinal(digits)
