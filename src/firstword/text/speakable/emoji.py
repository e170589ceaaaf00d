"""Emoji and text smileys: dropped, or named as Unicode names them."""

import re
import unicodedata
from typing import Final

from firstword.text.edits import Claims

__all__ = ["pictures"]

_BASE: Final = (
    "\U0001f000-\U0001f1e5\U0001f200-\U0001faff\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe"
    "\u2600-\u266c\u2670-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u303d\u3297\u3299"
)
_EXTRAS: Final = "\ufe0e\ufe0f\u20e3\u200d\U0001f3fb-\U0001f3ff"
_EMOJI: Final = re.compile(f"[\U0001f1e6-\U0001f1ff]{{2}}|[\U0001f1e6-\U0001f1ff]|[{_BASE}][{_BASE}{_EXTRAS}]*+")
_KEYCAP: Final = re.compile("(?<=[0-9#*])\ufe0f?\u20e3|[\ufe0e\ufe0f\u20e3]")
_SMILEY: Final = re.compile(
    r"(?<![^\s.,!?])(?:[:;=]'?-?[)(DPpOo|/\\\]\[*]|<3+(?=\s?(?:[.,!?]|\Z|you\b|it\b|this\b|u\b))"
    r"|(?<=\bI )<3+|(?<=\b[Ww]e )<3+|</3|\^_+\^|[xX]D+|-_+-|¯\\{1,3}_\(ツ\)_/¯)(?![^\s.,!?])"
)
_EYES: Final = r"[°^><TQ¬•◕◔◉⊙ಠಥ≧≦´｀`'=@*;⌒￣ˇ・╥✿♥━ᵔ-]"
_KAOMOJI: Final = re.compile(
    rf"[ヽ\\٩ლ乁ᕙ┌╭]?\(\s?[*｡;・╯ノっづ]?\s?{_EYES}\s?[_.oωO□▽‿◡ᴗ∀ヮ﹏益εツ･。～〜-]{{1,3}}\s?{_EYES}\s?[*｡;・]?\s?\)"
    r"[╯ノつづっﾉ/و♪ლ┐ㄏᕗ]{0,2}(?:\s?[︵彡⌒~]{0,3}\s?[┻┬][━─]{1,3}[┻┬])?"
    r"|ʕ[^\sʔ]{2,8}ʔ|(?<!\w)[ಠಥ]_{1,3}[ಠಥ](?!\w)|[┻┬][━─]{1,3}[┻┬]"
)
_STARRED: Final = re.compile("(?<=[0-9])\\s?[★⭐](?!\ufe0f?[★☆⭐])\ufe0f?")
_FULL: Final = "★"
_STARS: Final = re.compile("[★☆]{3,10}")
_ONE: Final = re.compile(f"[{_BASE}]")
_SILENT: Final = frozenset("\u2640\u2642\u27a4\u2794")
_COUNTRIES: Final = {
    "US": "the United States", "GB": "the United Kingdom", "FR": "France", "DE": "Germany", "ES": "Spain",
    "IT": "Italy", "JP": "Japan",
    "CN": "China", "KR": "South Korea", "IN": "India", "BR": "Brazil",
    "CA": "Canada", "MX": "Mexico",
    "AU": "Australia", "NL": "the Netherlands", "SE": "Sweden", "NO": "Norway", "DK": "Denmark", "FI": "Finland",
    "PL": "Poland", "PT": "Portugal", "CH": "Switzerland", "AT": "Austria", "BE": "Belgium", "IE": "Ireland",
    "UA": "Ukraine", "TR": "Turkey", "ZA": "South Africa", "AR": "Argentina", "EU": "the European Union",
}  # fmt: skip


def pictures(claims: Claims, *, named: bool) -> None:
    text = claims.masked
    claims.rule(_KAOMOJI, "")
    if not text.isascii():
        claims.rule(_STARRED, _stars)
        claims.rule(_STARS, lambda match: f" {match[0].count(_FULL)} out of {len(match[0])} stars ")
        claims.rule(_EMOJI, lambda match: _name(match[0]) if named else "")
        claims.rule(_KEYCAP, "")
    claims.rule(_SMILEY, "")


def _stars(match: re.Match[str]) -> str:
    """5★ hotel, rated 4.5★."""
    return " star" if match.string[match.end() : match.end() + 2].strip().isalpha() else " stars"


def _name(emoji: str) -> str:
    if "\U0001f1e6" <= emoji[0] <= "\U0001f1ff":
        letters = "".join(chr(ord(char) - 0x1F1E6 + ord("A")) for char in emoji)
        return f" flag of {_COUNTRIES[letters]} " if letters in _COUNTRIES else " flag "
    names = [
        unicodedata.name(char, "").lower()
        for char in _ONE.findall(emoji)
        if char not in _SILENT and not "\U0001f3fb" <= char <= "\U0001f3ff"
    ]
    return " " + ", ".join(name.replace("-", " ") for name in names if name) + " "
