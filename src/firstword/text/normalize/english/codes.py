"""Numbers that are no quantities: telephones, cards, addresses of machines, versions, codes, rooms. Digit by digit."""

import re
from collections.abc import Sequence
from typing import Final

from firstword.text.edits import Edit
from firstword.text.normalize.english.rule import Rule, after, before, part, rule
from firstword.text.normalize.english.words import Words, spelled

__all__ = ["AFTER_DATES", "RULES"]

_NO_PHONE: Final = re.compile(r"(?:pages?|pp\.?|between|from|lines?|range|verses?|years?|items?)\s\Z", re.IGNORECASE)
_COUNTED: Final = re.compile(
    r"[.,][0-9]|\s?%|\s(?:units|items|pieces|people|copies|boxes|dollars|pounds|times|more|of)\b", re.IGNORECASE
)
_CODE_WORDS: Final = (
    "codes?|pins?|passwords?|passcodes?|otps?|ids?|accounts?|acct|orders?|invoices?|tickets?|confirmation|reference|ref|"
    "tracking|case|serial|zip|postcode|postal|routing|card|booking|reservation|extension|ext|box|badge|licen[sc]e|policy|"
    "patient|employee|customer|member|SKU|VIN|CVV|CVC|"
    "part number|model number|locker|key|token|plate|ending in|ends in|ends with|"
    "PO(?=\\s?#)|digits|last (?:three|four|five|six)(?= (?:are|is) )|starting with|(?:card|account|number) ending"
)
_PLACES: Final = (
    "Rooms?|room|Suite|suite|Apt\\.?|Apartment|apartment|Highway|highway|Hwy|Route|route|Interstate|Flight|flight|Gate|"
    "gate|Bus|bus|Boeing|Airbus|Building|building|Unit|Area|Studio|Channel|channel|Terminal|Exit|exit|Train|train|HTTP|"
    "[Ee]rror|[Ss]tatus|Porsche|Peugeot|Psalm|Tower|Hall|RTX|GTX|RX|Ryzen [3579]|Xbox|RFC|(?:I|US|SR|CA)(?=-)"
)
_VERSIONED: Final = (
    "Go(?= 1)|"
    "[Vv]ersions?|[Rr]eleases?|[Pp]ython|Java|Node(?:\\.js| dot JS)?|Ubuntu|Android|iOS|iPadOS|mac ?OS|Windows|Chrome|"
    "Firefox|Debian|Fedora|PHP|Ruby|Rust|Kubernetes|Docker|React|Django|GPT|Claude|Gemini|Llama|Bluetooth|USB|HDMI"
)
_STATES: Final = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_SCRIPTURE: Final = (
    "Genesis|Exodus|Leviticus|Numbers|Deuteronomy|Joshua|Judges|Ruth|Samuel|Kings|Chronicles|Ezra|Nehemiah|Esther|Job|"
    "Psalms?|Proverbs|Ecclesiastes|Isaiah|Jeremiah|Ezekiel|Daniel|Hosea|Joel|Amos|Jonah|Micah|Malachi|Matthew|Mark|Luke|"
    "John|Acts|Romans|Corinthians|Galatians|Ephesians|Philippians|Colossians|Thessalonians|Timothy|Titus|Hebrews|James|"
    "Peter|Jude|Revelation|Quran|Surah"
)
_ORDERED: Final = re.compile(
    r"[Oo]rder\s[1-9][0-9]{2}\s(?!(?:is|was|has|ships|arrives|needs|goes|contains|includes|this|as|does)\b)[a-z]{2,16}s\b"
)
"""Order 250 chairs."""
_DATE: Final = re.compile(r"[0-3]?[0-9][-/. ][01]?[0-9][-/. ][0-9]{4}")
_LONGEST_SPELLED: Final = 64


def _phone(match: re.Match[str], words: Words) -> str:
    """The groups of a number with a pause between them."""
    said = ", ".join(
        f"plus {words.digits(group[1:])}" if group[0] == "+" else words.digits(group) if group.isdigit() else group
        for group in re.findall(r"\+?[0-9]+|[A-Z]{2,}", match["number"])
    )
    extension = match["ext"]
    return f"{said}, extension {words.digits(extension)}" if extension else said


def _foreign_phone(match: re.Match[str], words: Words) -> str | None:
    """+49 89 1234567; +0.3 is none."""
    return _phone(match, words) if sum(char.isdigit() for char in match["number"]) >= 7 else None


def _national_phone(match: re.Match[str], words: Words) -> str | None:
    """020 7946 0958, 01 42 68 53 00, 089-123456: nine to twelve digits, and no date."""
    number = match["number"]
    digits = sum(char.isdigit() for char in number)
    if not 9 <= digits <= 12 or len(re.findall("[0-9]+", number)) < 2 or _DATE.fullmatch(number):
        return None
    return _phone(match, words)


def _model(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """Llama-3.1-70B: a name, its version and its size, none of them a range."""
    version = " point ".join(words.cardinal(number) for number in match["version"].split("."))
    said = f" {version} {words.pairs(match['size'])} {match['letter'].upper()}"
    return [Edit(match.start("version") - 1, match.end("letter"), said)]


def _spelled_in_groups(match: re.Match[str], words: Words) -> str | None:
    """An IBAN."""
    if not re.search("[0-9]{3}", match[0][4:]):
        return None
    return ", ".join(spelled(group, words) for group in match[0].split(" "))


def _place_before(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """A 404 error, an A320neo."""
    jet = match["jet"]
    tail = " " if match.string[match.end() : match.end() + 1].isalpha() else ""
    return [Edit(*match.span(), f" {words.pairs(jet)}{tail}" if jet else words.pairs(match["digits"]))]


def _variant(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """Boeing 787-9."""
    return [Edit(match.start("digits"), match.end(), f"{words.pairs(match['digits'])} {words.cardinal(match['more'])}")]


def _airliner(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """Boeing 777X."""
    return [part(match, "digits", f"{words.pairs(match['digits'])} ")]


def _proportion(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """A 16:10 screen, odds of 12:30."""
    first, last = ("a", "b") if match["a"] else ("c", "d")
    said = f"{words.cardinal(match[first])} to {words.cardinal(match[last])}"
    return [Edit(match.start(first), match.end(last), said)]


def _processor(match: re.Match[str], words: Words) -> Sequence[Edit]:
    digits, series = match["digits"], match["series"]
    said = words.pairs(digits) if len(digits) == 4 else f"{words.cardinal(digits[:2])} {words.pairs(digits[2:])}"
    return [Edit(match.start() + 1, match.end(), f" {words.cardinal(match[0][1])} {said} {' '.join(series)}".rstrip())]


def _zip(match: re.Match[str], words: Words) -> Sequence[Edit]:
    edits = [part(match, "digits", words.digits(match["digits"]))]
    if match["more"]:
        edits.append(Edit(match.end("digits"), match.end(), f", {words.digits(match['more'])}"))
    return edits


def _verse(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """John 3:16, Genesis 1:1-3."""
    last = f" to {words.cardinal(match['last'])}" if match["last"] else ""
    said = f"{words.cardinal(match['chapter'])} {words.cardinal(match['verse'])}{last}"
    return [Edit(match.start("chapter"), match.end(), said)]


def _local_phone(match: re.Match[str], words: Words) -> str | None:
    return None if _NO_PHONE.search(before(match)) else _phone(match, words)


def _spelled(match: re.Match[str], words: Words) -> str:
    """Letters and digits one by one; of very many the digits' number only."""
    return spelled(match[0][:_LONGEST_SPELLED], words)


def _hexadecimal(match: re.Match[str], words: Words) -> str:
    return f"zero X {spelled(match['digits'], words)}"


def _machine(match: re.Match[str], words: Words) -> str:
    said = " dot ".join(words.digits(octet) for octet in match["ip"].split("."))
    if port := match["port"]:
        said += f" port {words.pairs(port) if len(port) == 4 else words.cardinal(port)}"
    return said + (f" slash {words.cardinal(match['bits'])}" if match["bits"] else "")


def _version(match: re.Match[str], words: Words) -> str:
    said = " point ".join(words.cardinal(number) for number in match["numbers"].split("."))
    if match["v"] == "V" and match["numbers"] in ("6", "8", "10", "12") and not match["word"]:
        return f"V {said}"  # an engine
    return f"version {said}" if match["v"] else said


def _named_version(match: re.Match[str], words: Words) -> Sequence[Edit]:
    said = " point ".join(words.cardinal(number) for number in match["numbers"].split("."))
    return [part(match, "numbers", said)]


def _code(match: re.Match[str], words: Words) -> Sequence[Edit] | None:
    if _COUNTED.match(after(match)) or _ORDERED.match(match[0] + after(match)):
        return None
    gap = " " if match.string[match.start("digits") - 1].isalpha() else ""
    return [
        part(match, "digits", gap + spelled(match["digits"], words)),
        *([part(match, "hash", "number ")] if match["hash"] else []),
    ]


def _place(match: re.Match[str], words: Words) -> Sequence[Edit]:
    return [part(match, "digits", words.pairs(match["digits"]))]


def _grouped(match: re.Match[str], words: Words) -> str:
    """1 000 000 and 1.000.000, as they are written elsewhere."""
    return words.cardinal(re.sub(r"[ .]", ",", match["number"]))


def _plan(match: re.Match[str], words: Words) -> str:
    """A 401(k), a 501(c)(3)."""
    more = f" {words.cardinal(match['more'])}" if match["more"] else ""
    return f"{words.pairs(match['digits'])} {spelled(match['letter'], words)}{more}"


def _wireless(match: re.Match[str], words: Words) -> str:
    """802.11ax."""
    return f"eight oh two point {words.cardinal(match['number'])} {spelled(match['letters'], words)}".rstrip()


def _oil(match: re.Match[str], words: Words) -> str:
    """5W-30."""
    return f"{words.cardinal(match['weight'])} W {words.cardinal(match['hot'])}"


def _color(match: re.Match[str], words: Words) -> str:
    """#FF5733."""
    return f"hash {spelled(match['digits'], words)}"


_EXTENSION: Final = r"(?:,?\s?(?:x|ext\.?|extension)\s?(?P<ext>[0-9]{1,6})(?![0-9]))?"
_END: Final = r"(?![\w]|[.,-][0-9])"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<![\w-])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![\w-])",
        _spelled,
        needs="abcdefABCDEF",
    ),
    rule(r"(?<![\w:])(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}(?![\w:])", _spelled, needs="abcdefABCDEF"),
    rule(
        r"(?<![\w.,])(?P<digits>401|403|457|501|529)\((?P<letter>[a-k])\)(?:\((?P<more>[0-9]{1,2})\))?",
        _plan,
        needs="(",
    ),
    rule(r"(?<![\w.,])802\.(?P<number>[0-9]{1,2})(?P<letters>[a-z]{0,2})(?!\w)", _wireless, needs="."),
    rule(
        r"(?<!\w)#(?P<digits>(?=[0-9]{0,5}[A-Fa-f])(?=[A-Fa-f]{0,5}[0-9]|[A-F]{6})[0-9A-Fa-f]{6})(?!\w)",
        _color,
        needs="#",
    ),
    rule(r"(?<!\w)(?P<weight>[0-9]{1,2})W-(?P<hot>[0-9]{2})(?!\w)", _oil, needs="W"),
    rule(r"(?<!\w)0[xX](?P<digits>[0-9a-fA-F]{1,64}+)(?!\w)", _hexadecimal, needs="xX"),
    rule(r"(?<!\w)(?=[0-9a-f]{0,40}[0-9])(?=[0-9]{0,40}[a-f])[0-9a-f]{7,40}+(?!\w)", _spelled, needs="abcdefABCDEF"),
    rule(
        r"(?<![\w.])(?P<ip>[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})(?::(?P<port>[0-9]{1,5}))?(?:/(?P<bits>[0-9]{1,2}))?"
        r"(?![\w]|\.[0-9])",
        _machine,
        needs=".",
    ),
    rule(
        r"(?<![\w.])(?:(?P<word>[Vv]ersion\s)?(?P<v>[vV])\.?)(?P<numbers>[0-9]{1,6}(?:\.[0-9]{1,6}){0,4})(?![0-9])",
        _version,
        needs=".vV",
    ),
    rule(
        r"\b[A-Z][A-Za-z]{1,20}-(?P<version>[0-9]{1,2}(?:\.[0-9]{1,2})?)-(?P<size>[0-9]{1,3})(?P<letter>[bBkKmM])(?!\w)",
        _model,
        needs="-",
    ),
    rule(rf"\b(?:{_VERSIONED})[ -](?P<numbers>[0-9]{{1,4}}\.[0-9]{{1,2}}){_END}", _named_version, needs="."),
    rule(
        r"(?<![\w+])(?P<number>(?:\+?[0-9]{1,3}[ .-]?)?(?:\([0-9]{2,4}\)\s?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4})"
        + _EXTENSION
        + _END,
        _phone,
    ),
    rule(r"(?<![\w+])(?P<number>\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{1,5}\)?){1,6})" + _EXTENSION + _END, _foreign_phone),
    rule(
        r"(?<![\w+])(?P<number>(?:1-)?8[0-9]{2}-(?:[A-Z0-9]{3,9}|[A-Z0-9]{2,9}-[A-Z0-9]{2,7}))" + _EXTENSION + _END,
        _phone,
    ),
    rule(
        r"(?<![\w.,$€£-])(?P<number>0[0-9](?:[ .-][0-9]{2}){4}"
        r"|\(?0[0-9]{0,4}\)?[ /-]?[0-9]{2,8}(?:[ -][0-9]{2,6}){0,3})" + _EXTENSION + _END,
        _national_phone,
    ),
    rule(r"(?<![\w-])(?P<number>[0-9]{4}([ -])[0-9]{6}\2[0-9]{5})(?P<ext>)" + _END, _phone),
    rule(r"(?<!\w)[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)", _spelled_in_groups),
    rule(r"(?<![\w-])(?P<number>[0-9]{4}([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{3,4})(?P<ext>)" + _END, _phone),
    rule(r"(?<![\w-])(?P<number>[0-9]{3}-[0-9]{2}-[0-9]{4})(?P<ext>)" + _END, _phone),
    rule(
        r"(?<![\w.,$€£-])(?P<number>[0-9]{3}(?:[-.][0-9]{4}| 0[0-9]{3}))" + _EXTENSION + _END, _local_phone, needs="-. "
    ),
    rule(
        rf"\b(?:{_CODE_WORDS})(?:\s(?:number|no\.|code|id|is|was|of|are))?\.?(?:\s(?:is|was))?:?\s?(?:(?P<hash>#)\s?)?"
        r"(?P<digits>(?=[A-Z-]{0,12}[0-9])[0-9A-Z][0-9A-Z-]{2,40}+)(?![\w])",
        _code,
        re.IGNORECASE,
    ),
    rule(
        r"\b(?:[Cc]all|[Dd]ial|[Pp]hone|[Tt]ext|[Rr]ing)(?:ed|ing|s)?\s(?P<hash>)(?P<digits>[0-9]{3,12})" + _END, _code
    ),
    rule(
        r"\b(?:[Nn]umber|[Pp]hone|[Cc]ell|[Mm]obile|[Ff]ax)(?:\s(?:is|was|at))?:?\s(?P<hash>)(?P<digits>[0-9]{7,12})"
        + _END,
        _code,
    ),
    rule(r"\b[Tt]ext\s\w{1,20}\sto\s(?P<hash>)(?P<digits>[0-9]{4,6})" + _END, _code),
    rule(r"\bISBN(?:-1[03])?:?\s(?P<hash>)(?P<digits>[0-9][0-9 -]{8,18}[0-9X])\b", _code),
    rule(r"\b(?:[Pp]ort|PORT)(?:\s|\s?=\s?|:\s?)(?P<digits>[0-9]{4})\b", _place),
    rule(r"\b[Ff]light\s(?:number\s)?(?:is\s)?(?:[A-Z]{1,3}|[A-Z][0-9])\s?(?P<hash>)(?P<digits>[0-9]{2,4})\b", _code),
    rule(r"(?<=\bcolon )(?P<digits>[0-9]{4})(?![0-9])", _place),
    rule(rf"\b(?:{_PLACES})[\s-](?P<digits>[0-9]{{3,4}})" + _END, _place),
    rule(
        rf"\b(?:{_PLACES})(?:\snumber|\s(?:number\s)?(?:is|was|will be|changed to|moved to))\s"
        r"(?P<digits>[0-9]{3,4})"
        r"(?=[.,;!?)](?:\s|\Z)|\s*\Z|\s(?:is|was|has|on|at|and|or|in|to|for|with|from)\b)",
        _place,
    ),
    rule(
        r"(?<![\w.,$-])(?P<digits>[1-5][0-9]{2})(?=\s(?:error|status|response|Not Found)\b)"
        r"|(?<=\bA)(?P<jet>3[0-9]0)(?=\b|neo)",
        _place_before,
    ),
    rule(r"(?<![\w.,$-])(?P<hash>)(?P<digits>911|999|112)(?=\s(?:operator|calls?|dispatch|emergency))", _code),
    rule(r"(?<![\w.-])(?P<number>[0-9]{5}-[0-9]{4})(?P<ext>)(?![\w-]|\.[0-9])", _phone, needs="-"),
    rule(r"(?<!\w)[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}(?!\w)", _spelled),
    rule(r"\b(?:Boeing|Airbus)\s(?P<digits>[0-9]{3})-(?P<more>[0-9]{1,3})(?!\w)", _variant, needs="-"),
    rule(r"\b(?:Boeing|Airbus)\s(?P<digits>[0-9]{3})(?=[A-Z])", _airliner),
    rule(r"(?<!\w)H\.(?P<digits>26[0-9])(?!\w)", lambda match, words: f"H {words.pairs(match['digits'])}", needs="H"),
    rule(
        r"(?<![\w.:])(?P<a>[0-9]{1,2}):(?P<b>[0-9]{1,2})(?=\s(?:aspect|ratio|screen|display|monitor|panel|odds|mix|format)\b)"
        r"|\b(?:ratio|odds|scale|aspect)(?:\s(?:of|is|was))?\s(?P<c>[0-9]{1,2}):(?P<d>[0-9]{1,2})(?![\w:]|,[0-9])",
        _proportion,
        needs=":",
    ),
    rule(r"(?:(?<=\bQ[1-4])|(?<=\b[FC]Y)|(?<=\bH[12]))'(?=[0-9]{2}(?!\w))", " ", needs="'"),
    rule(r"(?<![\w/])24/7/365(?![\w/])", "twenty-four seven three sixty-five", needs="/"),
    rule(r"\bi[3579]-(?P<digits>[0-9]{4,5})(?P<series>[A-Z]{0,2})\b", _processor, needs="i"),
    rule(rf"\b(?:{_STATES})\s(?P<digits>[0-9]{{5}})(?:-(?P<more>[0-9]{{4}}))?(?![\w,.][0-9]|\w)", _zip),
    rule(
        rf"\b(?P<book>{_SCRIPTURE})\s(?P<chapter>[0-9]{{1,3}}):(?P<verse>[0-9]{{1,3}})"
        rf"(?:[-–](?P<last>[0-9]{{1,3}}))?(?![\w:])",
        _verse,
        needs=":",
    ),
)
AFTER_DATES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<![\w.,])(?P<number>[0-9]{1,3}(?: [0-9]{3}){1,5}|[0-9]{1,3}(?:\.[0-9]{3}){2,5})(?![\w]|[.,][0-9])", _grouped
    ),
    rule(
        r"(?<![\w.$€£])(?P<word>)(?P<v>)(?P<numbers>[0-9]{1,5}(?:\.[0-9]{1,5}){2,4})(?![0-9]|\.[0-9])",
        _version,
        needs=".vV",
    ),
)
