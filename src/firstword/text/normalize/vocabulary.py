"""What a number stands beside, in the languages other than English: units, signs, fractions, titles, names of rulers.

A unit is "one/many"; `{n}` is the number. The words themselves are the two files beside; above it: `measures`.
"""

from typing import NamedTuple

__all__ = ["Vocabulary"]


class Vocabulary(NamedTuple):
    units: dict[str, str]
    per: str
    square: str
    degrees: str
    signs: dict[str, str]
    fractions: dict[str, str]
    to: str
    shorts: dict[str, str]
    rulers: tuple[str, ...] = ()
    centuries: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    scales: dict[str, str] = {"C": "Celsius", "F": "Fahrenheit"}  # noqa: RUF012  # never changed
