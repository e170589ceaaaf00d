"""Numbers, dates, times, money and percentages of the other languages, through num2words.

Chinese counts in `chinese`; a number of a language that the library does not know (Hindi) stays in digits, which its
phonemizer reads. The library is imported when the first number comes, and without it numbers stay as they are.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from firstword.text.edits import Claims
from firstword.text.normalize import chinese
from firstword.text.normalize.measures import claim_measures, claim_names, claim_signs
from firstword.text.wordlist import listed, table

__all__ = ["LANGUAGES", "normalize"]


class _Language(NamedTuple):
    """What the library does not say: names, and the forms percentages, dates and times take."""

    code: str
    decimal: str
    comma: str
    minus: str
    percent: str
    date: str
    time: str
    hour: str
    months: tuple[str, ...]
    one: str
    currencies: dict[str, str]


LANGUAGES: Final = {
    "es": _Language(
        code="es",
        decimal=",",
        comma="coma",
        minus="menos",
        percent="{n} por ciento",
        date="{d} de {m} de {y}",
        time="{h} y {n}",
        hour="{h} en punto",
        months=listed("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        one="un",
        currencies=table("""
    €: euro/euros/con/céntimo/céntimos
    $ US$: dólar/dólares/con/centavo/centavos
    £: libra/libras/con/penique/peniques
    """),
    ),
    "fr": _Language(
        code="fr",
        decimal=",",
        comma="virgule",
        minus="moins",
        percent="{n} pour cent",
        date="{d} {m} {y}",
        time="{h} heures {n}",
        hour="{h} heures",
        months=listed("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        one="un",
        currencies=table("""
    €: euro/euros/et/centime/centimes
    $: dollar/dollars/et/cent/cents
    £: livre/livres/et/penny/pence
    """),
    ),
    "de": _Language(
        code="de",
        decimal=",",
        comma="Komma",
        minus="minus",
        percent="{n} Prozent",
        date="{o} {m} {y}",
        time="{h} Uhr {n}",
        hour="{h} Uhr",
        months=listed("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        one="ein",
        currencies=table("""
    €: Euro/Euro/und/Cent/Cent
    $: Dollar/Dollar/und/Cent/Cent
    £: Pfund/Pfund/und/Penny/Pence
    """),
    ),
    "it": _Language(
        code="it",
        decimal=",",
        comma="virgola",
        minus="meno",
        percent="{n} per cento",
        date="{d} {m} {y}",
        time="{h} e {n}",
        hour="{h} in punto",
        months=listed("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        one="un",
        currencies=table("""
    €: euro/euro/e/centesimo/centesimi
    $: dollaro/dollari/e/centesimo/centesimi
    £: sterlina/sterline/e/penny/pence
    """),
    ),
    "pt": _Language(
        code="pt_BR",
        decimal=",",
        comma="vírgula",
        minus="menos",
        percent="{n} por cento",
        date="{d} de {m} de {y}",
        time="{h} e {n}",
        hour="{h} horas",
        months=listed("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
        one="um",
        currencies=table("""
    R$: real/reais/e/centavo/centavos
    US$: dólar/dólares/e/centavo/centavos
    €: euro/euros/e/cêntimo/cêntimos
    $: dólar/dólares/e/centavo/centavos
    £: libra/libras/e/pêni/pence
    """),
    ),
    "ja": _Language(
        code="ja",
        decimal=".",
        comma="点",
        minus="マイナス",
        percent="{n}パーセント",
        date="{y}年{m}月{d}日",
        time="{h}時{n}分",
        hour="{h}時",
        months=listed("一 二 三 四 五 六 七 八 九 十 十一 十二"),
        one="一",
        currencies=table("""
    ¥ 円: 円/円
    $: ドル/ドル//セント/セント
    €: ユーロ/ユーロ//セント/セント
    £: ポンド/ポンド
    """),
    ),
    "zh": _Language(
        code="zh",
        decimal=".",
        comma="点",
        minus="负",
        percent="百分之{n}",
        date="{y}年{m}月{d}日",
        time="{h}点{n}分",
        hour="{h}点",
        months=listed("一 二 三 四 五 六 七 八 九 十 十一 十二"),
        one="一",
        currencies=table("""
    ¥ ￥ 元: 元/元
    $: 美元/美元
    €: 欧元/欧元
    £: 英镑/英镑
    """),
    ),
    "hi": _Language(
        code="hi",
        decimal=".",
        comma="दशमलव",
        minus="माइनस",
        percent="{n} प्रतिशत",
        date="{d} {m} {y}",
        time="{h} बजकर {n} मिनट",
        hour="{h} बजे",
        months=listed("जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर"),
        one="एक",
        currencies=table("""
    ₹: रुपया/रुपये/और/पैसा/पैसे
    $: डॉलर/डॉलर/और/सेंट/सेंट
    €: यूरो/यूरो/और/सेंट/सेंट
    £: पाउंड/पाउंड/और/पेंस/पेंस
    """),
    ),
    "ko": _Language(
        code="ko",
        decimal=".",
        comma="점",
        minus="마이너스",
        percent="{n} 퍼센트",
        date="{y}년 {m}월 {d}일",
        time="{h}시 {n}분",
        hour="{h}시",
        months=listed("일 이 삼 사 오 유 칠 팔 구 시 십일 십이"),
        one="일",
        currencies=table("""
    ₩: 원/원
    $: 달러/달러//센트/센트
    €: 유로/유로//센트/센트
    """),
    ),
}
_LONGEST: Final = 15
_SPACELESS: Final = frozenset(("ja", "ko", "zh"))
_ISO: Final = re.compile(r"(?<![0-9A-Za-z_-])(?P<y>[12][0-9]{3})-(?P<m>[01][0-9])-(?P<d>[0-3][0-9])(?![0-9A-Za-z_-])")
_DAY_FIRST: Final = re.compile(r"(?<![\w.,/])(?P<d>[0-3]?[0-9])([/.])(?P<m>[01]?[0-9])\2(?P<y>[12][0-9]{3})(?![\w/])")
_TIME: Final = re.compile(
    r"(?<![0-9A-Za-z_.,:])(?P<h>[01]?[0-9]|2[0-4])(?::|(?<=[0-9])[hH](?=[0-9]))(?P<n>[0-5][0-9])(?![0-9A-Za-z_:])"
)
_NOUN: Final = re.compile(r"\s[^\W\d]{2}")
_DATIVE: Final = re.compile(r"\b(?:am|vom|zum|dem|den|beim|bis|ab|seit)\s\Z", re.IGNORECASE)
_FRENCH_ORDINAL: Final = re.compile(r"(?<![\w.,])(?P<n>[0-9]{1,4})(?P<mark>er|re|ère|e|ème|nde?)(?!\w)")
_ORDINAL: Final = re.compile(r"(?<![\w.,])(?P<n>[0-9]{1,4})\.?(?P<mark>[ºª])(?!\w)")
_GERMAN_DAY: Final = re.compile(
    r"(?<![\w.,])(?P<d>[12][0-9]|3[01]|[1-9])\.(?=\s(?:Januar|Februar|März|April|Mai|Ju[nl]i|August|September|Oktober|"
    r"November|Dezember)(?:\s(?P<y>[12][0-9]{3})\b)?)"
)
_GERMAN_NOMINATIVE: Final = re.compile(r"\b[Dd](?:er|ie|as)\s\Z")
_UHR: Final = re.compile(r"(?<=\ue000)\sUhr\b")
_GERMAN_YEAR: Final = re.compile(r"1[1-9][0-9]{2}")
_FEMININE: Final = re.compile(
    r"\s(?!d[ií]as?\b|problemas?\b|sistemas?\b|programas?\b|mapas?\b|temas?\b|idiomas?\b|planetas?\b|gramas\b|poemas?\b|"
    r"climas?\b|a\b|la\b|para\b|más\b|mas\b|cada\b|hora\s)[a-záéíóúâêôãõçñ]{2,20}(?:as?|ções|ciones|dades|ción|ção|dad|dade)\b"
)


@lru_cache(maxsize=8)
def _number_pattern(language: str) -> str:
    point, group = (re.escape(","), r"[. \u202f']") if LANGUAGES[language].decimal == "," else (re.escape("."), ",")
    size = "{2,3}" if language == "hi" else "{3}"  # 1,00,000 is a lakh
    return rf"(?P<n>(?:[0-9]{{1,3}}(?:{group}[0-9]{size})++(?![0-9])|[0-9]++)(?:{point}[0-9]++)?+)"


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


@lru_cache(maxsize=4096)
def _library(digits: str, code: str, to: str) -> str:
    if code == "zh":
        return chinese.year(digits) if to == "year" else chinese.cardinal(digits)
    try:
        from num2words import num2words
    except ImportError:
        return digits
    try:
        return str(num2words(int(digits), lang=code, to=to)).replace(",", "")
    except (RuntimeError, OverflowError, ValueError):
        return digits


class _Speaker:
    def __init__(self, language: _Language) -> None:
        self.language = language
        self.gap = "" if language.code in ("ja", "zh") else " "
        self.minus = language.minus

    def cardinal(self, digits: str) -> str:
        if len(digits) > _LONGEST or (len(digits) > 1 and digits[0] == "0"):
            return " ".join(_library(digit, self.language.code, "cardinal") for digit in digits[:60])
        return _library(digits, self.language.code, "cardinal")

    def split(self, written: str) -> tuple[str, str]:
        """Digits before and after the decimal mark."""
        whole, _, decimals = written.partition(self.language.decimal)
        return re.sub(r"[^0-9]", "", whole), decimals

    def number(self, match: re.Match[str]) -> str:
        whole, decimals = self.split(match["n"])
        if self.language.code == "zh" and not decimals:
            return self.signed(match, chinese.before(whole, match.string[match.end() : match.end() + 1]))
        if self.language.code == "de" and not decimals and _GERMAN_YEAR.fullmatch(match["n"]):
            return self.signed(match, _library(whole, "de", "year"))
        if not decimals and _FEMININE.match(match.string, match.end()):
            return self.signed(match, self.feminine(self.cardinal(whole)))
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
    claim_names(claims, language, speaker)
    if not re.search(r"[0-9½¼¾]", claims.masked):
        return
    before, after, percent, number = _patterns(language)
    claims.rule(_ISO, speaker.date)
    claims.rule(_DAY_FIRST, speaker.date)
    claims.rule(_TIME, speaker.time)
    if language == "de":
        claims.rule(_GERMAN_DAY, speaker.german_day)
        claims.rule(_UHR, "")
    if language == "fr":
        claims.rule(_FRENCH_ORDINAL, speaker.ordinal)
    else:
        claims.rule(_ORDINAL, speaker.ordinal)
    claims.rule(after, speaker.money)
    claims.rule(before, speaker.money)
    claims.rule(percent, speaker.percent)
    claim_measures(claims, language, speaker, _number_pattern(language))
    claims.rule(number, speaker.number)
    claim_signs(claims, language, speaker)
