"""Fractions, scores, ratios, ranges, ordinals, and at last every number that no other rule has claimed."""

import re
from collections.abc import Sequence
from typing import Final

from firstword.text.edits import Edit
from firstword.text.normalize.english.money import MAGNITUDES
from firstword.text.normalize.english.rule import DASH, NUMBER, SIGN, Rule, after, before, rule, signed
from firstword.text.normalize.english.words import Words, fraction_of
from firstword.text.normalize.fraction_signs import FRACTION_SIGNS, SIGNS

__all__ = ["FRACTIONS", "RULES"]

_POWERS: Final = "^⁰¹²³⁴⁵⁶⁷⁸⁹"
_FAMOUS: Final = {
    "24/7": "twenty-four seven", "9/11": "nine eleven", "50/50": "fifty fifty", "20/20": "twenty twenty",
    "80/20": "eighty twenty",
}  # fmt: skip
_RATED: Final = re.compile(
    r"\b(?:rated?|ratings?|scored?|scores?|gives?|gave|got|gets|say|solid|grade|passed|marks?)"
    r"(?:\s(?:was|is|were|are))?:?\s(?:it\s|of\s|an?\s|about\s|only\s)?\Z",
    re.IGNORECASE,
)
_GAUGES: Final = (
    "HP|MP|XP|AP|[Hh]ealth|[Mm]ana|[Ss]tamina|[Ll]ives|[Ss]hields?|[Aa]mmo|[Pp]rogress|[Ss]core|[Gg]rade|[Qq]uality"
)
_GAUGE: Final = re.compile(rf"\b(?:{_GAUGES})(?:\s(?:is|was|at))?:?\s\Z")
_GAUGED: Final = re.compile(rf"\s(?:{_GAUGES}|tasks|questions|answers|attempts|episodes)\b")
"""What is counted up to its most: HP 20/20, 3/5 tasks."""
_FULL_MARKS: Final = (5, 10, 20, 25, 30, 40, 50, 100)
_METRE: Final = re.compile(r"\s(?:time|time signature|meter|metre|beat|groove)\b")
"""3/4 time."""
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUBSCRIPTS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_MAGNITUDE: Final = (
    r"(?:(?P<gap>[\s-]?)(?P<size>k|K|M|B|bn|mn|T|million|billion|trillion|thousand|hundred)(?![\w]|\.[A-Z]))?"
)
_RACE: Final = re.compile(r"\b(?:an?|my|first|weekly|annual|charity)\s\Z", re.IGNORECASE)
"""A 10K."""
_KEPT_LETTER: Final = re.compile(
    r"\s(?:run|race|video|TV|television|resolution|display|monitor|screen|footage|marathon)s?\b", re.IGNORECASE
)


_LONE_A: Final = re.compile(r"(?<![A-Za-z])A\Z")
"""The letter, which a voice would read as the article before a number of its own."""
_LETTERED: Final = re.compile(
    r"(?:\b|(?=\ue000))(?:at|[Rr]oom|[Ss]eat|[Gg]ate|[Aa]partment|[Aa]pt\.?|[Uu]nit|[Ff]lat|[Ss]uite|[Rr]ow|[Ss]ection|[Cc]lass|[Gg]roup|"
    r"[Ff]igure|[Tt]able|[Tt]ype|[Ee]xhibit|[Hh]all|[Pp]latform|[Bb]lock|[Bb]uilding|[Bb]us|[Pp]art|[Aa]ppendix|\ue000)\s\Z"
)


def _fraction_sign(match: re.Match[str], words: Words) -> str:
    said = fraction_of(words, *FRACTION_SIGNS[match["sign"]])
    if not match["whole"]:
        return said
    said = re.sub(r"^one (?=half|quarter|third)", "a ", said)
    return f"{words.number(match['whole'])} and {said}"


def _mixed(match: re.Match[str], words: Words) -> str | None:
    if int(match["above"]) >= int(match["below"]):
        return None
    said = re.sub(r"^one (?=half|quarter|third)", "a ", fraction_of(words, match["above"], match["below"]))
    return f"{words.cardinal(match['whole'])} and {said}"


def _fraction(match: re.Match[str], words: Words) -> str:
    return signed(match["sign"], _unsigned_fraction(match, words))


def _unsigned_fraction(match: re.Match[str], words: Words) -> str:
    above, below = match["above"], match["below"]
    if _METRE.match(after(match)):
        return f"{words.cardinal(above)} {words.cardinal(below)}"
    if _GAUGE.search(before(match)) or _GAUGED.match(after(match)):
        return f"{words.cardinal(above)} out of {words.cardinal(below)}"
    if match[0] in _FAMOUS:
        return _FAMOUS[match[0]]
    high, low = int(above), int(below)
    if match["th"]:
        return fraction_of(words, above, below)
    rated = (_RATED.search(before(match)) and low in _FULL_MARKS) or re.match(
        r"\s(?:stars|points|correct|tests|users|votes)", after(match)
    )
    if rated or high == low:
        return f"{words.cardinal(above)} out of {words.cardinal(below)}"
    if 0 < high < low and 2 <= low <= 100 and (low <= 20 or low in (32, 64, 100)):
        return fraction_of(words, above, below)
    return f"{words.cardinal(above)} over {words.cardinal(below)}"


def _decimal_mark(match: re.Match[str], words: Words) -> str:
    """4.5/5, 8.7/10, a GPA of 3.9/4.0."""
    return f"{words.number(match['above'])} out of {words.number(match['below'])}"


def _ratio(match: re.Match[str], words: Words) -> str:
    return " to ".join(words.number(number) for number in match[0].replace(" ", "").split(":"))


def _lap(match: re.Match[str], words: Words) -> str:
    """1:23.456, as a stopwatch shows it."""
    seconds, _, parts = match["seconds"].partition(".")
    return f"{words.cardinal(match['minutes'])} {words.pair(seconds)} point {words.digits(parts)}"


def _range(match: re.Match[str], words: Words) -> str:
    size = match["size"]
    if match["first"] == match["last"]:
        return f"{words.number(match['first'])} {words.number(match['last'])}"
    said = f"{words.number(match['first'])} to {words.number(match['last'])}"
    return f"{said} {MAGNITUDES[size]}" if size else said


def _sized_range(match: re.Match[str], words: Words) -> str:
    """50k-100k."""
    ends = ((match["first"], match["first_size"]), (match["last"], match["size"]))
    return " to ".join(f"{words.number(number)} {MAGNITUDES[size]}" for number, size in ends)


def _shares(match: re.Match[str], words: Words) -> str | None:
    """A 60-40 split."""
    if int(match["first"]) + int(match["last"]) != 100:
        return None
    return f"{words.cardinal(match['first'])} {words.cardinal(match['last'])}"


def _ordinal(match: re.Match[str], words: Words) -> str:
    return words.ordinal(match["number"])


def _coefficient(match: re.Match[str], words: Words) -> str:
    """1080p, 2b."""
    return f"{words.pairs(match['number'])} {match['letter']}"


def _power(match: re.Match[str], words: Words) -> str:
    """10^6, 10⁶, 6.02 × 10^23, 1.5e-3."""
    said = signed(match["sign"], words.number(match["base"]))
    power = (match["power"] or match["super"] or "").translate(_SUPERSCRIPTS).strip("{}()")
    if power in ("2", "3"):
        return f"{said} {'squared' if power == '2' else 'cubed'}"
    return (
        f"{said} to the power of {signed(power[:1] if power[:1] in '-−' else None, words.cardinal(power.lstrip('-−')))}"
    )


def _scientific(match: re.Match[str], words: Words) -> str:
    power = signed("-" if match["power_sign"] == "-" else None, words.cardinal(match["power"]))
    return f"{words.number(match['base'])} times ten to the power of {power}"


def _variable_power(match: re.Match[str], words: Words) -> str:
    power = (match["power"] or match["super"]).translate(_SUPERSCRIPTS)
    if power in ("2", "3"):
        return " squared" if power == "2" else " cubed"
    number = power.lstrip("-−")
    said = words.cardinal(number) if number.isdigit() else number
    return f" to the power of {signed('-' if number != power else None, said)}"


def _subscript(match: re.Match[str], words: Words) -> str:
    return f" {words.cardinal(match[0].translate(_SUBSCRIPTS))} "


def _number(match: re.Match[str], words: Words) -> str | Sequence[Edit]:
    size = match["size"]
    if size in ("B", "M", "T") and not match["gap"] and match["number"].isdigit() and _LETTERED.search(before(match)):
        return f"{words.pairs(match['number'])} {size}"
    if size in ("K", "M", "B", "T") and match["gap"] == "-":
        return f"{words.number(match['number'])} {size}"
    if size == "K" and (match["number"] in ("4", "8") or _RACE.search(before(match))):
        return f"{words.number(match['number'])} K"
    if size and (size not in "kK" or not _KEPT_LETTER.match(after(match))):
        said = f"{words.number(match['number'])} {MAGNITUDES[size]}"
    elif size:
        said = f"{words.number(match['number'])} {size.upper()}"
    else:
        said = words.number(match["number"])
    return signed(match["sign"], said)


def _decimal(match: re.Match[str], words: Words) -> str:
    return signed(match["sign"], f"point {words.digits(match['decimals'])}")


def _attached(match: re.Match[str], words: Words) -> str:
    """Digits inside a name: MP3, H2O, COVID-19, 3D."""
    left = "" if match["left"] is None else "-" if _LONE_A.search(before(match, 2)) else " "
    right = " " if match["right"] is not None else ""
    digits = match["digits"]
    return f"{left}{words.cardinal(digits) if len(digits) <= 3 else words.pairs(digits)}{right}"


def _points(match: re.Match[str], words: Words) -> str:
    """+0.5pp."""
    point = "percentage point" if match["number"] == "1" else "percentage points"
    return signed(match["sign"], f"{words.number(match['number'])} {point}")


def _attached_version(match: re.Match[str], words: Words) -> str:
    """Qwen2.5, py3.12."""
    right = " " if match.string[match.end() : match.end() + 1].isalnum() else ""
    return f" {' point '.join(map(words.cardinal, match['version'].split('.')))}{right}"


def _plural_name(match: re.Match[str], words: Words) -> str:
    """MP3s."""
    return f" {words.plural(words.cardinal(match['digit']))}"


def _left_over(match: re.Match[str], words: Words) -> str:
    text, (start, end) = match.string, match.span()
    left = " " if start and text[start - 1].isalnum() else ""
    right = " " if text[end : end + 1].isalnum() else ""
    return f"{left}{words.number(match[0])}{right}"


FRACTIONS: Final[tuple[Rule, ...]] = (
    rule(r"(?<![\w.,/-])(?P<first>[1-9][0-9])/(?P<last>[1-9][0-9])(?![\w/]|[.,][0-9])", _shares, needs="/"),
    rule(rf"(?<![\w.,])(?P<whole>[0-9]{{1,6}}(?:,[0-9]{{3}})?)?\s?(?P<sign>[{SIGNS}])", _fraction_sign),
    rule(
        r"(?<![\w.,/])(?P<whole>[0-9]{1,4})[ -](?P<above>[0-9]{1,2})/(?P<below>[0-9]{1,3})(?![\w/]|[.,][0-9])", _mixed
    ),
    rule(
        r"(?:(?<![\w)\]\ue000])(?P<sign>[-−]))?(?<![\w.,/])(?P<above>[0-9]{1,4})\s?[/⁄]\s?(?P<below>[0-9]{1,4})(?:(?P<th>th|ths|rd|rds|nd)\b|(?![\w/]|[.,][0-9]))",
        _fraction,
    ),
    rule(
        r"(?<![\w.,/:])(?P<above>[0-9]{1,2}\.[0-9]{1,2})\s?/\s?(?P<below>4\.0|5(?:\.0)?|10(?:\.0)?|100)(?![\w/]|[.,][0-9])",
        _decimal_mark,
        needs="/",
    ),
)
RULES: Final[tuple[Rule, ...]] = (
    rule(r"(?<![\w.,:])(?P<minutes>[0-9]{1,2}):(?P<seconds>[0-5][0-9]\.[0-9]{1,3})(?![\w:]|\.[0-9])", _lap, needs=":"),
    rule(
        r"(?<![\w.,:])[0-9]{1,4}(?:\.[0-9]{1,3})?(?:\s:\s|:)(?:[0-9]{1,3}(?:,[0-9]{3})++|[0-9]{1,4}(?:\.[0-9]{1,3})?)(?::[0-9]{1,4})?(?![\w:]|\.[0-9])",
        _ratio,
        needs=":",
    ),
    rule(
        r"(?<![\w.,])(?P<base>[0-9]{1,15}(?:\.[0-9]{1,15})?)[eE](?P<power_sign>[+-]?)(?P<power>[0-9]{1,3})(?!\w)",
        _scientific,
        needs="eE",
    ),
    rule(
        rf"{SIGN}(?<![\w.,])(?P<base>{NUMBER})(?:\^(?P<power>\{{?\(?[-−]?[0-9]{{1,4}}\)?\}}?)|(?P<super>⁻?[⁰¹²³⁴-⁹]{{1,4}}))",
        _power,
        needs=_POWERS,
    ),
    rule(
        r"(?<=[0-9A-Za-z)\ue000])(?:\^(?P<power>[-−]?[0-9]{1,4}|[a-zA-Z])|(?P<super>⁻?[⁰¹²³⁴-⁹]{1,4}))(?![0-9A-Za-z])",
        _variable_power,
        needs=_POWERS,
    ),
    rule(r"(?<![\w.,])(?P<number>[0-9]{1,4})(?P<letter>[a-jn-wyz])(?![\w'])", _coefficient),
    rule(r"[₀-₉]{1,6}", _subscript, needs="₀₁₂₃₄₅₆₇₈₉"),
    rule(
        rf"(?<![\w.,-])(?P<first>{NUMBER})(?P<first_size>k|K|M|B|bn|mn|T){DASH}(?P<last>{NUMBER})(?P<size>k|K|M|B|bn|mn|T)(?!\w)",
        _sized_range,
        needs="-–—",
    ),
    rule(
        r"(?<![\w.,-])(?P<first>[0-9]{2})[-–](?P<last>[0-9]{2})(?=\s(?:split|chance|odds|mix|share|custody|deal|rule|partnership)\b)",
        _shares,
        needs="-–",
    ),
    rule(r"(?<=[A-Za-z])(?<!\bA)-(?=[0-9])", " "),
    rule(rf"(?<![\w.,-])(?P<first>{NUMBER}){DASH}(?P<last>{NUMBER}){_MAGNITUDE}(?![\w-])", _range, needs="-–—"),
    rule(r"(?<=\ue000)[-–](?=[0-9])|(?<=\ue000)\s?–\s?(?=\ue000)|(?<=\ue000)-(?=\ue000)", " to ", needs="-–"),
    rule(rf"{SIGN}(?<![\w.,])(?P<number>{NUMBER})(?:pp|(?<=\b(?:[Uu]p|by|of) [0-9]) pp)(?!\w)", _points, needs="p"),
    rule(r"(?<![\w.,])(?P<number>[0-9]{1,3}(?:,[0-9]{3})++|[0-9]{1,12})(?:st|nd|rd|th)\b", _ordinal, needs="tdh"),
    rule(rf"{SIGN}(?<![\w.,])(?P<number>{NUMBER}){_MAGNITUDE}(?![\w])", _number),
    rule(rf"{SIGN}(?<![\w.])\.(?P<decimals>[0-9]{{1,60}})(?![\w.])", _decimal, needs="."),
    rule(
        r"(?<![\w.,])(?P<number>[0-9]{1,15}\.[0-9]{1,15})(?=[A-Za-z])",
        lambda match, words: f"{words.number(match[0])} ",
    ),
    rule(r"(?<=[A-Z])(?P<digit>[1-9])s(?!\w)", _plural_name, needs="s"),
    rule(r"(?<=[A-Za-z])(?P<version>[0-9]{1,2}\.[0-9]{1,2})(?![0-9]|\.[0-9])", _attached_version, needs="."),
    rule(r"(?P<left>(?<=[A-Za-z])-?)?(?<![0-9])(?P<digits>[0-9]{1,4})(?P<right>(?=[A-Za-z]))?(?![0-9])", _attached),
    rule(NUMBER, _left_over),
)
