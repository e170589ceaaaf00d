"""Links, images, citations, inline pronunciations, pauses; bare addresses, hashtags and handles as people say them."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from firstword.text.edits import MASK, Claims, Edit
from firstword.text.pronunciation import check_phonemes, phonemes_of
from firstword.text.speakable.options import SpeakableOptions
from firstword.text.speakable.sign_words import signs_in
from firstword.text.speakable.slots import Slots
from firstword.text.wordlist import listed

__all__ = ["addresses", "brackets"]

_TARGET: Final = r"\((?:[^()\n]|\([^()\n]{0,300}\)){0,1000}+\)"
_IMAGE: Final = re.compile(rf"!\[(?P<text>[^\[\]\n]{{0,500}})\](?:{_TARGET}|\[[^\[\]\n]{{0,100}}\])?")
_PRONOUNCED: Final = re.compile(r"\[(?P<word>[^\[\]\n]{1,200})\]\((?P<ipa>/[^/\n()]{1,300}/)\)")
_LINK: Final = re.compile(rf"\[(?!\d{{1,3}}\]\[)(?P<text>[^\[\]\n]{{0,500}})\](?:{_TARGET}|\[[^\[\]\n]{{0,100}}\])")
_PAUSE: Final = re.compile(r"\[pause:\s?(\d{1,3}(?:\.\d{1,3})?|\.\d{1,3})\s?(ms|s)?\]", re.IGNORECASE)
_LONGEST_PAUSE_S: Final = 10.0
_CITATION: Final = re.compile(
    r"[ \t]?\[(?:\^[^\[\]\n]{1,40}|(?:citation|source)(?: needed)?|[1-9]\d{0,2}(?:\s?[,;–-]\s?\d{1,3}){0,20})\](?!\()"
    r"|[ \t]?【[^【】\n]{1,80}】"
    r"|(?<=\))[¹⁰⁴-⁹][⁰¹²³⁴-⁹]{0,2}(?![\w⁻])"
    r"|(?<=[a-z.,;:!?\"'])(?<!\d[a-z])(?<!\b[a-z]m)(?<!\bft)(?<!\byd)(?<!\bmi)(?<!\bin)(?<!\b[a-z])(?<![Ͱ-Ͽ√][a-z])(?<!=[a-z][a-z])(?<!=\s[a-z][a-z])(?<!\d[a-z][a-z])(?<!\bsin)(?<!\bcos)(?<!\btan)[¹²³⁰⁴-⁹]{1,3}(?![\w⁻])",
    re.IGNORECASE,
)
_VALUES: Final = re.compile(
    r"(?:\b(?:returns?|prints?|outputs?|inputs?|gives|yields|lists?|arrays?|vectors?|tuples?|equals|becomes|is)|[=:(])"
    r"\s?(?P<open>\[)(?=\d[\d, .-]{0,100}\])",
    re.IGNORECASE,
)
"""A list of numbers, which is no citation."""
_URL: Final = re.compile(
    rf"<?\b(?:https?|ftp|wss?|s3|file)://(?P<rest>[^\s<>\"`{MASK}{{}}|\\^\[\]]{{1,2000}})>?|<?\bwww\.(?P<www>[^\s<>\"`{MASK}]{{3,500}})>?",
    re.IGNORECASE,
)
_EMAIL: Final = re.compile(
    r"<?(?:mailto:)?(?<![\w.+-])(?P<user>[A-Za-z0-9_.+-]{1,64}+)@(?P<host>(?:[A-Za-z0-9-]{1,63}+\.){1,6}[A-Za-z]{2,24})\b>?"
)
_TOP: Final = listed("""
    com org net io ai dev app edu gov mil info biz co me tv uk us eu de fr es it ca au jp in ch nl se no cloud tech
    xyz shop store online site blog wiki news live ly gg fm gl sh page gle cafe studio agency design health
""")
_SHORTENERS: Final = listed("be to so is at la my cc st id")
"""Country codes that are words or too short to be told from a missing space: only with a path after them."""
_DOMAIN: Final = re.compile(
    r"(?<![\w@./\\-])(?P<host>(?:[a-z0-9][a-z0-9-]{0,62}+\.){1,5}"
    rf"(?:{'|'.join(_TOP)}|(?:{'|'.join(_SHORTENERS)})(?=/\w)))(?P<path>:\d{{1,5}}\b)?(?P<more>/[\w./%~#?&=+-]{{0,300}})?(?![\w@-]|\.\w)"
    r"|(?<![\w@./\\-])(?:[A-Z][A-Za-z0-9]{2,30}\.(?:com|org|io|ai|gov|edu)|[A-Z0-9]{3,30}\.(?:COM|ORG|GOV|EDU))"
    r"(?:/[\w./-]{0,100})?(?![\w@-]|\.\w)"
)
_HASHTAG: Final = re.compile(r"(?<![\w&#/])#(?=[^\W\d]|\d+[^\W\d])(?P<tag>\w{1,100})")
_CODED: Final = re.compile(r"[A-Z]{0,4}-?\d+[A-Z]{0,2}")
_COLOR: Final = re.compile("(?=[0-9]{0,5}[A-Fa-f])(?=[A-Fa-f]{0,5}[0-9]|[A-F]{6})[0-9A-Fa-f]{6}")
_NUMBERED: Final = re.compile(
    r"\b(?:orders?|tickets?|invoices?|cases?|items?|parts?|models?|rooms?|units?|apt\.?|suites?|PO|ref\.?|reference|SKU|"
    r"number|confirmation|booking|tracking|lot|box|flight|gate|seat)\s\Z",
    re.IGNORECASE,
)
_HANDLE: Final = re.compile(r"(?<![\w@./])@(?=[A-Za-z_])(?P<name>[\w.-]{1,50}\w)")
_HUMPS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|(?<=[A-Za-z])(?=\d)")
_SPELLED: Final = frozenset(
    listed("""
    io ai uk us eu de fr tv edu bbc cnn nhs aws api www ftp url ca au jp ch nl
""")
)
_PIECES: Final = re.compile(r"[^\W\d_]+|[0-9]+|[^A-Za-z0-9\s]|\s+")
_IP: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\w)")
_MACHINE: Final = re.compile(r"(?<!colon )\b\d{1,3}\b")
_LONGEST_NUMBER: Final = 4
_LONGEST_QUERY: Final = 60


def brackets(claims: Claims, slots: Slots, options: SpeakableOptions) -> None:
    """Everything written with brackets: its text stays, its machinery goes."""
    if "[" not in claims.masked and "【" not in claims.masked and not any(c in claims.masked for c in "¹²³"):
        return

    def pronounced(match: re.Match[str]) -> str:
        ipa = phonemes_of(match["ipa"]) or ""
        check_phonemes(ipa, options.symbols)
        return slots.phonemes(match["word"], ipa)

    claims.rule(_PRONOUNCED, pronounced)
    claims.rule(_PAUSE, lambda match: slots.pause(_seconds(match)))
    claims.rule(_IMAGE, _keep_text)
    claims.rule(_LINK, _keep_text)
    claims.rule(_VALUES, lambda match: [Edit(match.start("open"), match.end("open"), "")])
    claims.rule(_CITATION, "")


def _keep_text(match: re.Match[str]) -> list[Edit]:
    return [Edit(match.start(), match.start("text"), ""), Edit(match.end("text"), match.end(), "")]


def _seconds(match: re.Match[str]) -> float:
    value = float(match[1])
    return min(_LONGEST_PAUSE_S, value / 1000 if (match[2] or "s").lower() == "ms" else value)


def addresses(claims: Claims, language: str) -> None:
    """URLs, e-mail addresses, bare domains, hashtags, handles."""
    text, signs = claims.masked, signs_in(language)
    if "://" in text or "www." in text.lower():
        claims.rule(_URL, lambda match: _url(match, signs))
    if "@" in text:
        claims.rule(_EMAIL, lambda match: spell(f"{match['user']}@{match['host']}", signs))
    if "." in text:
        claims.rule(_DOMAIN, lambda match: _domain(match, signs))
    if "#" in text:
        claims.rule(_HASHTAG, _hashtag)
    if "@" in text:
        claims.rule(_HANDLE, lambda match: f"{signs['@']} {_divided(match['name'].replace('.', f' {signs["."]} '))}")


def _hashtag(match: re.Match[str]) -> str | None:
    """None where "#" introduces a number with a letter: order #A1234."""
    if _COLOR.fullmatch(match["tag"]) or match.string[match.end() : match.end() + 2].strip("0123456789") == "-":
        return None
    if _CODED.fullmatch(match["tag"]) and _NUMBERED.search(match.string[max(0, match.start() - 24) : match.start()]):
        return None
    return f"hashtag {_divided(match['tag'])}"


def _divided(name: str) -> str:
    return " ".join(_HUMPS.sub(" ", name).split())


def _url(match: re.Match[str], signs: Mapping[str, str]) -> list[Edit]:
    group = "rest" if match["rest"] else "www"
    body = _without_tail(match[group])
    said = _address(body, signs)
    if group == "www":
        said = f"WWW {signs['.']} {said}"
    end = match.start(group) + len(body)
    closed = match[0].startswith("<") and match[0].endswith(">")
    return [Edit(match.start(), match.end() if closed and end == match.end() - 1 else end, said)]


def _domain(match: re.Match[str], signs: Mapping[str, str]) -> list[Edit]:
    body = _without_tail(match[0])
    return [Edit(match.start(), match.start() + len(body), _address(body, signs))]


def _without_tail(body: str) -> str:
    """An address without the punctuation of the sentence around it."""
    while body and (body[-1] in ".,;:!?'*_~" or (body[-1] == ")" and body.count("(") < body.count(")"))):
        body = body[:-1]
    return body


def _address(body: str, signs: Mapping[str, str]) -> str:
    body, _, fragment = body.partition("#")
    body, _, query = body.partition("?")
    host, slash, path = body.rstrip("/").partition("/")
    said = [
        _MACHINE.sub(lambda match: " ".join(match[0]), spell(host, signs)) if _IP.match(host) else spell(host, signs)
    ]
    if slash:
        said.append(spell("/" + unquote(path), signs))
    if query and len(query) <= _LONGEST_QUERY:
        said.append(spell("?" + unquote(query.replace("+", " ")), signs))
    if fragment and len(fragment) <= _LONGEST_QUERY:
        said.append(spell("#" + unquote(fragment), signs))
    return " ".join(said)


def spell(address: str, signs: Mapping[str, str]) -> str:
    """The parts of an address with its signs as words."""
    parts: list[str] = []
    for piece in _PIECES.findall(address):
        if piece.lower() in _SPELLED or _consonants(piece):
            parts.append(piece.upper())
        else:
            long = piece.isdigit() and len(piece) > _LONGEST_NUMBER
            parts.append(signs.get(piece, " ".join(piece) if long else piece if piece.isalnum() else ""))
    return " ".join(" ".join(parts).split())


def _consonants(piece: str) -> bool:
    return piece.isalpha() and 2 <= len(piece) <= 4 and not set(piece.lower()) & set("aeiouy")
