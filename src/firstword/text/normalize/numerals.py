"""Numbers, dates, times, money and percentages of the other languages, through num2words.

Chinese counts in `chinese`; a number of a language that the library does not know (Hindi) stays in digits, which its
phonemizer reads. The library is imported when the first number comes, and without it numbers stay as they are.
"""

import re
from functools import lru_cache
from typing import Final

from firstword.text.edits import Claims, Edit
from firstword.text.normalize import chinese
from firstword.text.normalize.fraction_signs import SIGNS
from firstword.text.normalize.measures import claim_measures, claim_names, claim_signs, joint_of
from firstword.text.normalize.number_forms import LANGUAGES, NumberForms

__all__ = ["LANGUAGES", "normalize"]


_LONGEST: Final = 15
_SPACELESS: Final = frozenset(("ja", "ko", "zh"))
_ISO: Final = re.compile(r"(?<![0-9A-Za-z_-])(?P<y>[12][0-9]{3})-(?P<m>[01][0-9])-(?P<d>[0-3][0-9])(?![0-9A-Za-z_-])")
_DAY_FIRST: Final = re.compile(r"(?<![\w.,/])(?P<d>[0-3]?[0-9])([/.])(?P<m>[01]?[0-9])\2(?P<y>[12][0-9]{3})(?![\w/])")
_TIME: Final = re.compile(
    r"(?<![0-9A-Za-z_.,:])(?P<h>[01]?[0-9]|2[0-4])(?::|(?<=[0-9])[hH](?=[0-9]))(?P<n>[0-5][0-9])(?![0-9A-Za-z_:])"
)
_DOTTED_TIME: Final = {
    "de": re.compile(r"(?<![0-9A-Za-z_.,:])(?P<h>[01]?[0-9]|2[0-4])\.(?P<n>[0-5][0-9])(?=\sUhr\b)"),
    "it": re.compile(r"(?<=lle )(?P<h>[01]?[0-9]|2[0-4])\.(?P<n>[0-5][0-9])(?![0-9])"),
}
"""14.30 Uhr, alle 14.30."""
_HOURS: Final = re.compile(r"(?<![0-9A-Za-z_.,:])(?P<h>[01]?[0-9]|2[0-4]):00\s?h(?:s|oras)?(?!\w)")
_FRENCH_FIRST: Final = re.compile(r"(?<=\s)Ier(?!\w)")
_LETTER: Final = re.compile("[A-Za-z]")
_NOUN: Final = re.compile(r"\s[^\W\d]{2}")
_DATIVE: Final = re.compile(r"\b(?:am|vom|zum|dem|den|beim|bis|ab|seit)\s\Z", re.IGNORECASE)
_FRENCH_ORDINAL: Final = re.compile(r"(?<![\w.,])(?P<n>[0-9]{1,4})(?P<mark>er|re|ère|e|ème|nde?)(?!\w)")
_ORDINAL: Final = re.compile(r"(?<![\w.,])(?P<n>[0-9]{1,4})\.?(?P<mark>[ºª])(?!\w)")
_GERMAN_DAY: Final = re.compile(
    r"(?<![\w.,])(?P<d>[12][0-9]|3[01]|[1-9])\.(?=\s(?:Januar|Februar|März|April|Mai|Ju[nl]i|August|September|Oktober|"
    r"November|Dezember)(?:\s(?P<y>[12][0-9]{3})\b)?)"
)
_GERMAN_STREET: Final = re.compile(r"(?<=[a-zäöüß])str\.(?=\s[0-9])")
_GERMAN_POSTCODE: Final = re.compile(r"(?<=, )[0-9]{5}(?=\s[A-ZÄÖÜ][a-zäöüß])")
_GERMAN_SHORT: Final = re.compile(r"(?<![\w.,])(?P<d>[12][0-9]|3[01]|0?[1-9])\.(?P<m>1[0-2]|0?[1-9])\.(?!\s?\w*[0-9])")
_GERMAN_NOMINATIVE: Final = re.compile(r"\b[Dd](?:er|ie|as)\s\Z")
_HOUR_NAMED: Final = {
    "de": re.compile(r"(?<=\ue000)\sUhr\b"),
    "hi": re.compile(r"(?<=\ue000)\s(?:बजे|बजकर)(?!\w)"),
}
"""The word behind a time, which the words of the time hold."""
_GERMAN_ORDINAL: Final = re.compile(
    r"(?P<before>\b(?:[Dd](?:er|ie|as|em|en|es)|[Aa]m|[Ii]m|[Vv]om|[Zz]um|[Zz]ur|[Bb]eim|[Ee]in(?:e[rmn]?)?|[Mm]ein|[Ss]ein|[Ii]hr)\s)"
    r"(?P<d>[1-9][0-9]{0,2})\.(?=\s[A-ZÄÖÜ][a-zäöüß]+)"
)
_GERMAN_CASE: Final = re.compile(
    r"\b(?:[IiAa]n|[Aa]uf|[Aa]us|[Bb]ei|[Mm]it|[Nn]ach|[Ss]eit|[Vv]on|[Zz]u|[Ww]ährend|[Ww]egen)\s\Z"
)
_SCORE: Final = re.compile(r"(?<![\w.,:])(?P<a>[0-9]{1,3}):(?P<b>[0-9]{1,3})(?![0-9A-Za-z:])")
_TELEPHONE: Final = re.compile(
    r"(?<![0-9A-Za-z.,+/-])(?:\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{1,5}\)?){2,6}"
    r"|\(?0[0-9]{1,4}\)?[ /-][0-9]{2,9}(?:[ -][0-9]{2,6}){0,3}"
    r"|\([0-9]{2,3}\)\s?[0-9]{3,5}-[0-9]{4}"
    r"|[0-9]{3}-(?:[0-9]{3}-)?[0-9]{4}"
    r"|(?<=\bal )[0-9]{2,3}(?: [0-9]{2,3}){2,4})(?![0-9A-Za-z/-]|[.,:][0-9])"
)
_PLUS: Final = {"es": "más", "it": "più", "pt_BR": "mais", "ja": "プラス", "ko": "플러스", "zh": "加", "hi": "प्लस"}
_ONE_NAMED: Final = re.compile(
    r"(?:\b(?:el|del|al|la|los|il|dal|nel|di|de|tipo|opción|paso|parte|nivel|día|punto|fase|número|numero|no)|\ue000)\s\Z",
    re.I,
)
_ONE_OF: Final = re.compile(
    r"\s(?!(?:de|del|di|y|o|e|u|es|era|fue|en|a|al|in|con|por|para|per|que|che|se|si|su|tiene|ha|son|sono|más|più|llega)\b)"
    r"[a-záéíóúñ]{3,20}\b"
)
"""What may be counted by one."""
_AGAINST: Final = {"de": "zu", "es": "a", "fr": "à", "it": "a", "pt": "a", "ja": "対", "zh": "比", "ko": "대"}
_APOCOPATED: Final = re.compile(r"(?<![\w.,])(?P<n>[13])\.?er(?=\s)")
_ITALIAN_FIRST: Final = re.compile(
    r"(?<![\w.,])(?P<n>[0-9]{1,3})(?P<mark>°)(?=\s(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|"
    r"novembre|dicembre|piano|posto|secolo|anno|capitolo|tempo|classificato|articolo|comma|giorno|turno)\b)"
)
_GERMAN_YEAR: Final = re.compile(r"1[1-9][0-9]{2}")
_LABELLED: Final = re.compile(
    r"(?:\ue000|\b(?:[Nn][úu]mero|[Cc]ap[íi]tulo|[Pp]ágina|[Aa]rt[íi][cg]u?lo|[Aa]rtigo|[Ll]inha|[Ll]ínea))\s\Z"
)
"""Behind these a number is a name, and agrees with nothing: el número 200 llega."""
_FEMININE: Final = re.compile(
    r"\s(?!d[ií]as?\b|problemas?\b|sistemas?\b|programas?\b|mapas?\b|temas?\b|idiomas?\b|planetas?\b|gramas\b|poemas?\b|"
    r"climas?\b|a\b|la\b|para\b|más\b|mas\b|cada\b|hora\s)[a-záéíóúâêôãõçñ]{2,20}(?:as?|ções|ciones|dades|ción|ção|dad|dade)\b"
)


@lru_cache(maxsize=8)
def _number_pattern(language: str) -> str:
    point, group = (re.escape(","), r"[. \u202f']") if LANGUAGES[language].decimal == "," else (re.escape("."), ",")
    size = "{2,3}" if language == "hi" else "{3}"  # 1,00,000 is a lakh
    other = r"|\.[0-9]{1,2}(?![0-9]|\.[0-9])" if LANGUAGES[language].decimal == "," else ""  # $3.50
    return rf"(?P<n>(?:[0-9]{{1,3}}(?:{group}[0-9]{size})++(?![0-9])|[0-9]++)(?:{point}[0-9]++{other})?+)"


@lru_cache(maxsize=8)
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Money before and after its sign, percentages, bare numbers."""
    this = LANGUAGES[language]
    number = _number_pattern(language)
    signs = "|".join(re.escape(sign) for sign in sorted(this.currencies, key=len, reverse=True))
    spaced = language not in _SPACELESS
    start = r"(?:(?<![\w)])(?P<sign>[-−])\s?)?(?<![\w.,])" if spaced else r"(?:(?<![0-9)])(?P<sign>[-−]))?(?<![0-9.,])"
    return (
        re.compile(rf"{start}(?P<currency>{signs})\s?{number}"),
        re.compile(rf"{start}{number}\s?(?P<currency>{signs})"),
        re.compile(rf"{start}{number}\s?[%％]"),
        re.compile(rf"{start}{number}"),
    )


@lru_cache(maxsize=8)
def _spans_of_money(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    signs = "|".join(re.escape(sign) for sign in sorted(LANGUAGES[language].currencies, key=len, reverse=True))
    number = _number_pattern(language)
    first = number.replace("?P<n>", "?P<first>")
    start = r"(?P<sign>(?!))?" + (r"(?<![\w.,-])" if language not in _SPACELESS else r"(?<![0-9.,-])")
    return (
        re.compile(rf"{start}(?P<currency>{signs})\s?{first}\s?[-–]\s?(?:(?P=currency)\s?)?{number}(?![\w-])"),
        re.compile(rf"{start}{first}\s?[-–]\s?{number}\s?(?P<currency>{signs})"),
    )


@lru_cache(maxsize=4096)
def _library(digits: str, code: str, to: str) -> str:
    if code == "zh":
        return chinese.year(digits) if to == "year" else chinese.cardinal(digits)
    try:
        from num2words import num2words
    except ImportError:
        return digits
    try:
        said = str(num2words(int(digits), lang=code, to=to)).replace(",", "")
        return said.replace("dicotto", "diciotto") if code == "it" else said  # 918 is misspelt by num2words 0.5
    except (RuntimeError, OverflowError, ValueError):
        return digits


class _Speaker:
    def __init__(self, language: NumberForms) -> None:
        self.language = language
        self.gap = "" if language.code in ("ja", "zh") else " "
        self.minus = language.minus

    def cardinal(self, digits: str) -> str:
        if len(digits) > _LONGEST or (len(digits) > 1 and digits[0] == "0"):
            return " ".join(_library(digit, self.language.code, "cardinal") for digit in digits[:60])
        return _library(digits, self.language.code, "cardinal")

    def split(self, written: str) -> tuple[str, str]:
        """Digits before and after the decimal mark."""
        if self.language.decimal == "," and re.fullmatch(r"[0-9]+\.[0-9]{1,2}", written):
            written = written.replace(".", ",")
        whole, _, decimals = written.partition(self.language.decimal)
        return re.sub(r"[^0-9]", "", whole), decimals

    def number(self, match: re.Match[str]) -> str:
        whole, decimals = self.split(match["n"])
        if (
            self.language.code == "zh"
            and len(whole) > 2
            and _LETTER.match(match.string[match.start() - 1 : match.start()])
        ):
            return (
                "".join(_library(digit, "zh", "cardinal") for digit in whole) if not decimals else self.said(match["n"])
            )
        if self.language.code == "zh" and not decimals:
            return self.signed(match, chinese.before(whole, match.string[match.end() : match.end() + 1]))
        if self.language.code == "de" and not decimals and _GERMAN_YEAR.fullmatch(match["n"]):
            return self.signed(match, _library(whole, "de", "year"))
        labelled = _LABELLED.search(match.string[max(0, match.start() - 12) : match.start()])
        if not decimals and not labelled and _FEMININE.match(match.string, match.end()):
            return self.signed(match, self.feminine(self.cardinal(whole)))
        if whole == "1" and not (decimals or labelled) and (one := self.one_of(match)):
            return self.signed(match, one)
        counting = _NOUN.match(match.string, match.end()) is not None
        said = self.counted(whole) if counting and whole != "1" else self.cardinal(whole)
        if decimals:
            said += f"{self.gap}{self.language.comma}{self.gap}" + self.gap.join(
                self.cardinal(digit) for digit in decimals[:60]
            )
        return self.signed(match, said)

    def signed(self, match: re.Match[str], said: str) -> str:
        return f"{self.language.minus}{self.gap}{said}" if match["sign"] else said

    def percent(self, match: re.Match[str]) -> str:
        return self.language.percent.format(n=self.number(match))

    def money(self, match: re.Match[str]) -> str:
        one, many, joint, cent, cents = (*self.language.currencies[match["currency"]].split("/"), "", "", "")[:5]
        whole, decimals = self.split(match["n"])
        if decimals and (len(decimals) != 2 or not cent):
            return f"{self.number(match)}{self.gap}{many}"
        said = f"{self.counted(whole)}{self.gap}{one if whole == '1' else many}"
        if decimals and int(decimals):
            said += f" {joint} {self.counted(str(int(decimals)))} {cent if decimals == '01' else cents}".replace(
                "  ", " "
            )
        return self.signed(match, said)

    def counted(self, digits: str) -> str:
        """A number before a noun: uno becomes un."""
        if digits == "1":
            return self.language.one
        said = self.cardinal(digits)
        return (
            re.sub(r"(?<=veinti)uno$", "ún", re.sub(r"(?<= )uno$", "un", said)) if self.language.code == "es" else said
        )

    def one_of(self, match: re.Match[str]) -> str:
        """Un gato, un gatto, ein Apfel, where a noun is counted; empty: the 1 is a name."""
        before, after = match.string[max(0, match.start() - 16) : match.start()], match.string[match.end() :][:24]
        if self.language.code == "de":
            noun = re.match(r"\s([A-ZÄÖÜ][a-zäöüß]{2,20})\b", after)
            if not noun or re.search(r"[A-ZÄÖÜ][\wäöüß]*\s\Z", before):
                return ""
            return "eine" if re.search("(?:[^s]e|ung|[hk]eit|ion|schaft|tät)$", noun[1]) else "ein"
        if self.language.code not in ("es", "it") or _ONE_NAMED.search(before) or not _ONE_OF.match(after):
            return ""
        return self.language.one

    def feminine(self, said: str) -> str:
        """Two of a feminine noun: duas pessoas, doscientas casas."""
        if self.language.code == "es":
            return re.sub("ún$|uno$|un$", "una", said).replace("cientos", "cientas").replace("quinientos", "quinientas")
        if self.language.code == "pt_BR":
            return re.sub(r"\bdois$", "duas", re.sub(r"\bum$", "uma", said)).replace("entos", "entas")
        return said

    def said(self, written: str) -> str:
        """Any number as it is written."""
        whole, decimals = self.split(written)
        said = self.counted(whole) if whole == "1" and not decimals else self.cardinal(whole)
        mark = f"{self.gap}{self.language.comma}{self.gap}"
        return said + (mark + self.gap.join(map(self.cardinal, decimals[:60])) if decimals else "")

    def ordinal_of(self, digits: str) -> str:
        said = _library(digits, self.language.code, "ordinal")
        return said.capitalize() if self.language.code == "de" else said

    def german_day(self, match: re.Match[str]) -> str:
        """Am 3. Oktober, der 3. Oktober."""
        before = match.string[max(0, match.start() - 8) : match.start()]
        ending = "n" if _DATIVE.search(before) else "" if _GERMAN_NOMINATIVE.search(before) else "r"
        return _library(match["d"], "de", "ordinal") + ending

    def german_short(self, match: re.Match[str]) -> str | None:
        """Am 24.12.; a version 3.12 at the end of a sentence is none."""
        before = match.string[max(0, match.start() - 8) : match.start()]
        if before.strip() and not (_DATIVE.search(before) or _GERMAN_NOMINATIVE.search(before)):
            return None
        return f"{self.german_day(match)} {self.language.months[int(match['m']) - 1]}"

    def german_ordinal(self, match: re.Match[str]) -> list[Edit]:
        """Das 1. Tor, in der 90. Minute, ein 2. Platz."""
        article = match["before"].strip().lower()
        inflected = _GERMAN_CASE.search(match.string[max(0, match.start() - 10) : match.start()])
        ending = "r" if article in ("ein", "mein", "sein", "ihr") else "n"
        if article in ("die", "das", "eine") or (article == "der" and not inflected):
            ending = ""
        said = _library(match["d"], "de", "ordinal") + ending
        return [Edit(match.start("d"), match.end(), said)]

    def money_span(self, match: re.Match[str]) -> str:
        """5–10 €, €5–10."""
        first = self.cardinal("1") if match["first"] == "1" else self.said(match["first"])
        return f"{first}{self.gap}{joint_of(self.language.code[:2])}{self.gap}{self.money(match)}"

    def score(self, match: re.Match[str]) -> str:
        """3:1, as a match or a scale."""
        return self.gap.join((self.cardinal(match["a"]), _AGAINST[self.language.code[:2]], self.cardinal(match["b"])))

    def telephone(self, match: re.Match[str]) -> str | None:
        """Digit by digit, with a pause between the groups; French says pairs, as numbers."""
        groups = re.findall(r"\+?[0-9]+", match[0])
        if not 7 <= sum(map(len, groups)) <= 16 or (
            self.language.code == "fr" and groups[-1:] and len(groups[-1]) == 2
        ):
            return None
        plus = f"{_PLUS.get(self.language.code, 'plus')}{self.gap}"
        divider = "、" if self.language.code == "ja" else "，" if self.language.code == "zh" else ", "
        return divider.join(
            (plus if group[0] == "+" else "") + self.gap.join(map(self.cardinal, group.lstrip("+"))) for group in groups
        )

    def date(self, match: re.Match[str]) -> str | None:
        day, month = int(match["d"]), int(match["m"])
        if not (1 <= day <= 31 and 1 <= month <= 12):
            return None
        first = self.language.code == "fr" and day == 1
        return self.language.date.format(
            d="premier" if first else self.cardinal(str(day)),
            o=_library(str(day), self.language.code, "ordinal")
            + ("n" if _DATIVE.search(match.string[max(0, match.start() - 8) : match.start()]) else "r"),
            m=self.language.months[month - 1],
            y=_library(match["y"], self.language.code, "year" if self.language.code in ("de", "zh") else "cardinal"),
        )

    def time(self, match: re.Match[str]) -> str:
        form = self.language.hour if match["n"] == "00" else self.language.time
        hours = str(int(match["h"]))
        two = self.language.code == "zh" and hours == "2"
        return form.format(h=chinese.TWO if two else self.cardinal(hours), n=self.cardinal(str(int(match["n"]))))

    def ordinal(self, match: re.Match[str]) -> str:
        said = _library(match["n"], self.language.code, "ordinal")
        mark = match["mark"]
        if mark == "ª":
            return re.sub(r"o\b", "a", said)
        if mark in ("re", "ère") and match["n"] == "1":
            return "première"
        noun = re.match(r"\s[a-z]", match.string[match.end() : match.end() + 2])
        return said[:-1] if self.language.code == "es" and noun and match["n"] in ("1", "3") else said


def normalize(claims: Claims, language: str) -> None:
    """Claim the numbers of a text in one of `LANGUAGES`."""
    speaker = _Speaker(LANGUAGES[language])
    if language == "fr":
        claims.rule(_FRENCH_FIRST, "premier")
    claim_names(claims, language, speaker)
    if not re.search(f"[0-9{SIGNS}]", claims.masked):
        return
    before, after, percent, number = _patterns(language)
    claims.rule(_ISO, speaker.date)
    claims.rule(_TELEPHONE, speaker.telephone)
    claims.rule(_DAY_FIRST, speaker.date)
    if language in _DOTTED_TIME:
        claims.rule(_DOTTED_TIME[language], speaker.time)
    if language == "es":
        claims.rule(_HOURS, lambda match: f"{speaker.cardinal(str(int(match['h'])))} horas")
    claims.rule(_TIME, speaker.time)
    if language == "de":
        claims.rule(_GERMAN_STREET, "straße")
        claims.rule(_GERMAN_POSTCODE, lambda match: " ".join(map(speaker.cardinal, match[0])))
        claims.rule(_GERMAN_SHORT, speaker.german_short)
        claims.rule(_GERMAN_DAY, speaker.german_day)
        claims.rule(_GERMAN_ORDINAL, speaker.german_ordinal)
    if language in _HOUR_NAMED:
        claims.rule(_HOUR_NAMED[language], "")
    if language == "it":
        claims.rule(_ITALIAN_FIRST, speaker.ordinal)
    if language == "es":
        claims.rule(_APOCOPATED, lambda match: "primer" if match["n"] == "1" else "tercer")
    if language == "fr":
        claims.rule(_FRENCH_ORDINAL, speaker.ordinal)
    else:
        claims.rule(_ORDINAL, speaker.ordinal)
    if language in _AGAINST:
        claims.rule(_SCORE, speaker.score)
    for span in _spans_of_money(language):
        claims.rule(span, speaker.money_span)
    claims.rule(after, speaker.money)
    claims.rule(before, speaker.money)
    claims.rule(percent, speaker.percent)
    claim_measures(claims, language, speaker, _number_pattern(language))
    claims.rule(number, speaker.number)
    claim_signs(claims, language, speaker)
