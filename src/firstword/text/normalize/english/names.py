"""Roman numerals, titles, streets, abbreviations, numbered things."""

import re
from collections.abc import Sequence
from typing import Final

from firstword.text.edits import Edit
from firstword.text.normalize.english.rule import Rule, after, before, part, rule
from firstword.text.normalize.english.words import Words
from firstword.text.normalize.roman import roman
from firstword.text.wordlist import listed, table

__all__ = ["NUMBERED", "RULES"]

_ROMAN: Final = r"(?=[IVXL])(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})"
_RULERS: Final = "|".join(
    listed("""
    Henry Louis George Elizabeth Charles James Edward William Richard Paul Benedict Pius Leo Gregory Francis
    Clement Innocent Urban Boniface Napoleon Frederick Wilhelm Nicholas Peter Catherine Alexander Philip
    Ferdinand Ramses Ramesses Ptolemy Mary Ivan Otto Gustav Christian Haakon Harald Olav Carl Felipe Alfonso
    Umberto Emmanuel Mehmed Selim Suleiman Darius Xerxes Artaxerxes Theodosius Constantine Baldwin Robert
    Stephen Margaret Isabella Carlos Thutmose Amenhotep Seti Kamehameha Akbar Rama Leopold Joseph Franz Pope
    King Queen Emperor Tsar Sultan Willem Juliana Beatrix Cleopatra Antiochus Tiglath Justinian Basil Sixtus
    Julius Adrian Callixtus Celestine Honorius Albert Rainier Hussein Abdullah Faisal Mohammed Hassan Pedro
    Afonso Sancho Casimir Sigismund Vladislaus Stanislaw Matthias Rudolf Maximilian Ludwig
    """)
)
_NUMBERED_NOUNS: Final = "|".join(
    listed("""
    War Chapter Part Act Scene Volume Book Section Phase Stage Level Class Type Title Article Appendix Figure Table Bowl
    Rocky Fantasy Apollo Mark Schedule Step Unit Lesson Episode Season Round Grade Group Tier Division Factor Complex
    Civilization Saturn Titan Gemini Annex Category Corps Region Zone Module Exhibit Rank Album Symphony Sonata Concerto
    Opus Movement Canto Vatican Vol Chap Pt Mk Clause Amendment Directive Protocol Basel Solvency Quest Souls Diablo
    GTA Auto Civ Scrolls
    """)
)
_CONTEXT: Final = (
    rf"(?:(?:{_NUMBERED_NOUNS})|chapter|part|act|scene|volume|book|section|phase|stage|type|class|figure|table)"
)
_CROWNS: Final = "King|Queen|Pope|Emperor|Empress|Tsar|Czar|Kaiser|Sultan|Prince|Shah|Patriarch"
_REIGNS: Final = (
    "was|had|ruled|reigned|became|died|married|succeeded|is|did|made|inherited|signed|declared|ordered|and|took|led|"
    "abdicated|built|founded|came|granted|issued|in|from"
)
_FIRST_NAMES: Final = "|".join(
    listed("""
    John James Robert Michael William David Richard Joseph Thomas Charles Henry George Edward Frank Albert Walter Samuel
    Harold Arthur Louis Martin Peter Paul Mark Donald Kenneth Steven Andrew Daniel Loudon Thurston Davis
    """)
)
_TITLES: Final = table("""
    Dr: Doctor
    Drs: Doctors
    Profs: Professors
    Brig: Brigadier
    Mr: Mister
    Mrs: Missus
    Ms: Miz
    Prof: Professor
    Gov: Governor
    Sen: Senator
    Rep: Representative
    Gen: General
    Col: Colonel
    Lt: Lieutenant
    Sgt: Sergeant
    Capt: Captain
    Cpt: Captain
    Cmdr: Commander
    Maj: Major
    Rev: Reverend
    Hon: Honorable
    Pres: President
    Fr: Father
    Supt: Superintendent
    St: Saint
    Ste: Sainte
    Mt: Mount
    Ft: Fort
    Messrs: Messieurs
""")
_STREETS: Final = table("""
    St: Street
    Ave Av: Avenue
    Blvd: Boulevard
    Rd: Road
    Ln: Lane
    Dr: Drive
    Ct: Court
    Pl: Place
    Sq: Square
    Hwy: Highway
    Pkwy: Parkway
    Ter: Terrace
    Cir: Circle
    Mt: Mountain
""")
_ABBREVIATIONS: Final = table("""
    e.g. eg. E.g.: for example
    i.e. ie. I.e.: that is
    etc.: et cetera
    vs. vs: versus
    v.: versus
    approx. Approx.: approximately
    dept. Dept.: department
    Inc.: Incorporated
    Ltd.: Limited
    Corp.: Corporation
    Co.: Company
    Bros.: Brothers
    Jr.: Junior
    Sr.: Senior
    Esq.: Esquire
    a.k.a.: AKA
    w/in: within
    w/: with
    w/o: without
    b/c: because
    c/o: care of
    avg. Avg.: average
    temp.: temperature
    est. Est.: established
    incl. Incl.: including
    excl.: excluding
    misc. Misc.: miscellaneous
    tel. Tel.: telephone
    ext. Ext.: extension
    qty. Qty.: quantity
    govt.: government
    dept.: department
    assoc. Assoc.: association
    Univ.: University
    intl. Intl.: international
    mgr. Mgr.: manager
    asst. Asst.: assistant
    attn. Attn.: attention
    apt. Apt.: apartment
    Ste.: Suite
    bldg. Bldg.: building
    hrs.: hours
    mins.: minutes
    secs.: seconds
    yrs.: years
    wk.: week
    wks.: weeks
    cf.: compare
    et_al.: et al
    ca. Ca.: circa
    resp.: respectively
    max. Max.: maximum
    min. Min.: minimum
    orig.: original
    feat. ft.: featuring
    P.S.: PS
    Ph.D. PhD: PHD
    C++: C plus plus
    C#: C sharp
    F#: F sharp
    .NET: dot net
    AT&T: A-T and T
    ASP.NET: ASP dot net
    R&D: R and D
    Q&A: Q and A
    A&E: A and E
    B&B: B and B
    M&A: M and A
    P&L: P and L
    TCP/IP: TCP IP
    I/O: I O
    A/B: A-B
    A/C: A-C
    N/A n/a: not applicable
    and/or: and or
    24-7: twenty-four seven
    README: read me
""")
_MAY_END: Final = frozenset(
    (
        "etc.",
        "Inc.",
        "Ltd.",
        "Corp.",
        "Co.",
        "Bros.",
        "Jr.",
        "Sr.",
        "Esq.",
        "hrs.",
        "mins.",
        "secs.",
        "yrs.",
        "max.",
        "min.",
        "Ph.D.",
        "a.k.a.",
    )
)
_UNITS: Final = frozenset(("ft.", "min."))
_SHORT: Final = "|".join(re.escape(name.replace("_", " ")) for name in sorted(_ABBREVIATIONS, key=len, reverse=True))
_BEFORE_NUMBER: Final = table("""
    No no: number
    Nos nos: numbers
    Fig fig Figs figs: figure
    Vol vol: volume
    Ch ch Chap chap: chapter
    Sec sec: section
    Secs secs: sections
    Eqs eqs: equations
    Vols vols: volumes
    Chs chs: chapters
    p pg: page
    pp pgs: pages
    Rt Rte: route
    Eq eq: equation
    Art art: article
    Pt pt: part
    Ver ver: version
    Ext ext: extension
    Apt apt: apartment
    Rm rm: room
    Op op: opus
    Ref ref: reference
    Lv lv Lvl lvl: level
    Hwy: Highway
    c: circa
""")


def _regnal(match: re.Match[str], words: Words) -> Sequence[Edit]:
    return [part(match, "roman", f"the {words.ordinal(str(roman(match['roman'])))}")]


def _numbered(match: re.Match[str], words: Words) -> Sequence[Edit]:
    return [part(match, "roman", words.cardinal(str(roman(match["roman"]))))]


def _lower(match: re.Match[str], words: Words) -> Sequence[Edit] | None:
    """Scene ii."""
    written = match["roman"].upper()
    return [part(match, "roman", words.cardinal(str(roman(written))))] if re.fullmatch(_ROMAN, written) else None


def _short_numbered(match: re.Match[str], words: Words) -> str:
    """Vol. II."""
    noun = {"v": "volume", "c": "chapter", "p": "part", "b": "book"}[match["short"][0].lower()]
    return f"{noun} {words.cardinal(str(roman(match['roman'])))}"


def _two_numbered(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """Wars I and II, Part I of II, Phase I/II."""
    first = part(match, "roman", words.cardinal(str(roman(match["roman"]))))
    if match["last"]:
        return [first, part(match, "last", words.cardinal(str(roman(match["last"]))))]
    joint = " to " if match.string[match.end("roman")] != "/" else " "
    return [first, Edit(match.end("roman"), match.end(), joint + words.cardinal(str(roman(match["other"]))))]


def _century(match: re.Match[str], words: Words) -> Sequence[Edit]:
    return [part(match, "roman", words.ordinal(str(roman(match["roman"]))))]


def _title(match: re.Match[str], _words: Words) -> Sequence[Edit]:
    return [Edit(match.start(), match.end(), _TITLES[match["title"]])]


def _rank(match: re.Match[str], _words: Words) -> str:
    """Lt. Col."""
    return f"{_TITLES[match['one']]} {_TITLES[match['two']]}"


def _street(match: re.Match[str], _words: Words) -> Sequence[Edit]:
    stop = "." if match["stop"] and _ends_sentence(match) else ""
    return [Edit(match.start("street"), match.end(), _STREETS[match["street"]] + stop)]


def _house(match: re.Match[str], words: Words) -> Sequence[Edit]:
    """1600 Pennsylvania Ave, 221B Baker St."""
    letter = match["letter"]
    said = words.pairs(match["house"]) + (f" {letter.upper()}" if letter else "")
    return [Edit(match.start("house"), match.end("letter") if letter else match.end("house"), said)]


def _compass(match: re.Match[str], _words: Words) -> Sequence[Edit]:
    """16 W 4th St, I-90 W."""
    group = "side" if match["side"] else "way"
    return [Edit(match.start(group), match.end(), _COMPASS[match[group]])]


def _ends_sentence(match: re.Match[str]) -> bool:
    return re.match(r"\s*\Z|\s+[A-Z\"'(]", after(match)) is not None


def _abbreviation(match: re.Match[str], _words: Words) -> str | None:
    written = match["short"]
    if written in ("v.", "min.", "max.", "temp.", "est.", "feat.", "ft.") and not re.match(
        r"\s[A-Za-z0-9]", after(match)
    ):
        return None
    if written in ("Max.", "Min.") and not re.match(r"\s[a-z]", after(match)):
        return None
    if written in _UNITS and re.search(r"(?:[0-9]|\b(?:sq|cu)\.?)\s\Z", before(match)):
        return None
    if written == "v." and not re.search(r"[A-Z][a-z]+\s\Z", before(match)):
        return None
    said = _ABBREVIATIONS[written.replace(" ", "_")]
    return said + ("." if written in _MAY_END and _ends_sentence(match) else "")


def _before_number(match: re.Match[str], _words: Words) -> Sequence[Edit]:
    short = match["short"]
    said = _BEFORE_NUMBER[short]
    return [Edit(match.start(), match.end(), said.capitalize() if short[0].isupper() and match.start() == 0 else said)]


_AFTER_STREET: Final = "NW|NE|SW|SE|North|South|East|West|Apt|Suite|Unit"
_CAPITAL: Final = r"(?=\s?[A-Z][a-z']|\s[A-Z]\.\s?[A-Z]|\s(?:and|&|or)\s[A-Z])"

NUMBERED: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<![\w.])(?P<short>[Nn]os?|[Ff]igs?|[Vv]ols?|[Cc]h(?:ap|s)?|[Ss]ecs?|pp?|pgs?|Rte?|[Ee]qs?|[Aa]rt|[Pp]t|[Vv]er|[Ee]xt|[Aa]pt|[Rr]m|"
        r"[Oo]p|[Rr]ef|[Ll]vl?|Hwy)\.(?=\s?[0-9\ue000])",
        _before_number,
    ),
    rule(
        r"(?<![\w.])(?P<short>c)\.(?=\s?(?:(?:1[0-9]|20)?[0-9]{2}(?!\w)|[0-9]{1,4}\s(?:BC|AD|CE)))",
        _before_number,
        needs="c",
    ),
    rule(r"(?<![\w.])(?P<short>[Nn]o)\.(?=\s[A-Z]{1,3}-?[0-9])", _before_number),
    rule(r"(?<![\w.-])(?<!dash )(?P<short>pp|pg|p|No|Hwy|[Rr]ef)(?=\s[0-9\ue000])", _before_number),
    rule(r"(?<![\w&])#(?=[0-9])|№\s?(?=[0-9])", "number "),
    rule(
        rf"(?<![\w.,])(?P<house>[0-9]{{3,4}})(?P<letter>[A-Da-d])?(?=\s(?:[NSEW]\.?\s)?[A-Z][a-z]+\s(?:[A-Z][a-z]+\s)?(?:Street|Avenue|Road|Lane|Drive|Boulevard|"
        rf"Court|Place|Square|Highway|Parkway|Way|Terrace|{'|'.join(_STREETS)})\b)",
        _house,
    ),
)
_COMPASS: Final = {"N": "North", "S": "South", "E": "East", "W": "West"}
RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?<![\w.])(?P<side>[NSEW])\.?(?=\s(?:[A-Z][a-z]+\s(?:[A-Z][a-z]+\s)?|[0-9]{{1,3}}(?:st|nd|rd|th)\s)"
        rf"(?:Street|Avenue|Road|Lane|Drive|Boulevard|Highway|{'|'.join(_STREETS)})\b)"
        rf"|\b(?:I-|US-|Route |Highway |Hwy |Interstate )[0-9\ue000]{{1,3}}\s(?P<way>[NSEW])(?![\w])",
        _compass,
        needs="NSEW",
    ),
    rule(r"\([cC]\)(?=\s?(?:19|20)[0-9]{2})", "copyright", needs="("),
    rule(r"\bthe (?P<roman>[IVX]{2,5})(?!\w)", _century),
    rule(rf"\b(?:{_RULERS})\s(?P<roman>{_ROMAN})(?![\w-]|'(?!s\b)|\.[A-Z])(?<!\sI(?=\s(?!of\b)[a-z]))", _regnal),
    rule(
        rf"(?:\b(?:{_CROWNS})\s[A-Z][a-z]+|(?:(?<=[.!?]\s)|\A)(?:{_RULERS}))\s(?P<roman>I)(?=\s(?:{_REIGNS})\b)",
        _regnal,
    ),
    rule(
        rf"\b(?:World War|{_CONTEXT})s?\s(?P<roman>{_ROMAN})"
        rf"(?:\s(?:of|and|or|to)\s(?P<last>{_ROMAN})|[/–-](?P<other>{_ROMAN}))"
        r"(?=\W|\Z)(?!'[a-z])",
        _two_numbered,
    ),
    rule(rf"\b(?:World War|{_CONTEXT})\s(?P<roman>{_ROMAN})(?=\W|\Z)(?!'[a-z])", _numbered),
    rule(r"\b(?:[Ss]cene|[Aa]ct|[Cc]hapter|[Pp]art|[Ss]ection|[Pp]ages?)\s(?P<roman>[ivx]{2,5})(?!\w)", _lower),
    rule(rf"(?<![\w.])(?P<short>[Vv]ol|[Cc]h|Chap|[Pp]t|Bk)\.\s(?P<roman>{_ROMAN})(?=\W|\Z)(?!')", _short_numbered),
    rule(rf"\b(?:{_CROWNS})\s[A-Z][a-z]+(?:\s[A-Z][a-z]+)?\s(?P<roman>{_ROMAN})(?<! I)(?![\w-]|'(?!s\b))", _regnal),
    rule(rf"\b(?:{_RULERS})\s(?P<roman>I)(?=\sthe\s[A-Z])", _regnal),
    rule(r"\b(?:Mr|Dr|Prof|Sir|Captain|Judge|Senator)\.?\s[A-Z][a-z]+,?\s(?P<roman>II|III|IV)(?!\w)", _regnal),
    rule(rf"\b(?:{_FIRST_NAMES})\s(?:[A-Z]\.?\s)?[A-Z][a-z]+,?\s(?P<roman>II|III|IV)(?!\w)", _regnal),
    rule(rf"(?<!\w)(?P<roman>{_ROMAN})(?=\s(?:century|centuries|dynasty|Olympiad)\b)", _century),
    rule(r"\b[A-Z][a-zA-Z]+\s(?P<roman>X{0,2}(?:I{2,3}|IV|VI{1,3}|IX)|X[IVX]{1,3})(?!\w)", _numbered),
    rule(
        rf"(?<=[a-z0-9] )(?P<street>{'|'.join(_STREETS)})(?P<stop>\.)"
        rf"(?=\s*\Z|[,;:)]|\s[a-z(&]|\s(?:{_AFTER_STREET})\b)",
        _street,
    ),
    rule(
        r"(?<=[a-z0-9] )(?P<street>St|Ave|Blvd|Rd|Ln|Pkwy|Hwy)(?P<stop>\.?)"
        rf"(?=\s*[.?!]?\Z|[,;:)]|\s[a-z(&]|\s(?:{_AFTER_STREET})\b)",
        _street,
    ),
    rule(r"\b(?P<one>Lt|Maj|Brig|Sgt)\.\s(?P<two>Col|Gen|Gov|Cmdr|Maj)\.", _rank),
    rule(rf"(?<![\w.])(?P<title>{'|'.join(_TITLES)})\.{_CAPITAL}", _title),
    rule(r"(?<![\w.])(?P<title>Dr|Mr|Mrs|Ms|Prof|St|Mt)(?=\s[A-Z][a-z])", _title),
    rule(r"(?<=[a-z]{2})\(s\)", "s", needs="("),
    rule(r"\bC\+\+(?=[0-9])", "C plus plus "),
    rule(rf"(?<![\w.&/])(?P<short>{_SHORT})(?![\w&#+])", _abbreviation),
)
