"""The form of an English rule, and the pieces of pattern that many of them share."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from firstword.text.edits import Edit
from firstword.text.normalize.english.words import Words
from firstword.text.wordlist import listed

__all__ = [
    "DASH",
    "NUMBER",
    "SIGN",
    "START",
    "Rule",
    "Say",
    "after",
    "before",
    "is_adjective",
    "is_followed_by_noun",
    "part",
    "rule",
    "signed",
]

type Say = Callable[[re.Match[str], Words], str | Sequence[Edit] | None]
"""What to say for a match; None: this is not what the rule is for."""

NUMBER: Final = r"(?:[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])|[0-9]++)(?:\.[0-9]++)?+"
"""A number as it is written: 7, 4,820, 3.14."""
START: Final = r"(?<![\w.,])"
"""Where a number may begin: in no word and in no other number."""
SIGN: Final = r"(?:(?<![\w)\]\ue000])(?P<sign>[-−+–](?=[0-9.$€£¥₹])|[±~≈]\s?))?"
DASH: Final = r"\s?[-–—]\s?"


_ARTICLE: Final = re.compile(r"\b(?:an?|another|every|each|one|his|her|their|my|our|your)\s\Z", re.IGNORECASE)
_THINGS: Final = re.compile(
    rf"\s(?:{
        '|'.join(
            listed('''
    bag box bottle jar can battery jack run race walk hike drive tank engine bulb cable screen display monitor pizza
    lens charger adapter adaptor SSD tape pipe roll bill note coin fee fine ticket discount limit shift break window
    deadline flight read video call meeting delay warning film pistol dash turn angle sprint rifle cannon gun bullet
    round bolt screw nail drill bit wrench socket hose wire rope pole board plank beam column slab sheet camera phone
    laptop disk card module stick file image photo clip track pool gap radius stretch loop trail course swim ride
    commute journey trip range zone diet dose tablet capsule pill injection serving portion pack packet tube glass pint
    mug cup jug bucket barrel keg carton burger steak baby weight plate sack load truck van boat ship trailer crane
    motor pump compressor generator panel inverter heater oven microwave speaker amplifier circuit outlet plug fuse
    breaker supply line grid transformer lesson session class exam test timer nap wait talk speech song episode movie
    game match workout interval stint visit trial period span cycle contract lease loan plan guarantee sentence term
    mortgage gift voucher deposit bonus prize reward penalty budget scope caliber fan ceiling fence wall tower
    margin border grade difference deal acquisition merger takeover buyout bailout valuation settlement lawsuit
    investment project
    dumbbell kettlebell barbell turkey dog cat fish cake chip poster increments intervals
    ''')
        )
    })\b"
)
_NOT_NOUNS: Final = re.compile(
    r"\s(?:and|or|to|in|for|per|off|of|more|less|each|was|is|are|were|on|at|by|with|if|from|than|but|because|when|as|that|"
    r"this|so|it|you|we|they|he|she|now|today|extra|total|plus|will|would|can|could|has|have|had|a|an|the|into|out|back|"
    r"over|under|up|down|after|before|every|until|while|since|goes|went|only|tall|wide|long|deep|high|thick|away|apart)\b"
)


class Rule(NamedTuple):
    pattern: re.Pattern[str]
    say: Say
    needs: frozenset[str]
    """Characters of which a text must have one for the rule to be tried at all; empty: always."""


def rule(pattern: str, say: Say | str, flags: int = 0, *, needs: str = "") -> Rule:
    """A rule; `say` may be the words themselves."""
    if isinstance(say, str):
        words_said = say
        return Rule(re.compile(pattern, flags), lambda _match, _words: words_said, frozenset(needs))
    return Rule(re.compile(pattern, flags), say, frozenset(needs))


def part(match: re.Match[str], group: str | int, said: str) -> Edit:
    """The edit of one group of a match."""
    return Edit(*match.span(group), said)


def before(match: re.Match[str], length: int = 24) -> str:
    """The text just before a match."""
    return match.string[max(0, match.start() - length) : match.start()]


def after(match: re.Match[str], length: int = 24) -> str:
    """The text just after a match."""
    return match.string[match.end() : match.end() + length]


def is_adjective(match: re.Match[str]) -> bool:
    """Whether an amount tells of a noun and so stays singular: a $5 bill, her 10 km run, the 20-euro note."""
    following = after(match)
    if re.match(r"-(?!plus\b|and\b|ish\b)[a-z]", following) or _THINGS.match(following):
        return True
    return bool(
        _ARTICLE.search(before(match)) and re.match(r"\s[A-Za-z]{3,}", following) and not _NOT_NOUNS.match(following)
    )


def is_followed_by_noun(match: re.Match[str]) -> bool:
    """Whether a word stands behind that may be a noun: a 3.5" floppy."""
    following = after(match)
    return re.match(r"\s[a-z]{3,}", following) is not None and not _NOT_NOUNS.match(following)


def signed(sign: str | None, said: str) -> str:
    """`said` with a sign before it as a word."""
    match (sign or "").strip():
        case "-" | "−" | "–":
            return f"minus {said}"
        case "+":
            return f"plus {said}"
        case "±":
            return f"plus or minus {said}"
        case "~" | "≈":
            return f"about {said}"
        case "<":
            return f"less than {said}"
        case ">":
            return f"more than {said}"
        case _:
            return said
