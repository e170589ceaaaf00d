"""Units, degrees, ranges, fractions, signs, titles and Roman numerals of the languages other than English.

How a number itself is said is `numerals`' (`Counting`); what it stands beside is data (`european`, `asian`). Pure.
"""

import re
from functools import lru_cache
from typing import Final, Protocol

from firstword.text.edits import Claims, Handler
from firstword.text.normalize.asian import ASIAN
from firstword.text.normalize.european import EUROPEAN
from firstword.text.normalize.parts import claim_parts
from firstword.text.normalize.roman import roman
from firstword.text.normalize.vocabulary import Vocabulary

__all__ = ["Counting", "claim_measures", "claim_names", "claim_signs", "joint_of"]


class Counting(Protocol):
    """Numbers of one language, as written -> as said."""

    gap: str
    minus: str

    def said(self, written: str) -> str: ...

    def cardinal(self, digits: str) -> str: ...

    def counted(self, digits: str) -> str: ...

    def ordinal_of(self, digits: str) -> str: ...

    def feminine(self, said: str) -> str: ...


_VOCABULARIES: Final = EUROPEAN | ASIAN
_ROMAN: Final = r"(?=[IVXL])(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})"
_LAST_ORDINAL_RULER: Final = {"es": 10, "pt": 10, "fr": 1}
"""Up to here a ruler's number is an ordinal, then a cardinal; in the other languages always an ordinal."""
_MAY_END: Final = frozenset(("etc.", "usw.", "ecc."))
_MEDIAL: Final = frozenset(
    ("etc.", "usw.", "ecc.", "Mio.", "Mrd.", "Std.", "Min.", "Sek.", "z. B.", "z.B.", "d. h.", "d.h.", "u. a.", "u.a.",
     "bzw.", "ca.", "evtl.", "inkl.", "p. ej.", "p. ex.", "EE. UU.", "EE.UU.", "Ud.", "Uds.", "Str.")
)  # fmt: skip
"""Short forms that stand before anything; the others are titles and stand before a name, or before a number."""
_NUMBERING: Final = frozenset(
    (
        "Nr.",
        "n.º",
        "n.",
        "pág.",
        "pag.",
        "art.",
        "Art.",
        "Abs.",
        "§",
        "§§",
        "S.",
        "Abb.",
        "Kap.",
        "cap.",
        "chap.",
        "fig.",
        "Fig.",
        "tel.",
        "Tel.",
        "tél.",
        "Tél.",
    )
)


def claim_names(claims: Claims, language: str, counting: Counting) -> None:
    """Titles and other short forms, Roman numerals of rulers, centuries and chapters."""
    vocabulary = _VOCABULARIES.get(language)
    if vocabulary is None:
        return
    shorts, roman = _name_patterns(language)
    if shorts is not None:
        claims.rule(shorts, lambda match: _short(match, vocabulary))
    if roman is not None:
        claims.rule(roman, _roman_rule(language, counting))


def claim_measures(claims: Claims, language: str, counting: Counting, number: str) -> None:
    """Degrees, units, fractions and ranges; `number` is the pattern of a number, its group named n."""
    vocabulary = _VOCABULARIES.get(language)
    if vocabulary is None:
        return
    measured, fraction, span = _measure_patterns(language, number)
    gap = counting.gap

    def amount(match: re.Match[str]) -> str:
        one = match["n"] == "1"
        said = counting.counted("1") if one else counting.said(match["n"])
        if match["first"]:
            said = f"{counting.said(match['first'])}{gap}{vocabulary.to}{gap}{said}"
        if match["sign"]:
            said = f"{counting.minus}{gap}{said}"
        if match["degrees"]:
            scale = vocabulary.scales.get(match["scale"] or "", "")
            return f"{said}{gap}{vocabulary.degrees} {scale}".rstrip()
        unit = _unit(vocabulary, match["unit"], one=one)
        square = vocabulary.square if match["exponent"] else f"{{n}}{gap}{{u}}"
        said = square.format(n=said, u=unit, l=unit.lower())
        return f"{said}{gap}{vocabulary.per}{gap}{_unit(vocabulary, match['per'], one=True)}" if match["per"] else said

    def last(match: re.Match[str]) -> str:
        """Three to one: no noun stands behind it."""
        return counting.cardinal("1") if match["n"] == "1" else counting.said(match["n"])

    def part(match: re.Match[str]) -> str | None:
        written = match[0].replace(" ", "")
        if written in vocabulary.fractions:
            said = vocabulary.fractions[written]
            return _HALVES.get(said, said) if _FEMININE.match(match.string, match.end()) else said
        joint = {"ja": "分の", "zh": "分之"}.get(language)
        if joint is None or not match["below"]:
            return None
        return f"{counting.said(match['below'])}{joint}{counting.said(match['above'])}"

    claim_parts(claims, language, counting, vocabulary)
    claims.rule(measured, amount)
    claims.rule(fraction, part)
    claims.rule(
        _PER_UNIT,
        lambda match: (
            f"{gap}{vocabulary.per}{gap}{_unit(vocabulary, match['unit'], one=True)}"
            if match["unit"] in vocabulary.units
            else None
        ),
    )
    claims.rule(span, lambda match: f"{counting.said(match['first'])}{gap}{vocabulary.to}{gap}{last(match)}")


def joint_of(language: str) -> str:
    """The word between the ends of a range."""
    return _VOCABULARIES[language].to


def claim_signs(claims: Claims, language: str, counting: Counting) -> None:
    """The signs of a sum: between numbers, and the dash of one that has an equals sign."""
    vocabulary = _VOCABULARIES.get(language)
    if vocabulary is None or not re.search("[+×÷=x]", claims.masked):
        return
    gap = counting.gap
    claims.rule(_DAILY if language == "de" else _TIMES, f"{gap}{vocabulary.signs['×']}{gap}")
    claims.rule(_SIGN, lambda match: f"{gap}{vocabulary.signs[match['sign']]}{gap}")
    claims.rule(_MINUS, f"{gap}{vocabulary.signs['-']}{gap}")


_QUEEN: Final = re.compile("Isabel|Elisabeth|Elisabetta")
_PER_UNIT: Final = re.compile(r"(?<=\ue000)\s?/\s?(?P<unit>[a-zA-Z]{1,3})(?!\w)")
_HALVES: Final = {"medio": "media", "meio": "meia", "mezzo": "mezza"}
_FEMININE: Final = re.compile(r"\s[^\W\d]{2,20}a\b")
_SIGN: Final = re.compile(r"(?<=[\w)\ue000])\s?(?P<sign>[+×÷=])\s?(?=[\w(\ue000$€£-])")
_TIMES: Final = re.compile(r"(?<=\ue000)\s?x\s?(?=\ue000)")
_DAILY: Final = re.compile(r"(?<=\ue000)\s?x\s?(?=\ue000|(?:täglich|am|pro|im|in|die|wöchentlich|monatlich)\b)")
"""2 x 500 mg; in German also 2 x täglich."""
_MINUS: Final = re.compile(r"(?<=[0-9)\ue000])\s[-−]\s(?=[0-9(\ue000][^\n]{0,40}\ue000)")


_UNSPACED: Final = frozenset(("ja", "zh", "ko"))
"""Words follow a number at once."""


@lru_cache(maxsize=8)
def _name_patterns(language: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    vocabulary = _VOCABULARIES[language]
    names = sorted((name.replace("_", " ") for name in vocabulary.shorts), key=len, reverse=True)
    medial = "|".join(re.escape(name) for name in names if name in _MEDIAL)
    numbering = [name for name in names if name[-1] in "º°" or name in _NUMBERING]
    number = "|".join(re.escape(form) for name in numbering for form in dict.fromkeys((name, name.capitalize())))
    titles = "|".join(re.escape(name) for name in names if len(name.rstrip(".")) > 1 or name == "M.")
    shorts = rf"(?P<title>{titles})(?=\s[A-ZÀ-Ý\u0900-\u097f])"
    shorts += rf"|(?P<counted>{number})(?=:?\s?[0-9+(])" if number else "|(?P<counted>(?!))"
    shorts += rf"|(?P<medial>{medial})(?!\w)" if medial else "|(?P<medial>(?!))"
    names_of_ages = (*vocabulary.centuries, *map(str.capitalize, vocabulary.centuries))
    places = "|".join((*names_of_ages, *vocabulary.chapters))
    if not vocabulary.rulers:
        return (re.compile(rf"(?<![\w.])(?:{shorts})") if titles else None), None
    century = "|".join(vocabulary.centuries) or "(?!)"
    roman = (
        rf"\b(?:{'|'.join(vocabulary.rulers)})\s(?P<ruler>{_ROMAN})(?![\w'-])"
        rf"|\b(?:{places})\s(?P<chapter>{_ROMAN})(?![\w'-])"
        rf"|(?<!\w)(?P<century>{_ROMAN})(?:e|ème|º|\.)?(?=\s(?:{century}|Jahrhundert))"
    )
    return re.compile(rf"(?<![\w.])(?:{shorts})"), re.compile(roman)


@lru_cache(maxsize=8)
def _measure_patterns(language: str, number: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    vocabulary = _VOCABULARIES[language]
    units = "|".join(re.escape(name) for name in sorted(vocabulary.units, key=len, reverse=True))
    first = number.replace("?P<n>", "?P<first>")
    start, end = (r"(?<![\w.,/-])", r"(?!\w)") if language not in _UNSPACED else (r"(?<![0-9.,/-])", r"(?![A-Za-z0-9])")
    signed = r"(?:(?<![\w)\]])(?P<sign>[-−]))?" if language not in _UNSPACED else r"(?:(?<![0-9)])(?P<sign>[-−]))?"
    measured = (
        rf"{signed}{start.replace('-', '')}(?:{first}\s?[-–〜~]\s?)?{number}\s?"
        rf"(?:(?P<degrees>°)\s?(?P<scale>[CF])?|(?P<unit>{units})(?P<exponent>[²³])?(?:/(?P<per>{units}))?){end}"
    )
    after = r"[\w/-]" if language not in _UNSPACED else "[A-Za-z0-9/-]"
    fraction = rf"{start}(?:(?P<above>[0-9]{{1,2}})\s?/\s?(?P<below>[0-9]{{1,2}}){end}(?!/|[.,][0-9])|[½¼¾])"
    return re.compile(measured), re.compile(fraction), re.compile(rf"{start}{first}\s?[–〜-]\s?{number}(?!{after})")


def _unit(vocabulary: Vocabulary, written: str, *, one: bool) -> str:
    return vocabulary.units[written].split("/")[0 if one else 1]


def _short(match: re.Match[str], vocabulary: Vocabulary) -> str:
    written = match[0]
    key = written.replace(" ", "_")
    said = vocabulary.shorts[key] if key in vocabulary.shorts else vocabulary.shorts[key.lower()].capitalize()
    ends = re.match(r"\s*\Z|\s+[A-ZÀ-Ý]", match.string[match.end() : match.end() + 4])
    return f"{said}." if written in _MAY_END and ends else said


def _roman_rule(language: str, counting: Counting) -> Handler:
    last = _LAST_ORDINAL_RULER.get(language, 1000)

    def say(match: re.Match[str]) -> str:
        group = match.lastgroup or "chapter"
        value = roman(match[group])
        head = match[0][: match.start(group) - match.start()]
        if group == "chapter" or (group == "ruler" and value > last):
            return head + counting.said(str(value))
        ordinal = counting.ordinal_of(str(value))
        queen = group == "ruler" and _QUEEN.fullmatch(head.strip()) is not None
        if queen and language in ("es", "pt", "it"):
            ordinal = re.sub("o$", "a", ordinal)
        if queen and language == "de":
            return f"{head}die {ordinal}"
        return (
            f"{head}der {ordinal}".replace("der der", "der")
            if language == "de" and group == "ruler"
            else head + ordinal
        )

    return say
