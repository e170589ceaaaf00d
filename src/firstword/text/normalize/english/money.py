"""Sums of money, with magnitudes and ranges."""

import re
from typing import Final, NamedTuple

from firstword.text.normalize.english.rule import DASH, NUMBER, SIGN, Rule, is_adjective, rule, signed
from firstword.text.normalize.english.words import Words
from firstword.text.wordlist import table

__all__ = ["MAGNITUDES", "RULES"]


class _Currency(NamedTuple):
    one: str
    many: str
    cent: str = ""
    cents: str = ""


_CURRENCIES: Final = {
    name: _Currency(*kind.split("/"))
    for name, kind in table("""
    $: dollar/dollars/cent/cents
    US$ USD: US dollar/US dollars/cent/cents
    CA$ C$ CAD: Canadian dollar/Canadian dollars/cent/cents
    A$ AU$ AUD: Australian dollar/Australian dollars/cent/cents
    NZ$ NZD: New Zealand dollar/New Zealand dollars/cent/cents
    HK$ HKD: Hong Kong dollar/Hong Kong dollars/cent/cents
    S$ SGD: Singapore dollar/Singapore dollars/cent/cents
    R$: real/reais/centavo/centavos
    € EUR: euro/euros/cent/cents
    £ GBP: pound/pounds/penny/pence
    ¥ JPY: yen/yen
    CNY RMB: yuan/yuan
    ₹ INR Rs Rs.: rupee/rupees/paisa/paise
    ₩ KRW: won/won
    ₽ RUB: ruble/rubles/kopek/kopeks
    ₿ BTC: bitcoin/bitcoins
    ETH: ether/ether
    ₺ TRY: lira/lira
    ₪ ILS: shekel/shekels
    ₫: dong/dong
    ฿ THB: baht/baht
    ₱: peso/pesos
    ₴: hryvnia/hryvnias
    ₦: naira/naira
    CHF: Swiss franc/Swiss francs/centime/centimes
    SEK: Swedish krona/Swedish kronor
    kr: krone/kroner
    NOK: Norwegian krone/Norwegian kroner
    DKK: Danish krone/Danish kroner
    zł PLN: zloty/zloty
    BRL: Brazilian real/Brazilian reais/centavo/centavos
    MXN Mex$ MX$: Mexican peso/Mexican pesos/centavo/centavos
    ZAR: rand/rand/cent/cents
    """).items()
}
MAGNITUDES: Final = table("""
    k K thousand: thousand
    m M mn mm MM mil million: million
    b B bn Bn billion: billion
    T tn trillion: trillion
    hundred: hundred
    lakh lakhs: lakh
    crore crores cr: crore
""")
MAGNITUDES["lakh crore"] = "lakh crore"
_MAGNITUDE: Final = rf"(?:[\s-]?(?P<size>{'|'.join(sorted(MAGNITUDES, key=len, reverse=True))})(?![A-Za-z]))?"
_SYMBOL: Final = "|".join(
    re.escape(name) for name in sorted(_CURRENCIES, key=len, reverse=True) if not name.replace(".", "").isalpha()
)
_CODE: Final = "|".join(name for name in _CURRENCIES if name.isalpha() and name.isupper()) + r"|Rs\.?|zł|kr"
_SUFFIX: Final = "|".join(re.escape(name) for name in ("kr", "€", "£", "¥", "₹", "₽", "₩", "zł", "₺", "₫"))


def _sum(number: str, size: str | None, currency: _Currency, words: Words, *, singular: bool = False) -> str:
    one, many = currency.one, currency.one if singular else currency.many
    if size:
        return f"{words.number(number)} {MAGNITUDES[size]} {many}"
    whole, _, decimals = number.partition(".")
    if decimals and not decimals.strip("0"):
        decimals = ""
    if len(decimals) == 2 and currency.cent:
        cents = (
            f"{words.cardinal(str(int(decimals)))} {currency.cent if singular or decimals == '01' else currency.cents}"
        )
        if not whole.strip("0,"):
            return cents
        return f"{words.cardinal(whole)} {one if whole == '1' else many} and {cents}"
    if decimals:
        return f"{words.number(f'{whole}.{decimals}')} {many}"
    return f"{words.cardinal(whole)} {one if whole == '1' else many}"


def _american(number: str) -> str:
    """1.234,56 and 12,50 and 1'200 as English writes them."""
    if re.search(r"(?:\.[0-9]{3}|^[0-9]{1,3}),[0-9]{2}$", number):
        return number.replace(".", "").replace(",", ".")
    return number.replace("'", "")


def _money(match: re.Match[str], words: Words) -> str:
    currency = _CURRENCIES[match["currency"]]
    said = _sum(_american(match["number"]), match["size"], currency, words, singular=is_adjective(match))
    return signed(match["sign"] or match["inner"], said)


def _range(match: re.Match[str], words: Words) -> str:
    currency = _CURRENCIES[match["currency"]]
    first_size, size = match["first_size"], match["size"]
    last = _sum(match["last"], size, currency, words, singular=is_adjective(match))
    if first_size and first_size != size:
        return f"{_sum(match['first'], first_size, currency, words)} to {last}"
    if not (first_size or size) and "." in match["first"] + match["last"]:
        return f"{_sum(match['first'], None, currency, words)} to {last}"
    return f"{words.number(match['first'])} to {last}"


def _after(match: re.Match[str], words: Words) -> str:
    return signed(match["sign"], _sum(_american(match["number"]), match["size"], _CURRENCIES[match["currency"]], words))


def _cents(match: re.Match[str], words: Words) -> str:
    kinds = {"¢": ("cent", "cents"), "c": ("cent", "cents"), "p": ("penny", "pence")}[match["kind"]]
    return f"{words.number(match['number'])} {kinds[match['number'] != '1']}"


def _per(match: re.Match[str], _words: Words) -> str:
    return f" per {_PERIODS.get(match['what'], match['what'])}"


_PERIODS: Final = table("""
    mo: month
    yr y: year
    wk: week
    d: day
    hr h: hour
    min: minute
    sec s: second
    lb: pound
    kg: kilogram
    g: gram
    oz: ounce
    L l: liter
    gal: gallon
    mi: mile
    km: kilometer
    sqft: square foot
    GB: gigabyte
    TB: terabyte
    kWh: kilowatt hour
    kW: kilowatt
    MWh: megawatt hour
    dL: deciliter
    ft: foot
    in: inch
    m: meter
""")
_SIGNS: Final = "$€£¥₹₩₽₿₺₪₫฿₱₴₦"
_SIGNS_AND_CODES: Final = _SIGNS + "UEGJCRIKATSBDNHPMZł"
_FOREIGN: Final = (
    r"(?:[0-9]{1,2}(?:,[0-9]{2}(?![0-9]))++,[0-9]{3}|[0-9]{1,3}(?:\.[0-9]{3})++,[0-9]{2}|[0-9]{1,3},[0-9]{2}"
    r"|[0-9]{1,3}(?:'[0-9]{3})++(?:\.[0-9]{2})?)(?![0-9])"
)
_FIRST: Final = _MAGNITUDE.replace("size", "first_size")

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?<![\w$€£¥])(?P<currency>{_SYMBOL})\s?(?P<first>{NUMBER}){_FIRST}{DASH}"
        rf"(?P=currency)?\s?(?P<last>{NUMBER}){_MAGNITUDE}",
        _range,
        needs=_SIGNS,
    ),
    rule(
        rf"{SIGN}(?<![\w$€£¥])(?P<currency>{_SYMBOL}|(?:{_CODE})(?=\s?[0-9]))\s?(?P<inner>[-−])?"
        rf"(?P<number>{_FOREIGN}|{NUMBER}|\.[0-9]++){_MAGNITUDE}",
        _money,
        needs=_SIGNS_AND_CODES,
    ),
    rule(
        rf"{SIGN}(?<![\w.,])(?P<number>{_FOREIGN}|{NUMBER}){_MAGNITUDE}\s?(?P<currency>{_SUFFIX})(?!\w)",
        _after,
        needs=_SIGNS_AND_CODES,
    ),
    rule(
        rf"{SIGN}(?<![\w.,])(?P<number>{_FOREIGN}|{NUMBER}){_MAGNITUDE}\s(?P<currency>{_CODE})(?!\w)",
        _after,
        needs=_SIGNS_AND_CODES,
    ),
    rule(rf"(?<![\w.,])(?P<number>{NUMBER})\s?(?P<kind>¢)", _cents),
    rule(r"(?<![\w.,])(?P<number>[0-9]{1,2})(?P<kind>p)(?![\w])", _cents),
    rule(r"(?<=\ue000)\s?/\s?(?P<what>[a-zA-Z]{1,12})\b", _per, needs="/"),
)
