"""Leftovers of HTML and SSML: tags go, their text stays; what they ask of a voice is honoured where it can be."""

import re
from typing import Final

from firstword.text.edits import Claims, Edit
from firstword.text.pronunciation import check_phonemes
from firstword.text.speakable.options import SpeakableOptions
from firstword.text.speakable.slots import Slots
from firstword.text.wordlist import listed

__all__ = ["tags"]

_BREAK: Final = re.compile(r"<break\b(?P<attributes>[^<>]{0,200})>", re.IGNORECASE)
_TIME: Final = re.compile(r"time\s?=\s?[\"']?(\d{0,5}\.?\d{1,4})(ms|s)", re.IGNORECASE)
_STRENGTH: Final = re.compile(r"strength\s?=\s?[\"']?([a-z-]{1,10})", re.IGNORECASE)
_STRENGTHS_S: Final = {"none": 0.0, "x-weak": 0.1, "weak": 0.2, "medium": 0.4, "strong": 0.8, "x-strong": 1.2}
_LONGEST_BREAK_S: Final = 10.0
_PHONEME: Final = re.compile(
    r"<phoneme\b[^<>]{0,200}?\bph\s?=\s?(?P<quote>[\"'])(?P<ipa>[^\"'<>]{1,300})(?P=quote)[^<>]{0,200}>(?P<word>[^<>]{1,200})</phoneme>",
    re.IGNORECASE,
)
_SUB: Final = re.compile(
    r"<sub\b[^<>]{0,200}?\balias\s?=\s?(?P<quote>[\"'])(?P<alias>[^\"'<>]{1,300})(?P=quote)[^<>]{0,200}>[^<>]{1,200}</sub>",
    re.IGNORECASE,
)
_RAISED: Final = re.compile(r"<sup>(?P<power>[-−+]?\d{1,4}|[a-z])</sup>", re.IGNORECASE)
_BASE: Final = re.compile(r"(?:\d|\)|(?<!\w)[a-zA-Z]|\b(?:km|cm|mm|ft|m))\Z")
_TAG: Final = re.compile(
    r"</?(?P<name>[a-zA-Z][\w:-]{0,40})(?:\s[^<>]{0,500}|/)?>|<![a-zA-Z][^<>]{0,200}>|<\?[^<>]{0,200}>"
)
_GENERIC: Final = re.compile(r"(?<=\w)<[A-Za-z]\w{0,30}(?:,\s?[A-Za-z]\w{0,30}){1,4}>")
"""Map<K, V>."""
_COMPARED: Final = re.compile(r"<[\w.-]{1,20}\s[^<>=/\"']{1,200}>")
"""x<y and y>z."""
_TYPE: Final = re.compile(r"int|str|string|bool|float|double|char|byte|long|[A-Z]|[A-Z][a-z]\w*")
"""vector<int>, List<String>."""
_BLOCK: Final = frozenset(
    listed("""
    br p div li ul ol tr td th table h1 h2 h3 h4 h5 h6 hr section summary details blockquote
""")
)


def tags(claims: Claims, slots: Slots, options: SpeakableOptions) -> None:
    if "<" not in claims.masked:
        return

    def phoneme(match: re.Match[str]) -> str:
        check_phonemes(match["ipa"], options.symbols)
        return slots.phonemes(match["word"], match["ipa"])

    claims.rule(_BREAK, lambda match: slots.pause(_seconds(match["attributes"])))
    claims.rule(_PHONEME, phoneme)
    claims.rule(_SUB, lambda match: match["alias"])
    claims.rule(_RAISED, lambda match: f"^{match['power']}" if _is_base(match) else "")
    claims.rule(
        _GENERIC, lambda match: [Edit(match.start(), match.start() + 1, " "), Edit(match.end() - 1, match.end(), "")]
    )
    claims.rule(_TAG, _tag)


def _tag(match: re.Match[str]) -> list[Edit] | None:
    name, before = match["name"] or "", match.string[match.start() - 1 : match.start()] if match.start() else ""
    if before.isalnum() and _COMPARED.fullmatch(match[0]):
        return None
    if before.isalnum() and _TYPE.fullmatch(name):
        return [Edit(match.start(), match.start("name"), " "), Edit(match.end("name"), match.end(), " ")]
    block = name.lower() in _BLOCK
    return [Edit(match.start(), match.end(), "\n" if block else "")]


def _is_base(match: re.Match[str]) -> bool:
    """Whether what is raised is a power (10<sup>6</sup>) and no note (word<sup>2</sup>)."""
    return _BASE.search(match.string, max(0, match.start() - 3), match.start()) is not None


def _seconds(attributes: str) -> float:
    if match := _TIME.search(attributes):
        seconds = float(match[1]) / (1000 if match[2].lower() == "ms" else 1)
        return min(_LONGEST_BREAK_S, seconds)
    match = _STRENGTH.search(attributes)
    return _STRENGTHS_S.get(match[1].lower() if match else "medium", 0.4)
