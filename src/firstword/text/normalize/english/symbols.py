"""Signs between and around words. After these rules nothing is left that a voice would name by mistake."""

import re
from typing import Final

from firstword.text.normalize.english.rule import Rule, after, before, rule
from firstword.text.normalize.english.words import Words
from firstword.text.wordlist import listed, table

__all__ = ["BETWEEN", "RESIDUE", "RULES"]

_WORDS: Final = table("""
    &: and
    @: at
    =: equals
    ≠: is not equal to
    ≤: is less than or equal to
    ≥: is greater than or equal to
    ≈: is approximately
    ±: plus or minus
    ×: times
    ⋅ ∙: times
    ÷: divided by
    √: the square root of
    ∛: the cube root of
    ∞: infinity
    °: degrees
    §: section
    ¶: paragraph
    ©: copyright
    %: percent
    ‰: per mille
    +: plus
    −: minus
    → ↦: to
    ←: from
    ↔: to and from
    ⇒: implies
    ↑: up
    ↓: down
    ∴: therefore
    ∝: is proportional to
    ∠: angle
    ⊥: is perpendicular to
    ∥: is parallel to
    ⊂ ⊆: is a subset of
    ∅: the empty set
    ⌘: Command
    ⌥: Option
    ⇧: Shift
    ≡: is equivalent to
    ¬: not
    ∑: the sum of
    ∫: the integral of
    ∂: partial
    ∈: in
    ∉: not in
    ∪: union
    ∩: intersection
    ∀: for all
    ∃: there exists
    ′: prime
    ″: double prime
    $: dollars
    €: euros
    £: pounds
    ¥: yen
    ¢: cents
    ₹: rupees
    №: number
    ♯: sharp
    ♭: flat
    ♮: natural
    π: pi
    ∆ Δ δ: delta
    α: alpha
    β: beta
    γ: gamma
    ε: epsilon
    θ: theta
    λ: lambda
    μ µ: mu
    σ Σ: sigma
    τ: tau
    φ: phi
    ω Ω: omega
""")
_LETTERS: Final = "".join(sign for sign in _WORDS if "\u0370" <= sign <= "\u03ff")
"""Greek: a name when it stands alone, else a word of its language."""
_MARKS: Final = "".join(sign for sign in "".join(_WORDS) if sign not in _LETTERS)
_SILENT: Final = "®™†‡^\\~#<>{}[]*_`¦¤¨ºª»«·"
_COMMAS: Final = "|•"
_PAIRS: Final = table("""
    == ===: equals
    != !==: is not equal to
    <=: is less than or equal to
    >=: is greater than or equal to
    &&: and
    ||: or
    => -> -->: to
    <-: from
    <->: to and from
    +=: plus equals
    -=: minus equals
""")
_FORMULA: Final = 60
_MATHS: Final = re.compile(
    r"[=×÷√²³^±]|\b(?:[Ww]hat(?:'s|’s| is)|[Cc]alculate|[Cc]ompute|[Ss]olve)\s[0-9]|[0-9]\s(?:is|equals|makes)\s[0-9]"
)
_VERB: Final = re.compile(
    r"(?:\A|&)\s?\Z|\b(?:is|are|was|were|be|needs?|requires?|and|or|with|for|of|to|at)\s?\Z"
    r"|\b(?:[Ii]s|[Aa]re)\s[^\s.?!]{1,20}(?:\s?[+×*/-]\s?[^\s.?!]{1,20})?\s?\Z"
)
_HAS_VERB: Final = re.compile(r"[0-9.,]{1,12}%?\s(?:is|are|was|were|means?|counts?|will|should|must|can|may)\b")
"""A value <3 is low."""
_PER: Final = table("""
    mL ml: milliliter
    L: liter
    kg: kilogram
    min: minute
    sec s: second
    hr h: hour
    day: day
    week wk: week
    month mo: month
    year yr: year
    user: user
    person: person
""")
"""What things are counted by: cells/mL, calls/min."""
_EITHER: Final = frozenset(listed("he/she she/he his/her her/his him/her yes/no true/false on/off pass/fail either/or"))


def _pair(match: re.Match[str], _words: Words) -> str:
    return f" {_PAIRS[match[0]]} "


def _sign(match: re.Match[str], _words: Words) -> str:
    return f" {_relation(_WORDS[match['sign']], match)} "


def _relation(said: str, match: re.Match[str]) -> str:
    """7 > 5 without its verb where one stands before it: Is 7 > 5? It is > 5."""
    has_verb = said.startswith("is ") and (_VERB.search(before(match, _FORMULA)) or _HAS_VERB.match(after(match)))
    return said.removeprefix("is ") if has_verb else said


def _slash(match: re.Match[str], _words: Words) -> str:
    left, right = match["left"], match["right"]
    if f"{left}/{right}".lower() in _EITHER:
        return f"{left} or {right}"
    if len(left) > 3 and left.endswith("s") and right in _PER:
        return f"{left} per {_PER[right]}"
    return f"{left} {right}" if left.isupper() and right.isupper() else f"{left} slash {right}"


def _compared(match: re.Match[str], _words: Words) -> str:
    return f" {_relation(f'is {"less" if match["sign"] == "<" else "greater"} than', match)} "


def _minus(match: re.Match[str], _words: Words) -> str | None:
    """A dash with spaces around it, in a formula."""
    around = match.string[max(0, match.start() - _FORMULA) : match.end() + _FORMULA]
    return " minus " if _MATHS.search(around) else None


def _function(match: re.Match[str], _words: Words) -> str:
    return {"sin": "sine", "cos": "cosine", "tan": "tangent"}[match["name"]]


def _bound(match: re.Match[str], _words: Words) -> str:
    return "less than " if match["sign"] == "<" else "more than "


RULES: Final[tuple[Rule, ...]] = (
    rule(r"(?<![-<=>!&|+*])(?:===?|!==?|<=|>=|&&|\|\||=>|-->|<->|->|<-(?=\s)|\+=|-=)(?![-=>&|+*])", _pair),
    rule(r"(?<!\w)\+/[-−]\s?", " plus or minus ", needs="+"),
    rule(r"(?<=\w)::(?=\w)", " "),
    rule(r"(?<=[0-9a-z)])!(?=\s?[=+*/×÷)-])", " factorial"),
    rule(r"\$(?=[A-Za-z])", "dollar "),
    rule(r"(?<=[0-9\ue000)])\s[-−–]\s(?=[0-9\ue000(][^=\n]{0,40}=)", " minus "),
    rule(r"(?<=\b[a-zA-Z])\s[-−]\s(?=[0-9a-zA-Z]\b)", " minus "),
    rule(r"(?:(?<=[0-9\ue000)²³])|(?<=\b[a-z])|(?<=[0-9][a-z]))\s[-−]\s(?=[0-9\ue000(√]|[a-z]\b)", _minus),
    rule(r"(?:(?<=\()|(?<=[=+×÷*/±,] ))[-−](?=\(|[a-zA-Z]\b)|\A[-−](?=[a-z][/²³^*+])", " minus "),
    rule(r"(?<=[0-9\ue000)])\s/\s(?=[0-9\ue000(])", " over ", needs="/"),
    rule(r"\b(?P<name>sin|cos|tan)(?=\(|[²³^]|\s?[α-ω])", _function, needs="sct"),
    rule(r"(?<=[\w)\ue000])\s?(?P<sign>[<>])\s?(?=[0-9\ue000-]|[a-zA-Z]\b)", _compared),
    rule(r"(?<=[\w)\ue000])\s?≈\s?(?=\S)", " is approximately "),
    rule(r"(?<![\w<])(?P<sign>[<>])\s?(?=[0-9$€£])", _bound),
    rule(r"(?<![\w~])~\s?(?=[0-9$€£])", "about "),
    rule(r"(?<=[\w\ue000])\+(?!\w)", " plus"),
    rule(r"(?<=\b[A-DF])[-−](?=[.,;!)]|\s*\Z|\s(?:grade|average|student|rating|range|in|on|or|and|to)\b)", " minus"),
    rule(r"(?<=\bUTC|\bGMT)[-−–](?=[0-9])", " minus "),
    rule(r"(?:(?<=[\s(])|\A)!(?=[a-z(])", "not "),
)
BETWEEN: Final[tuple[Rule, ...]] = (
    rule(r"(?<=[\ue000)])/(?=[a-z]\b|\()|(?<=\b[abkmnpqtuvxyz])/(?=[0-9\ue000(])|(?<=\))/(?=[0-9\ue000(])", " over "),
    rule(r"\b(?P<left>[A-Za-z]{1,20})/(?P<right>[A-Za-z]{1,20})\b", _slash),
)
"""Slashes between words, once units and sums have taken theirs."""
RESIDUE: Final[tuple[Rule, ...]] = (
    rule(rf"(?P<sign>[{_LETTERS}])(?<![\u0370-\u03ff].)(?![\u0370-\u03ff])", _sign),
    rule(rf"(?P<sign>[{re.escape(_MARKS)}])(?P=sign)*+", _sign),
    rule(r"(?<=\ue000)/(?=\ue000)", " slash "),
    rule(rf"[{re.escape(_SILENT)}/]++", " "),
    rule(rf"[{re.escape(_COMMAS)}]++", ","),
)
