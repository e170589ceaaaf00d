"""Dates, years, decades, times of day."""

import re
from collections.abc import Sequence
from typing import Final

from firstword.text.edits import Edit
from firstword.text.normalize.english.rule import DASH, Rule, after, before, part, rule
from firstword.text.normalize.english.words import Words
from firstword.text.wordlist import listed, table

__all__ = ["NAMES", "RULES", "YEARS"]

_MONTHS: Final = listed("January February March April May June July August September October November December")
_SHORT: Final = table("""
    Jan: January
    Feb: February
    Mar: March
    Apr: April
    Jun: June
    Jul: July
    Aug: August
    Sep Sept: September
    Oct: October
    Nov: November
    Dec: December
    Mon: Monday
    Tue Tues: Tuesday
    Wed Weds: Wednesday
    Thu Thur Thurs: Thursday
    Fri: Friday
    Sat: Saturday
    Sun: Sunday
""")
_MONTH: Final = rf"(?P<month>(?:{'|'.join(_MONTHS)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b)\.?)"
_YEAR: Final = r"(?P<year>[12][0-9]{3})(?![\w]|[.,-][0-9])"
_DAY: Final = r"(?P<day>[12][0-9]|3[01]|0?[1-9])"
_TH: Final = r"(?:st|nd|rd|th)"
_CUE: Final = re.compile(
    r"(?:\b(?:in|since|by|from|until|till|during|before|after|of|to|and|or|circa|c\.|year|summer|winter|spring|autumn|fall|"
    r"early|late|mid|around|the|FY|class of|copyright|©|through|between|Q[1-4]|H[12]|\()[ -]?)\Z",
    re.IGNORECASE,
)
_DATE_CUE: Final = re.compile(
    r"\b(?:(?:on|by|due|weeks?\sof|expires|expiring|starts|starting|begins|ends|ending|opens|closes|launches|arrives|until|till|since|before|after|dated?:?)|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?|(?:Mon|Tues?|Weds?|Thu(?:rs)?|Fri|Sat|Sun)\.?,?"
    r"|(?:appointment|meeting|deadline|birthday|date|wedding|party|interview)\sis"
    r"|(?:of|on|by)\s[0-3]?[0-9]/[0-3]?[0-9],?\s(?:and|or|to|through|until))\s\Z",
    re.IGNORECASE,
)
_CARD_CUE: Final = re.compile(r"\b(?:[Ee]xp\.?|[Ee]xpiry|EXP|[Tt]hru)(?:\sdate)?:?\s\Z")
"""Of a card: exp 08/27."""
_SHRINKS: Final = re.compile(
    r"\b(?:cut|reduc|increas|lower|rais|short|shrink|shr[au]nk|grow|gr[eo]w|drop|fall|fell|r[io]se|decreas|divid|multipl|"
    r"scal|chang)\w*\s(?:\w+\s){0,3}by\s\Z",
    re.IGNORECASE,
)
"""Cut it by 1/10."""
_AGE_CUE: Final = re.compile(
    r"\b(?:the|his|her|their|my|your|our|early|late|mid|low|high|upper|lower|roaring|swinging)[ -]\Z"
    r"|\bthe\s(?!first|last|next|full|whole|entire|initial|final|remaining|same|usual|extra)[a-z]{3,12}\s\Z",
    re.IGNORECASE,
)
_DECADE_CUE: Final = re.compile(r"(?:[2-9]0'?s|\ue000)\s(?:and|&|or|to)\s\Z|\ue000\Z")
_COUNT_CUE: Final = re.compile(
    r"\b(?:about|over|nearly|almost|than|exactly|only|another|all|some|roughly|up to)\s\Z", re.I
)
_COUNTED: Final = re.compile(
    r"\s(?:(?!was\b|is\b|as\b|has\b|its\b|this\b|various\b|series\b|news\b|Olympics\b|elections?\b|always\b|does\b|less\b|us\b)"
    r"[a-z]{2,20}s|people|men|women|children|feet|dollars|percent|per cent|million|sq|more|hundred|kWh)\b"
)


def _iso(match: re.Match[str], words: Words) -> str | None:
    month, day = int(match["month"]), int(match["day"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    said = _date(month, match["day"], match["year"], words)
    if match["hour"]:
        said += f" at {_clock(match['hour'], match['minute'], words)}"
        if seconds := (match["second"] or "").strip("0"):
            said += f" and {words.cardinal(match['second'].lstrip('0'))} second{'s' if seconds != '1' else ''}"
        said += " UTC" if match["zone"] == "Z" else ""
    return said


def _date(month: int, day: str, year: str, words: Words) -> str:
    ordinal = words.ordinal(day.lstrip("0"))
    said = f"the {ordinal} of {_MONTHS[month - 1]}" if words.british else f"{_MONTHS[month - 1]} {ordinal}"
    return f"{said}, {words.year(year)}" if year else said


def _slashed(match: re.Match[str], words: Words) -> str | None:
    first, second, year = match["first"], match["second"], match["year"]
    day_first = words.british or match["divider"] == "." or int(first) > 12
    day, month = (first, second) if day_first and int(second) <= 12 else (second, first)
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    if len(year) == 2:
        year = ("20" if int(year) < 50 else "19") + year
    return _date(int(month), day, year, words)


def _short_slashed(match: re.Match[str], words: Words) -> str | None:
    """12/25 where the words before it say that it is a date."""
    if _CARD_CUE.search(before(match)) and int(match["first"]) <= 12:
        return f"{_MONTHS[int(match['first']) - 1]} {words.year('20' + match['second'])}"
    led = "0" in (match["first"][0], match["second"][0])  # no fraction is written 03/08
    if not (led or _DATE_CUE.search(before(match))) or _SHRINKS.search(before(match, 60)):
        return None
    first, second = int(match["first"]), int(match["second"])
    day, month = (first, second) if (words.british or first > 12) and second <= 12 else (second, first)
    return _date(month, str(day), "", words) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _month_edits(match: re.Match[str]) -> list[Edit]:
    written = match["month"]
    full = _SHORT.get(written.rstrip("."))
    return [part(match, "month", full)] if full else []


def _month_first(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """March 9, 2027; Mar. 3-5."""
    edits = _month_edits(match)
    the = "the " if words.british else ""
    edits.append(Edit(match.start("day"), match.end("day_end"), the + words.ordinal(match["day"].lstrip("0"))))
    if match["last"]:
        edits.append(Edit(match.start("dash"), match.end("dash"), " to "))
        edits.append(Edit(match.start("last"), match.end("last_end"), the + words.ordinal(match["last"])))
    if match["year"]:
        edits.append(part(match, "year", words.year(match["year"])))
    return edits


def _day_first(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """9 March 2027, the 9th of March."""
    day = words.ordinal(match["day"].lstrip("0"))
    the = "" if match["th"] or re.search(r"\b(?:the|this|every)\s\Z", before(match), re.I) else "the "
    edits = [Edit(match.start("day"), match.end("th") if match["th"] else match.end("day"), the + day)]
    if not match["of"]:
        edits.append(Edit(match.start("month"), match.start("month"), "of "))
    edits += _month_edits(match)
    if match["year"]:
        edits.append(part(match, "year", words.year(match["year"])))
    return edits


def _month_year(match: re.Match[str], words: Words) -> Sequence[Edit]:
    dash = [part(match, "dash", " ")] if match["dash"] else []
    return [*_month_edits(match), *dash, part(match, "year", words.year(match["year"]))]


def _short_name(match: re.Match[str], _words: Words) -> Sequence[Edit]:
    return [Edit(match.start(), match.end(), _SHORT[match[0].rstrip(".")])]


def _short_names(match: re.Match[str], _words: Words) -> Sequence[Edit]:
    """Mon-Fri, Jan–Mar."""
    dash = Edit(match.end("first"), match.start("last"), " to ")
    return [part(match, "first", _full(match["first"])), dash, part(match, "last", _full(match["last"]))]


def _several_days(match: re.Match[str], _words: Words) -> str:
    """Mon/Wed/Fri."""
    return ", ".join(_SHORT[name] for name in match[0].split("/"))


def _full(name: str) -> str:
    return _SHORT.get(name.rstrip("."), name.rstrip("."))


def _year_month(match: re.Match[str], words: Words) -> str | None:
    """2027-03, but not the season 2008-09."""
    if match["year"][2:] == f"{int(match['month']) - 1:02}":
        return None
    return f"{_MONTHS[int(match['month']) - 1]} {words.year(match['year'])}"


def _decade(match: re.Match[str], words: Words) -> str:
    return words.plural(words.year(match["decade"]) if len(match["decade"]) == 4 else words.cardinal(match["decade"]))


def _age(match: re.Match[str], words: Words) -> str | None:
    """20s that are no seconds: in his 20s, the mid-80s."""
    return _decade(match, words) if _AGE_CUE.search(before(match)) or _DECADE_CUE.search(before(match)) else None


def _short_year(match: re.Match[str], words: Words) -> str:
    return words.pair(match["year"])


def _years(match: re.Match[str], words: Words) -> str:
    last = match["last"]
    return f"{words.year(match['first'])} to {words.year(last) if len(last) == 4 else words.pair(last)}"


def _era(match: re.Match[str], words: Words) -> Sequence[Edit]:
    return [part(match, "year", words.year(match["year"]))]


def _fiscal(match: re.Match[str], words: Words) -> Sequence[Edit]:
    year = match["year"]
    said = words.year(year) if len(year) == 4 else words.cardinal(year)
    return [part(match, "year", f" {said}")]


def _quarter(match: re.Match[str], words: Words) -> Sequence[Edit]:
    edits = [part(match, "quarter", f" {words.cardinal(match['quarter'])}")]
    return [*edits, *([part(match, "year", words.year(match["year"]))] if match["year"] else [])]


def _bare_year(match: re.Match[str], words: Words) -> str | None:
    """A four-digit number that is a year unless something is counted."""
    if match["year"].startswith("10") and not _CUE.search(before(match)):
        return None
    if _COUNT_CUE.search(before(match)) or (_COUNTED.match(after(match, 40)) and not _CUE.search(before(match))):
        return None
    return words.year(match["year"])


def _clock(hour: str, minute: str, words: Words) -> str:
    hours = int(hour)
    if minute == "00":
        if hours == 0:
            return "midnight"
        return f"{words.cardinal(str(hours))} o'clock" if hours <= 12 else f"{words.cardinal(str(hours))} hundred"
    return f"{words.cardinal(str(hours))} {words.pair(minute)}"


def _half_day(written: str) -> str:
    return written if "." in written else written.upper()


def _time(match: re.Match[str], words: Words) -> Sequence[Edit] | None:
    hour, minute, half = match["hour"], match["minute"], match["half"]
    if int(hour) > 24 or re.search(r"\b(?:ratio|odds|scale|aspect|mix|score)\s(?:of\s|is\s)?\Z", before(match)):
        return None
    said = words.cardinal(str(int(hour))) if half and minute == "00" else _clock(hour, minute, words)
    if match["second"]:
        said += f" and {words.number(re.sub('^0', '', match['second']))} seconds"
    edits = [Edit(match.start("hour"), match.end("second") if match["second"] else match.end("minute"), said)]
    return [*edits, *_half_edit(match)]


def _half_edit(match: re.Match[str]) -> list[Edit]:
    if not match["half"]:
        return []
    space = "" if match.string[match.start("half") - 1] == " " else " "
    return [part(match, "half", space + _half_day(match["half"]))]


def _hour(match: re.Match[str], words: Words) -> Sequence[Edit]:
    return [part(match, "hour", words.cardinal(match["hour"])), *_half_edit(match)]


def _hours(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """The first hour of "9-11 a.m."."""
    said = words.cardinal(match["hour"])
    return [Edit(match.start("hour"), match.end("dash"), f"{said} to ")]


_HALF: Final = r"(?P<half>[aA]\.[mM]\.|[pP]\.[mM]\.|[aApP][mM]\b)"
_AMPM: Final = r"(?:[aA]\.?[mM]\b|[pP]\.?[mM]\b)"


def _plenty(match: re.Match[str], _words: Words) -> str:
    """100s of users, 10,000s of them."""
    zeros = match["round"].count("0")
    many = {1: "tens", 2: "hundreds", 3: "thousands", 4: "tens of thousands", 5: "hundreds of thousands"}
    return many.get(zeros, "millions")


def _military(match: re.Match[str], words: Words) -> str | None:
    """0800 hrs, at 1600 hours."""
    hour, minute = match["hour"], match["minute"]
    if hour[0] != "0" and not re.search(r"\b(?:at|by|until|till|from|around|before|after|to)\s\Z", before(match)):
        return None
    said = f"zero {words.cardinal(hour[1])}" if hour[0] == "0" and hour != "00" else words.cardinal(str(int(hour)))
    return f"{said} {words.pair(minute)} hours"


def _season(match: re.Match[str], words: Words) -> str | None:
    """2021/22, if it is one year and the next."""
    if int(match["year"][2:]) + 1 != int(match["next"]):
        return None
    return f"{words.year(match['year'])} {words.pair(match['next'])}"


_DAY_NAMES: Final = "Mon|Tues?|Weds?|Thur?s?|Fri|Sat|Sun"
_MONTH_NAMES: Final = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<![\w-])(?P<year>[12][0-9]{3})[-/](?P<month>[01][0-9])[-/](?P<day>[0-3][0-9])"
        r"(?:[T ](?P<hour>[0-2]?[0-9]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9])(?:\.[0-9]{1,9})?)?\s?"
        r"(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?(?![\w-])",
        _iso,
        needs="-/",
    ),
    rule(
        r"(?<![\w./-])(?P<first>[0-3]?[0-9])(?P<divider>[/.-])(?P<second>[0-3]?[0-9])(?P=divider)"
        r"(?P<year>[12][0-9]{3}|[0-9]{2}(?<=/[0-9]{2}))(?![\w/-]|\.[0-9])",
        _slashed,
        needs="/.-",
    ),
    rule(r"(?<![\w.,/])(?P<first>[0-3]?[0-9])/(?P<second>[0-3]?[0-9])(?![\w/]|\.[0-9])", _short_slashed, needs="/"),
    rule(
        rf"\b(?P<first>{_MONTH_NAMES}|{'|'.join(_MONTHS)})\.?{DASH}(?={_MONTH}(?:,?\s[12][0-9]{{3}})?(?![\w-]))",
        lambda match, _words: f"{_full(match['first'])} to ",
        needs="-–—",
    ),
    rule(
        rf"\b(?P<name>{_DAY_NAMES})\.?(?=,?\s(?:{_DAY}{_TH}?[ -])?{_MONTH})(?!\s?(?:may|mar)\b)",
        _short_name,
    ),
    rule(
        rf"\b{_MONTH}\s{_DAY}(?P<day_end>{_TH}?)(?:(?P<dash>{DASH})(?P<last>[12][0-9]|3[01]|[1-9])(?P<last_end>{_TH}?)(?!\w))?"
        rf"(?:(?:,\s?|\s){_YEAR})?(?![\w:]|[.,][0-9])",
        _month_first,
    ),
    rule(rf"(?<![\w.,-]){_DAY}(?P<th>{_TH})?(?P<of>\sof)?[ -]{_MONTH}(?!\w)(?:,?[ -]{_YEAR})?", _day_first),
    rule(rf"\b{_MONTH}(?:(?:\sof)?,?\s|(?P<dash>-)){_YEAR}", _month_year),
    rule(rf"(?<=\ue000)\s?[-–—]\s?(?=(?:{'|'.join([*_MONTHS, *_SHORT])})\b)", " to "),
    rule(r"(?<![\w-])(?P<year>(?:19|20)[0-9]{2})-(?P<month>0[1-9])(?![\w-])", _year_month, needs="-"),
    rule(r"(?<![\w.,])(?P<round>10{1,5}|10{1,3},0{3})s(?=\sof\b)", _plenty, needs="s"),
    rule(
        r"(?<![\w.,:-])(?P<hour>[01][0-9]|2[0-4])(?P<minute>00|[0-5][0-9])\s?(?:hours|hrs)\b(?!\sof\b)",
        _military,
        needs="h",
    ),
    rule(r"(?<!\w)'?(?P<decade>(?:1[0-9]|20)[0-9]0)'?s\b", _decade, needs="s"),
    rule(r"(?<!\w)'00'?s\b", "two thousands", needs="s"),
    rule(r"(?:(?<!\w)'(?P<decade>[2-9]0)'?s\b)", _decade, needs="s"),
    rule(r"(?<=\ue000)\s?[-–]\s?(?=[2-9]0'?s\b)", " to ", needs="s"),
    rule(r"(?<![\w.,])(?P<decade>[2-9]0)'?s\b", _age, needs="s"),
    rule(r"(?<!\w)'(?P<year>[0-9]{2})(?![\w'])", _short_year, needs="'"),
    rule(r"(?<![\w.,])(?P<year>[0-9]{3,4})(?=\s?(?:B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.?E\.?)\b)", _era),
    rule(r"\bA\.?D\.?\s(?P<year>[0-9]{3,4})(?![\w]|[.,][0-9])", _era),
    rule(r"\bFY\s?'?(?P<year>(?:19|20)?[0-9]{2})(?!\w)", _fiscal, needs="Y"),
    rule(r"\b[QH](?P<quarter>[1-4])(?:(?:\s|\sof\s)(?P<year>(?:19|20)[0-9]{2}))?(?!\w)", _quarter, needs="QH"),
    rule(r"(?<![\w.,/-])(?P<year>1[89][0-9]{2}|20[0-9]{2})/(?P<next>[0-9]{2})(?![\w/]|[.,][0-9])", _season, needs="/"),
    rule(
        r"(?<![\w.,:])(?P<hour>[0-2]?[0-9]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9](?:\.[0-9]{1,3})?))?(?:\s?"
        + _HALF
        + r")?(?![\w:]|[.,][0-9])",
        _time,
        needs=":.",
    ),
    rule(r"(?<![\w.,:$€£])(?P<hour>1[0-2]|[1-9])\.(?P<minute>[0-5][0-9])(?P<second>)\s?" + _HALF, _time, needs=":."),
    rule(r"(?<![\w.,:$€£])(?P<hour>1[0-2]|[1-9])\s?" + _HALF, _hour),
    rule(rf"(?<![\w.,:$€£])(?P<hour>1[0-2]|[1-9])(?P<dash>{DASH})(?=\ue000\ue000?\s?\ue000)", _hours),
    rule(
        r"(?<=\ue000)\s?[-–]\s?(?=\ue000|noon\b|midnight\b)|(?:(?<=\bnoon)|(?<=\bmidnight))\s?[-–]\s?(?=\ue000)", " to "
    ),
)

NAMES: Final[tuple[Rule, ...]] = (
    rule(rf"\b(?:{_DAY_NAMES})(?:/(?:{_DAY_NAMES}))+\b", _several_days, needs="/"),
    rule(rf"\b(?P<first>(?:{_DAY_NAMES})\.?)\s?[-–—]\s?(?P<last>{_DAY_NAMES})\b", _short_names),
    rule(
        rf"\b(?P<first>(?:{_MONTH_NAMES}|{'|'.join(_MONTHS)})\.?)\s?[-–—]\s?(?P<last>{_MONTH_NAMES}|{'|'.join(_MONTHS)})\b",
        _short_names,
    ),
    rule(
        rf"\b(?P<name>{_DAY_NAMES})(?:\.(?=,?\s)|(?=,\s(?:[A-Z][a-z]|[0-9\ue000])))"
        rf"|\b(?<=\bon |\bby )(?P<name2>{_DAY_NAMES})\b(?!-|\s[A-Z])",
        _short_name,
    ),
    rule(r"(?:^|(?<=, ))(?P<name>Mon|Tue|Wed|Thu|Fri|Sat)(?=[,:]\s|[.]?$)", _short_name, re.MULTILINE),
    rule(r"(?<=\bto )(?P<name>Mon|Wed|Thu|Fri|Sat|Sun|Jan|Mar|Jun|Jul)(?:\.|\b)(?!-|\s[A-Z])", _short_name),
    rule(r"\b(?P<name>Tues?|Thur?s?|Fri)\b(?!-)", _short_name),
    rule(r"\b(?P<name>Jan)\.(?=\s|[,;)])", _short_name),
    rule(r"\b(?P<name>Feb|Apr|Aug|Sept?|Oct|Nov|Dec)\b(?:\.(?=\s[a-z0-9\ue000]|[,;)])|(?!-))", _short_name),
    rule(r"\b(?<=\bin |\bof |\bby )(?P<name>Jan|Mar|Jun|Jul)\b(?!-|\s[A-Z])", _short_name),
)
"""Names of days and months without a number beside them, once dates have taken theirs."""
YEARS: Final[tuple[Rule, ...]] = (
    rule(r"(?<=[0-9\ue000])\s?[-–—]\s?(?=(?:present|now|today)\b)", " to "),
    rule(
        r"\b(?:in|by|until|since|before|after|year)\s(?P<year>2[1-9][0-9]{2})(?![\w:/%°,]|\.[0-9]|\s?[a-z]{2}|\s[%°])",
        _era,
    ),
    rule(r"\b(?:[Pp]re|[Pp]ost|[Mm]id)-(?P<year>1[0-9]{3}|20[0-9]{2})(?!\w)", _era, needs="-"),
    rule(
        r"(?<![\w.,-])(?P<first>1[0-9]{3}|20[0-9]{2})[-–—](?P<last>1[0-9]{3}|20[0-9]{2}|[0-9]{2})(?![\w-]|[.,][0-9])",
        _years,
        needs="-–—",
    ),
    rule(r"(?<![\w.,/-])(?P<year>1[0-9]{3}|20[0-9]{2})(?![\w:/%°]|[.,][0-9]|\s?[%°])", _bare_year),
)
"""What is a year only if nothing is counted or measured by it: after units and money."""
