"""Marks of emphasis go wherever they stand, in pairs or alone, so that a sentence needs nothing of its neighbours.

Stage directions ("*sighs*") are told from emphasis ("*really*") by their first words.
"""

import re
from typing import Final

from firstword.text.edits import Claims, Edit
from firstword.text.wordlist import listed

__all__ = ["marks", "stage_directions"]

_ACTS: Final = frozenset(
    listed("""
    sighs sighing sigh laughs laughing laughter chuckles chuckling chuckle giggles giggling giggle smiles smiling
    grins grinning nods nodding shrugs shrugging winks winking coughs coughing cough gasps gasping gasp groans
    groaning groan whispers whispering yawns yawning yawn pauses pausing pause blinks frowns frowning sniffs
    sniffles sobs sobbing cries crying snorts smirks smirking waves waving bows gulps inhales exhales hums humming
    claps clapping applause mutters muttering mumbles mumbling shivers trembles gestures gesturing stares squints
    stammers scoffs snickers cheers beeps blushes facepalms ahem beat silence cackles grimaces grunts hiccups howls
    pants sneezes sneeze wheezes whimpers
""")
)
_ACTS_IN_COMPANY: Final = frozenset(
    listed("""
    clears clearing leans leaning looks looking glances glancing takes taking raises raising rolls rolling scratches
    shakes shaking stretches tilts tilting rubs crosses points pointing sits stands walks turns turning steps
    adjusts taps tapping wipes bites opens closes holds puts thinks thinking sings singing breathes breathing drops
    music scratching wiping checks typing types sips drinks pats hugs hands reaches picks jumps runs falls
    background
""")
)
_STARRED: Final = re.compile(r"(?P<mark>\*{1,3}|(?<!\w)_{1,3})(?P<text>[^*_\n]{2,80})(?P=mark)(?!\w)")
_BRACKETED: Final = re.compile(r"[(\[](?P<text>[a-z][a-z' -]{2,40})[)\]]", re.IGNORECASE)
_STARS: Final = re.compile(r"\*+")
_UNDERSCORES: Final = re.compile(r"_+")
_PAIRS: Final = re.compile(r"~~+|(?<![\w=])==(?=[^\s=])|(?<=[^\s=])==(?![\w=])")


def stage_directions(claims: Claims, *, drop: bool) -> None:
    def starred(match: re.Match[str]) -> str | list[Edit] | None:
        if not _acts(match["text"]):
            return None
        return "" if drop else [Edit(match.start(), match.start("text"), ""), Edit(match.end("text"), match.end(), "")]

    if "*" in claims.masked or "_" in claims.masked:
        claims.rule(_STARRED, starred)
    if "(" in claims.masked or "[" in claims.masked:
        claims.rule(_BRACKETED, lambda match: "" if drop and _acts(match["text"], most=4) else None)


def _acts(text: str, most: int = 9) -> bool:
    words = text.lower().strip(" .,!…").replace(",", "").split()
    if not words or len(words) > most:
        return False
    if words[0].endswith("ly") and len(words) > 1:
        words = words[1:]
    return words[0] in _ACTS or (words[0] in _ACTS_IN_COMPANY and len(words) > 1)


def marks(claims: Claims) -> None:
    """What is left of emphasis; a lone star or underscore between numbers or names is a sign or a space."""
    text = claims.masked
    if "*" in text:
        claims.rule(_STARS, _star)
    if "_" in text:
        claims.rule(_UNDERSCORES, _underscore)
    if "~~" in text or "==" in text:
        claims.rule(_PAIRS, "")


def _around(match: re.Match[str]) -> tuple[str, str]:
    text, (start, end) = match.string, match.span()
    return text[start - 1 : start] if start else "", text[end : end + 1]


def _star(match: re.Match[str]) -> str:
    before, after = _around(match)
    if match[0] == "**" and before.isdigit() and after.isdigit():
        return " to the power of "
    if len(match[0]) == 1:
        between_digits = before.isdigit() and after.isdigit()
        alone = before == after == " " and match.string[match.end() + 1 : match.end() + 2].isalnum()
        if between_digits or (alone and _operand(match.string[max(0, match.start() - 3) : match.start() - 1])):
            return " times "
    return ""


def _operand(text: str) -> bool:
    """Whether the text ends in a number, a closing bracket or a one-letter name."""
    last = text[-1:]
    return last.isdigit() or last in (")", "%") or (last.isalpha() and not text[-2:-1].isalpha())


def _underscore(match: re.Match[str]) -> str:
    before, after = _around(match)
    if before.isalnum() and after.isalnum():
        return " "
    return "blank" if len(match[0]) >= 3 and not before.isalnum() and not after.isalnum() else ""
