"""Which characters end, close, open or join a sentence: the alphabet of every rule, as data.

Knows characters only, no words and no languages. `reading`, `stops`, `lines` and the chunker stand above it.
"""

import re
from typing import Final

__all__ = [
    "BLANKS",
    "BORROWED_STOP",
    "BORROWED_STOPS",
    "BULLETS",
    "CASED_LETTER",
    "CLAUSE_MARKS",
    "CLOSING_TAG",
    "DANDAS",
    "EMOJI",
    "EMOTICON",
    "FACE",
    "INTERESTING",
    "LINE_BREAKS",
    "NOTE",
    "NUMBERED_NOTE",
    "OPENERS",
    "OPENING_TAG",
    "QUOTE_PAIRS",
    "SPEAKABLE",
    "STOPS",
    "WIDE_LETTER",
    "WIDE_STOPS",
    "is_closer",
    "is_wide",
    "left_open",
    "stands_open",
]

LINE_BREAKS: Final = "\n\u2028\u2029"

# Full stops that end a sentence whatever follows: full-width, Devanagari, Arabic script, Armenian, Ethiopic, Burmese,
# Khmer.
WIDE_STOPS: Final = "。！？｡．"
DANDAS: Final = "।॥؟۔։።፧။។៕"
_STOP_CLASS: Final = ".!?…‼⁇⁈⁉‽" + WIDE_STOPS + DANDAS

STOPS: Final = re.compile(f"[{_STOP_CLASS}]*")
# Stops behind letters of one script only: the Armenian full stop as keyboards have it, the Greek question mark.
BORROWED_STOPS: Final = ":;"
BORROWED_STOP: Final = re.compile("[\u0530-\u058f]:|[\u0370-\u03ff\u1f00-\u1fff];")
# What an item of a list on one line may begin with; ")" ends its number.
BULLETS: Final = "•◦▪‣⁃"
INTERESTING: Final = re.compile(f"[{_STOP_CLASS}{LINE_BREAKS}{BULLETS}{BORROWED_STOPS})`~]")
BLANKS: Final = re.compile(rf"[^\S{LINE_BREAKS}]*")

SPEAKABLE: Final = re.compile(r"[^\W_]")
CASED_LETTER: Final = re.compile(r"[^\W\d_]")

_CLOSERS: Final = frozenset("\"'”’»›)]}*_~)」』）】》〉〕］｝｣¹²³⁰⁴⁵⁶⁷⁸⁹†‡")
OPENERS: Final = frozenset("\"'“‘«‹„‚([{*_~¿¡「『（【《〈〔［｛｢»”#>")

# Marks that open in one language and close in another; which, is told by what the chunk has opened.
QUOTE_PAIRS: Final = {"“": "„", "‘": "‚", "«": "»", "»": "«", "‹": "›"}

NOTE: Final = re.compile(r"\[\^?(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|[a-z]|\w{2,9}(?: \w{1,9})?)\]")
# A number that stands for a note: "[3]", "(3)".
NUMBERED_NOTE: Final = re.compile(r"\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|\(\d{1,2}(?:[,–-]\d{1,2})*\)")
CLOSING_TAG: Final = re.compile(r"</[A-Za-z][\w:-]{0,15}\s?>|<br/?>")
OPENING_TAG: Final = re.compile(r"<[A-Za-z][^<>\s]{0,40}>")

CLAUSE_MARKS: Final = ",;:—–、，；：،؛"

_EMOJI_CLASS: Final = "\U0001f000-\U0001faff☀-➿\u200d\ufe0f\u20e3\U000e0020-\U000e007f⬀-⯿⌚-⏿"
EMOJI: Final = re.compile(f"[{_EMOJI_CLASS}]*")
EMOTICON: Final = re.compile(r"[:;=][-'^o]?[)(DPpOo/\\|3*]|<3|[xX]D|\^_?\^")
# A face in brackets: "(^o^)", "(>_<)", "(´・ω・`)".
FACE: Final = re.compile(r"\([\^>;´・°≧＾＞][^()\s]{0,8}\)")

# Scripts written without spaces and without case, in which a letter after a stop begins a sentence.
_WIDE_CLASS: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff\u3100-\u318f\u31a0-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)
WIDE_LETTER: Final = re.compile(f"[{_WIDE_CLASS}]")


def is_closer(char: str) -> bool:
    """Whether `char`, attached to a stop, belongs to the sentence before it."""
    return char in _CLOSERS


def is_wide(char: str) -> bool:
    return bool(char) and WIDE_LETTER.match(char) is not None


_PAIRS: Final = ("“”", "«»", "「」", "『』", "()", "（）", "[]")


_OPENS_QUOTE: Final = re.compile("[“«»„‹›「『]")
_QUOTES: Final = ("“”", "«»", "»«", "„“", "‹›", "›‹", "「」", "『』")


def left_open(text: str) -> str:
    """The opening quote marks that `text` leaves open, at most one of each kind; "" behind an empty line."""
    if not _OPENS_QUOTE.search(text):
        return ""
    text = text.rpartition("\n\n")[2]
    found = ""
    for opener, closer in _QUOTES:
        if opener not in text:
            continue
        other = text.find(closer)
        if (other < 0 or text.find(opener) < other) and text.count(opener) > text.count(closer):
            found += opener
    return found


def stands_open(text: str) -> bool:
    """Whether a quote or bracket in `text` waits for its other half."""
    if text.count('"') % 2:
        return True
    if "„" in text:
        return text.count("„") > text.count("“") + text.count("”")
    return any(text.count(opener) > text.count(closer) for opener, closer in _PAIRS if opener in text)
