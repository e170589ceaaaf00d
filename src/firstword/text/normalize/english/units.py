"""Quantities with units, percentages, temperatures, angles, sizes. A unit is one only right after a number."""

import re
from collections.abc import Sequence
from typing import Final

from firstword.text.edits import Edit
from firstword.text.normalize.english.rule import (
    DASH,
    NUMBER,
    SIGN,
    Rule,
    after,
    before,
    is_adjective,
    is_followed_by_noun,
    part,
    rule,
    signed,
)
from firstword.text.normalize.english.unit_names import UNITS, WRITTEN_UNIT, per_unit, plural_of, spelled, unit_name
from firstword.text.normalize.english.words import Words, fraction_of

__all__ = ["RATES", "RULES"]

_AREAS: Final = {"sq": "square", "cu": "cubic"}
_HALVES: Final = {
    "½": "a half",
    "¼": "a quarter",
    "¾": "three quarters",
    "⅓": "a third",
    "⅔": "two thirds",
    "⅛": "an eighth",
    "⅜": "three eighths",
    "⅝": "five eighths",
    "⅞": "seven eighths",
}
_COMMA: Final = re.compile(r"(?<=[0-9]),(?=[0-9]{1,2}\Z)")
"""1,5 m as the continent writes it."""
_QUOTES: Final = re.compile(r'(?<![0-9])"')
_SIDES: Final = {"N": "north", "S": "south", "E": "east", "W": "west"}
_TEMPERATURES: Final = {"C": "Celsius", "F": "Fahrenheit", "K": "Kelvin"}


def _number(written: str, words: Words) -> str:
    """A number, also with a fraction sign: "2½"."""
    sign = written[-1]
    written = _COMMA.sub(".", written)
    if "/" in written:
        whole, above, below = _SLASHED.fullmatch(written).groups()  # type: ignore[union-attr]  # the pattern's own part
        said = fraction_of(words, above, below)
        return f"{words.cardinal(whole)} and {re.sub('^one ', 'a ', said)}" if whole else said
    if sign not in _HALVES:
        return words.number(written) if written[0] != "." else f"point {words.digits(written[1:])}"
    whole = written[:-1].strip()
    return (
        f"{words.number(whole)} and {_HALVES[sign]}"
        if whole
        else {"½": "half a", "¼": "a quarter", "¾": "three quarters"}.get(sign, _HALVES[sign])
    )


def _quantity(match: re.Match[str], words: Words) -> str | None:
    number, unit, dash = match["number"], match["unit"], match["joint"] == "-"
    if _is_name(match):
        return None
    plural = (
        number != "1"
        and number not in _HALVES
        and not re.fullmatch("[0-9]+/[0-9]+", number)
        and not dash
        and not is_adjective(match)
    )
    said = f"{_number(number, words)} {unit_name(unit, match['exponent'], words, plural=plural)}"
    if match["first"]:
        said = f"{_number(match['first'], words)} to {said}"
    if match["per"]:
        said += f" per {per_unit(match['per'], match['per_exponent'], words)}"
    return signed(match["sign"], said)


def _is_name(match: re.Match[str]) -> bool:
    """A letter after a number that is no unit: "5 m" is one, "3 t-shirts" and "2 h's" are not."""
    following = after(match, 2)
    return bool(re.match(r"['-][a-z]", following)) and match["unit"] in (
        "t",
        "s",
        "m",
        "h",
        "g",
        "l",
        "L",
        "V",
        "W",
        "N",
        "J",
    )


def _area(match: re.Match[str], words: Words) -> str:
    unit = (
        UNITS[match["unit"]]
        if match["unit"] in UNITS
        else {"in": "inch", "yards": "yard", "miles": "mile"}[match["unit"]]
    )
    name = f"{_AREAS[match['kind']]} {'inches' if unit == 'inch' else plural_of(unit)}"
    return f"{words.number(match['number'])} {spelled(name, words)}"


def _inches(match: re.Match[str], words: Words) -> str | None:
    number = match["number"]
    part_of_one = re.fullmatch("[0-9]+/[0-9]+|[½¼¾]", number) is not None
    one = number == "1" or part_of_one or match["joint"] == "-" or is_adjective(match)
    said = f"{_number(number, words)} {'inch' if one else 'inches'}"
    return f"{words.number(match['first'])} to {said}" if match["first"] else said


def _feet(match: re.Match[str], words: Words) -> str:
    return f"{words.cardinal(match['feet'])} foot {words.number(match['inches'])}"


def _feet_alone(match: re.Match[str], words: Words) -> str | None:
    """He is 6'. No length where a quotation is open."""
    if re.search(r"(?<!\w)'", match.string[: match.start()]):
        return None
    return f"{words.number(match['number'])} {'foot' if match['number'] == '1' else 'feet'}"


def _quoted_inches(match: re.Match[str], words: Words) -> str | None:
    """12" is a length unless the mark closes a quotation."""
    if len(_QUOTES.findall(match.string, max(0, match.start() - 200), match.start())) % 2:
        return None
    if is_followed_by_noun(match) and not match["first"]:
        return f"{_number(match['number'], words)} inch"
    return _inches(match, words)


def _percent(match: re.Match[str], words: Words) -> str:
    said = f"{_number(match['number'], words)} percent"
    if match["first"]:
        said = f"{signed(match['first_sign'], words.number(match['first']))} to {said}"
    return signed(match["sign"], said)


def _degrees(match: re.Match[str], words: Words) -> str:
    number, scale = match["number"], match["scale"]
    single = number == "1" or (not scale and is_adjective(match))
    said = f"{words.number(number)} degree{'' if single else 's'}{f' {_SIDES[match["side"]]}' if match['side'] else ''}"
    if match["first"]:
        said = f"{words.number(match['first'])} to {signed(match['last_sign'], said)}"
    return signed(match["sign"], f"{said} {_TEMPERATURES[scale.upper()]}" if scale else said)


def _position(match: re.Match[str], words: Words) -> str:
    """40°42'46" N."""
    said = f"{words.number(match['degrees'])} degrees {words.number(match['minutes'])} minutes"
    said = f"{said} {words.number(match['seconds'])} seconds" if match["seconds"] else said
    return f"{said} {_SIDES[match['side']]}" if match["side"] else said


def _size(match: re.Match[str], words: Words) -> Sequence[Edit] | None:
    """3x4, 3 x 4 x 5, 1920×1080; an equation says times."""
    joint = " by "
    if (
        _PRODUCT.match(after(match))
        or _ASKED.search(before(match))
        or ("×" in match[0] and " × " in match[0] and not re.match(r"\s?[a-z]", after(match)))
    ):
        joint = " times "
    if re.match(_DOSE, after(match)):
        joint = " times "
    say = words.pairs if " " not in match[0] and match["a"].isdigit() and match["b"].isdigit() else words.number
    edits = [part(match, "a", say(match["a"])), part(match, "x1", joint)]
    if match["c"]:
        edits += [part(match, "b", say(match["b"])), part(match, "x2", joint)]
    last = "c" if match["c"] else "b"
    if not _UNIT_NEXT.match(after(match)):
        edits.append(part(match, last, say(match[last])))
    return edits


def _boards(match: re.Match[str], words: Words) -> str:
    """2x4s."""
    return f"{words.cardinal(match['a'])} by {words.plural(words.cardinal(match['b']))}"


def _fold(match: re.Match[str], words: Words) -> str:
    if before(match).rstrip()[-1:] in ("=", "+", "*", "/"):
        return f"{words.number(match['number'])} x"
    said = f"{words.number(match['number'])} times"
    return f"{words.number(match['first'])} to {said}" if match["first"] else said


def _duration(match: re.Match[str], words: Words) -> str:
    """2h30m, 1 h 15 min, 5m 30s, 3d 4h."""
    return " ".join(
        f"{words.cardinal(number)} {_CLOCK[unit]}{'' if number == '1' else 's'}"
        for number, unit in re.findall(r"([0-9]+)\s?([dhms])", match[0])
    )


def _pressure(match: re.Match[str], words: Words) -> str:
    return f"{words.cardinal(match['high'])} over {words.cardinal(match['low'])} millimeters of mercury"


def _loose(match: re.Match[str], words: Words) -> str:
    return f" {unit_name(match['unit'], match['exponent'], words, plural=True)}"


def _amperes(match: re.Match[str], words: Words) -> str:
    return f"{words.number(match['number'])} amp"


def _kelvin(match: re.Match[str], words: Words) -> Sequence[Edit]:
    group = "number" if match["number"] else "number2"
    return [Edit(match.start(group), match.end(), f"{words.number(match[group])} kelvin")]


def _room(match: re.Match[str], words: Words) -> str:
    """12' x 15'."""
    return f"{words.number(match['a'])} feet by {words.number(match['b'])} feet"


def _service(match: re.Match[str], words: Words) -> str:
    """7d/wk."""
    return f"{words.cardinal(match['number'])} {_CLOCK[match['unit']]}s per {per_unit(match['per'], None, words)}"


def _cores(match: re.Match[str], words: Words) -> str:
    """8c/16t, of a processor."""
    many = "" if is_adjective(match) else "s"
    return f"{words.cardinal(match['cores'])} core{many} {words.cardinal(match['threads'])} thread{many}"


def _exposure(match: re.Match[str], words: Words) -> str:
    """1/250 s."""
    return f"{fraction_of(words, '1', match['below'])} of a second"


def _current(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """12 V DC, 5 A."""
    said = f"{words.number(match['number'])} {'amp' if match['number'] == '1' else 'amps'}"
    return [Edit(match.start("number"), match.end(), said)]


_CLOCK: Final = {"d": "day", "h": "hour", "m": "minute", "s": "second"}


def _rate(match: re.Match[str], words: Words) -> str:
    unit = unit_name(match["unit"], None, words, plural=True)
    return f" {unit} per {per_unit(match['per'], match['per_exponent'], words)}"


_SLASHED: Final = re.compile(r"(?:([0-9]{1,4})[ -])?([0-9]{1,2})/([0-9]{1,2})")
_PRODUCT: Final = re.compile(r"\s?=|\s(?:is|equals|makes|gives)\s[0-9]")
_ASKED: Final = re.compile(r"\b(?:[Ww]hat(?:'s|’s| is)|[Cc]alculate|[Cc]ompute|[Mm]ultiply)\s\Z")
_DOSE: Final = re.compile(r"\s?(?:mg|mcg|µg|g|ml|mL|IU)(?!\w)")
"""2 x 500 mg."""
_UNIT_NEXT: Final = re.compile(rf"\s?(?:{WRITTEN_UNIT}|in|\")(?!\w)")
_AMOUNT: Final = (
    rf"(?:(?:[0-9]{{1,4}}[ -])?[0-9]{{1,2}}/(?:[2-9]|[1-9][0-9])|[0-9]{{1,3}},[0-9]{{1,2}}(?![0-9,])"
    rf"|{NUMBER}(?:\s?[½¼¾⅓⅔⅛⅜⅝⅞])?|\.[0-9]++|[½¼¾⅓⅔⅛⅜⅝⅞])"
)
_FROM: Final = rf"(?:(?P<first>{NUMBER}){DASH})?"

RULES: Final[tuple[Rule, ...]] = (
    rule(r"(?<![\w.,/])1/(?P<below>[0-9]{2,5})\s?(?:s|sec)(?!\w)", _exposure, needs="/"),
    rule(
        rf"{SIGN}(?<![\w.,])(?:(?P<first_sign>[-−])?(?P<first>{NUMBER})%?{DASH})?"
        rf"(?P<number>[0-9]{{1,3}},[0-9]{{1,2}}(?![0-9,])|{NUMBER})\s?(?:%|％|per cent\b)",
        _percent,
        needs="%％p",
    ),
    rule(
        r"(?<![\w.,])(?P<degrees>[0-9]{1,3})°\s?(?P<minutes>[0-9]{1,2}(?:\.[0-9]{1,6})?)['′]"
        r"(?:\s?(?P<seconds>[0-9]{1,2}(?:\.[0-9]{1,6})?)(?:\"|″|''))?(?:\s?(?P<side>[NSEW])(?!\w))?",
        _position,
        needs="°",
    ),
    rule(
        rf"{SIGN}(?<![\w.,])(?:(?P<first>{NUMBER}){DASH}(?P<last_sign>[-−])?)?(?P<number>{NUMBER})\s?(?:°|º|degrees?\s(?=[CF]\b))(?:\s?(?P<scale>[CFK])\b|\s?(?P<side>[NSEW])(?![\w.]))?",
        _degrees,
        needs="°ºCF",
    ),
    rule(r"(?<![\w.,])(?P<a>[0-9]{1,2})[x×](?P<b>[0-9]{1,2})'?s(?!\w)", _boards, needs="x×"),
    rule(
        rf"(?<![\w.,])(?P<a>{NUMBER})(?P<x1>\s?[xX×]\s?)(?P<b>{NUMBER})"
        rf"(?:(?P<x2>\s?[xX×]\s?)(?P<c>{NUMBER}))?(?![0-9^¹²³⁰⁴-⁹])",
        _size,
        needs="xX×",
    ),
    rule(rf"(?<![\w.,])(?P<a>{NUMBER})['′]\s?[xX×]\s?(?P<b>{NUMBER})['′](?!\w)", _room, needs="xX×"),
    rule(rf"(?<![\w.,]){_FROM}(?P<number>{NUMBER})[xX×](?!\w|\s[+=-])", _fold, needs="xX×"),
    rule(r"(?<![\w./])(?P<high>[0-9]{2,3})/(?P<low>[0-9]{2,3})\s?mm\s?Hg\b", _pressure, needs="H"),
    rule(
        r"(?<![\w./])(?P<cores>[0-9]{1,3})[cC]/(?P<threads>[0-9]{1,3})[tT](?!\w)",
        _cores,
        needs="/",
    ),
    rule(
        r"(?<![\w.,/])(?P<number>[0-9]{1,3})\s?(?P<unit>[dh])/(?P<per>wk|yr)(?!\w)",
        _service,
        needs="/",
    ),
    rule(
        r"(?<![\w.,])(?:[0-9]{1,3}\s?d\s?)?[0-9]{1,3}\s?h\s?[0-9]{1,2}\s?m(?:ins?)?(?:\s?[0-9]{1,2}\s?s)?(?!\w)"
        r"|(?<![\w.,])[0-9]{1,3}\s?m\s?[0-9]{1,2}\s?s(?!\w)|(?<![\w.,])[0-9]{1,3}d\s?[0-9]{1,2}h(?!\w)",
        _duration,
        needs="hd" + "m",
    ),
    rule(
        rf"(?<=[=≈] )(?P<number>{NUMBER}) ?K(?!\w)"
        rf"|\b(?:[Aa]t|[Bb]elow|[Aa]bove|temperatures?(?:\s(?:of|is|was))?) (?P<number2>{NUMBER}) K(?!\w)",
        _kelvin,
        needs="K",
    ),
    rule(
        rf"(?<![\w.,])(?P<number>{NUMBER})[ -]?A"
        r"(?=\s(?:fuse|breaker|circuit|charger|current|plug|socket|supply|outlet)s?\b)",
        _amperes,
        needs="A",
    ),
    rule(rf"(?<=[0-9])\s?V(?:\s?[AD]C)?[,/]?\s?(?P<number>{NUMBER})\s?A(?!\w)", _current, needs="A"),
    rule(
        rf"{SIGN}(?<![\w.,^])(?<![0-9]/)(?:(?P<first>[0-9]{{1,2}}/[0-9]{{1,2}}|{NUMBER}){DASH})?"
        rf"(?P<number>{_AMOUNT})(?P<joint>[ -]?)(?P<unit>{WRITTEN_UNIT})"
        r"(?P<exponent>[²³]|\^[23])?"
        rf"(?:/(?P<per>{WRITTEN_UNIT})(?P<per_exponent>[²³]|\^[23])?)?(?!\w|'\w)(?P<stop>\.(?=\s[a-z]))?",
        _quantity,
    ),
    rule(
        rf"(?<![\w.,])(?P<number>{NUMBER})[ -]?(?P<kind>sq|cu)\.?\s?"
        r"(?P<unit>ft|m|km|mi|in|yd|yards|miles|cm)\b\.?(?=\W|\Z)",
        _area,
    ),
    rule(
        r"(?<![\w.,])(?P<feet>[0-9]{1,2})['′]\s?(?P<inches>[0-9]{1,2}(?:\.[0-9])?)(?:\"|″|''|(?!\w))", _feet, needs="'′"
    ),
    rule(
        r"(?<![\w.,])(?P<number>[0-9]{1,2})['′](?=[.,;)]|\s?\Z|\s(?:tall|wide|long|deep|high)\b)",
        _feet_alone,
        needs="'′",
    ),
    rule(rf"(?<![\w.,]){_FROM}(?P<number>{_AMOUNT})(?P<joint>-?)in(?!\w|-)", _inches),
    rule(
        rf"(?<![\w.,]){_FROM}(?P<number>{_AMOUNT})(?P<joint>\s)in(?=\.\s[a-z]|\.?(?:[,;)]|\s?\Z|\sof\s(?:snow|rain|water|ice)\b|\s(?:tall|wide|long|deep|high|thick)\b))",
        _inches,
    ),
    rule(rf"(?<![\w.,]){_FROM}(?P<number>{_AMOUNT})(?P<joint>)(?:\"|″)", _quoted_inches, needs='"″'),
)
RATES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<=\ue000)/(?=(?:day|week|month|year|hour|minute|second|night|person|mile|gallon|serving|game|student|user|capita)\b)",
        " per ",
        needs="/",
    ),
    rule(r"(?<=\ue000)\sx\s(?=\ue000)", " by ", needs="x"),
    rule(rf"(?<=\ue000) (?P<unit>{WRITTEN_UNIT})/(?P<per>{WRITTEN_UNIT})(?P<per_exponent>[²³]|\^[23])?(?!\w)", _rate),
    rule(
        r"(?<=\ue000) (?P<unit>km|m|cm|mm|nm|kg|g|mg|s|ms|Hz|kHz|MHz|GHz|J|N|Pa|V|W|kW|mol|mmHg|mm Hg)"
        r"(?P<exponent>[²³])?(?![\w']|\.\s?[A-Z])",
        _loose,
    ),
)
"""A rate after a number that another rule has claimed: 3×10^8 m/s."""
