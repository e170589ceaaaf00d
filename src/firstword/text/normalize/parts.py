"""Halves, quarters and other parts in the languages other than English: ½ kg, 2½ tazas, 3/5.

A half agrees with the noun behind it, and in Romance languages a part stands behind the noun: dos tazas y media.
Above it: `measures`. Pure.
"""

import re
from typing import Final, NamedTuple, Protocol

from firstword.text.edits import Claims
from firstword.text.normalize.fraction_signs import FRACTION_SIGNS, SIGNS
from firstword.text.normalize.vocabulary import Vocabulary
from firstword.text.wordlist import listed

__all__ = ["claim_parts"]


class _Counting(Protocol):
    def said(self, written: str) -> str: ...

    def cardinal(self, digits: str) -> str: ...

    def counted(self, digits: str) -> str: ...

    def feminine(self, said: str) -> str: ...

    def ordinal_of(self, digits: str) -> str: ...


class _Forms(NamedTuple):
    joint: str
    of: str
    feminine: dict[str, str]


_FORMS: Final = {
    "es": _Forms("y", "de", {"medio": "media"}),
    "fr": _Forms("et", "de", {"un demi": "une demi"}),
    "it": _Forms("e", "di", {"mezzo": "mezza"}),
    "pt": _Forms("e", "de", {"meio": "meia"}),
}
_OF_MOST: Final = {"es": "sobre", "fr": "sur", "it": "su", "pt": "de", "de": "von"}
_OUT_OF: Final = re.compile(
    r"(?<![\w.,/])(?P<n>[0-9]{1,3}(?:,[0-9]{1,2})?)\s?/\s?(?P<most>5|10|20|100)(?![\w/]|[.,][0-9])"
)
"""15/20, of a mark."""
_NOUN: Final = (
    r"(?:(?P<gap>\s?)(?P<noun>(?!y\b|e\b|o\b|et\b|und\b|de\b|di\b|des\b|der\b|del\b)[^\W\d_]{1,20})(?![\w-]|\.\w))?"
)
_FEMININE: Final = re.compile(r"(?!d[ií]as?\b|gramas?\b|quilogramas?\b)[^\W\d]{2,20}as?|ore|tazze")
_FEMININE_FRENCH: Final = frozenset(
    listed("heure heures tasse tasses cuillère cuillères bouteille minute seconde journée année tonne livre livres")
)
_MASCULINE_GERMAN: Final = re.compile(r"(?:.*(?:[Ll]iter|[Ll]öffel|[Mm]eter)|Tag|Monat|Apfel|Becher|Bund|Würfel|Kopf)")
_NEUTER_GERMAN: Final = re.compile(r"(?:.*[Gg]ramm|Kilo|Pfund|Jahr|Glas|Stück|Dutzend|Päckchen|Blatt|Brot)")
_BEGINS: Final = re.compile(r"(?:\A|[,;:.(–-])\s?\Z")
_ONE_FEMININE: Final = {"fr": "une", "it": "una"}
_LONGEST_PART: Final = 10


def claim_parts(claims: Claims, language: str, counting: _Counting, vocabulary: Vocabulary) -> None:
    """½, 2½, 3/5 and 1 1/2, with the unit or the noun behind them."""
    if not re.search(rf"[{SIGNS}]|[0-9]\s?/", claims.masked) or language not in (*_FORMS, "de"):
        return

    def part(match: re.Match[str]) -> str | None:
        above, below = FRACTION_SIGNS[match["sign"]] if match["sign"] else map(str.strip, match["slashed"].split("/"))
        whole = match["whole"]
        if not 0 < int(above) < int(below) <= _LONGEST_PART:
            return None
        noun, unit = match["noun"] or "", vocabulary.units.get(match["noun"] or "")
        if match["slashed"] and not unit and match["gap"] == "":
            return None
        many = bool(whole and whole != "1")
        said = unit.split("/")[many] if unit else noun
        if language == "de":
            return _german(match, said, whole, above, below, counting)
        if whole == "1":
            said = _italian_one(said) if language == "it" else said.removesuffix("s")
        forms = _FORMS[language]
        feminine = said in _FEMININE_FRENCH if language == "fr" else _FEMININE.fullmatch(said) is not None
        fraction = _part(above, below, counting, vocabulary, language)
        half = below == "2"
        if whole:
            count = counting.counted(whole)
            if feminine and whole == "1" and language in _ONE_FEMININE:
                count = _ONE_FEMININE[language]
            elif feminine:
                count = counting.feminine(count)
            if not said:
                count = counting.cardinal(whole)
            if half and language == "fr":
                fraction = "demie" if feminine else "demi"
            elif half and feminine:
                fraction = forms.feminine.get(fraction, fraction)
            return f"{f'{count} {said}'.rstrip()} {forms.joint} {fraction}"
        if half and feminine:
            fraction = forms.feminine.get(fraction, fraction)
        return f"{fraction} {said if half or not unit else f'{forms.of} {said}'}".rstrip()

    claims.rule(_PART, part)
    claims.rule(
        _OUT_OF, lambda match: f"{counting.said(match['n'])} {_OF_MOST[language]} {counting.cardinal(match['most'])}"
    )


_PART: Final = re.compile(
    rf"(?<![\w.,/])(?:(?P<whole>[0-9]{{1,3}})\s?(?=[{SIGNS}]|(?<=\s)[0-9]/))?"
    rf"(?:(?P<sign>[{SIGNS}])|(?P<slashed>[0-9]{{1,2}}\s?/\s?[0-9]{{1,2}})(?![\w/]|[.,][0-9])){_NOUN}"
)


def _italian_one(noun: str) -> str:
    """Ore: ora; litri: litro."""
    return re.sub("(?<=or)e$|(?<=zz)e$", "a", re.sub("(?<=tr)i$|(?<=tt)i$", "o", noun))


def _part(above: str, below: str, counting: _Counting, vocabulary: Vocabulary, language: str) -> str:
    """Three quarters, two fifths."""
    if said := vocabulary.fractions.get(f"{above}/{below}"):
        return said
    one = counting.ordinal_of(below)
    many = f"{one[:-1]}i" if language == "it" else f"{one}s"
    return f"{counting.counted(above)} {one if above == '1' else many}"


def _german(match: re.Match[str], noun: str, whole: str | None, above: str, below: str, counting: _Counting) -> str:
    """Ein halber Teelöffel, zweieinhalb Stunden, drei Viertel Liter."""
    tail = f" {noun}" if noun else ""
    name = {"3": "drittel", "4": "viertel"}.get(below) or f"{counting.ordinal_of(below).lower()}l"
    if whole:
        joined = "ein" if whole == "1" else counting.cardinal(whole)
        return f"{joined}{'einhalb' if below == '2' else f'{counting.counted(above)}{name}'}{tail}"
    if below != "2":
        return f"{counting.counted(above)} {name.capitalize()}{tail}"
    if not noun:
        return "ein halb"
    if _MASCULINE_GERMAN.fullmatch(noun):
        return f"{'ein halber' if _BEGINS.search(match.string[: match.start()][-3:]) else 'einen halben'}{tail}"
    return f"{'ein halbes' if _NEUTER_GERMAN.fullmatch(noun) else 'eine halbe'}{tail}"
