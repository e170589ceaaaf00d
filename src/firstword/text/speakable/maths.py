"""LaTeX-like mathematics as it is read out."""

import re
from typing import Final

from firstword.text.edits import MASK, Claims, Edit
from firstword.text.wordlist import table

__all__ = ["Displays", "formulas"]

_FORMULA: Final = re.compile(
    rf"\$\$(?P<a>[^$`{MASK}]{{1,2000}})\$\$|\\\((?P<b>[^\n`{MASK}]{{1,1000}}?)\\\)|\\\[(?P<c>[^`{MASK}]{{1,2000}}?)\\\]"
    rf"|(?<![\w$\\])\$(?P<d>(?=[^$\n]{{0,200}}[\\^_={{])[^\s$`{MASK}](?:[^$\n`{MASK}]{{0,300}}[^\s$`{MASK}])?)\$(?!\d)"
    rf"|(?<![\w$\\])\$(?P<e>(?:[a-zA-Z(|]|(?=[0-9a-z+*/<>=().,! -]{{1,60}}\$)[0-9]{{1,6}}\s?[a-z+*/<>=(-])"
    rf"(?:[^$\n`{MASK}]{{0,80}}[^\s$`{MASK}])?)\$(?!\w)"
)
_BARE: Final = re.compile(r"\\(?:frac|sqrt|times|cdot|leq?|geq?|neq?|pm|pi|approx|infty|alpha|beta|theta|div)\b")
_ABSOLUTE: Final = re.compile(r"(?<![\w|])\|[\w.+-][\w.+ -]{0,28}\|(?=\s?[<>=≤≥])")
_FRACTION: Final = re.compile(r"\\[dt]?frac\s?\{([^{}]{1,200})\}\s?\{([^{}]{1,200})\}")
_ROOT: Final = re.compile(r"\\sqrt\s?(?:\[([^\[\]]{1,20})\])?\s?\{([^{}]{1,200})\}")
_STYLES: Final = r"text|mathrm|mathbf|mathit|mathbb|mathcal|operatorname|vec|hat|bar|overline|boxed"
_TEXT: Final = re.compile(rf"\\(?:{_STYLES})\s?\{{([^{{}}]{{1,200}})\}}")
_POWER: Final = re.compile(r"\^\s?(?:\{([^{}]{1,100})\}|(\w))")
_INDEX: Final = re.compile(r"_\s?(?:\{([^{}]{1,100})\}|(\w))")
_COMMAND: Final = re.compile(r"\\([a-zA-Z]{1,30})")
_LAYOUT: Final = re.compile(
    r"\\[,;:! ]|\\\\|[{}&]"
    r"|\\(?:left|right|quad|qquad|displaystyle|big|Big|limits|begin|end)\b\s?(?:\{[^{}]{0,30}\})?"
)
_WORDS: Final = table("""
    times cdot: times
    div: divided by
    pm: plus or minus
    mp: minus or plus
    le leq: is less than or equal to
    ge geq: is greater than or equal to
    lt: is less than
    gt: is greater than
    ne neq: is not equal to
    approx: is approximately
    sim: is similar to
    equiv: is equivalent to
    propto: is proportional to
    infty: infinity
    to rightarrow: to
    Rightarrow implies: implies
    iff: if and only if
    in: in
    notin: not in
    subset: is a subset of
    cup: union
    cap: intersection
    forall: for all
    exists: there exists
    sum: the sum of
    prod: the product of
    int: the integral of
    lim: the limit of
    ln: the natural log of
    circ degree: degrees
    ldots cdots dots: and so on
    sin: sine
    cos: cosine
    tan: tangent
    emptyset: the empty set
    perp: is perpendicular to
    parallel: is parallel to
    varepsilon: epsilon
    varphi: phi
""")
_SIGNS: Final = {
    "+": " plus ", "-": " minus ", "−": " minus ", "=": " equals ", "*": " times ", "/": " over ", "'": " prime ",
    "<": " is less than ", ">": " is greater than ", "!": " factorial ",
}  # fmt: skip
_POWERS: Final = {"2": "squared", "3": "cubed"}
_MOST_NESTED: Final = 8
_LONGEST_DISPLAY: Final = 20
"""Lines; a mark that nothing closes must not spoil the rest of a text."""


class Displays:
    """Formulas between lines of `$$` (or of `\\[` and `\\]`) alone, which a chunker cuts at their line breaks."""

    def __init__(self) -> None:
        self._lines = 0
        """Of the open formula so far; 0: none is open."""

    def edits(self, text: str) -> list[Edit]:
        """The formulas of one text after another."""
        if not self._lines and "$$" not in text and "\\[" not in text:
            return []
        edits: list[Edit] = []
        at = 0
        for line in text.split("\n"):
            end = at + len(line)
            if line.strip() in ("\\]" if self._lines else "\\[", "$$"):
                edits.append(Edit(at, end, ""))
                self._lines = 0 if self._lines else 1
            elif self._lines:
                edits.append(Edit(at, end, read(line)))
                self._lines = (self._lines + 1) % _LONGEST_DISPLAY
            at = end + 1
        return [edit for edit in edits if edit.start < edit.end]


def formulas(claims: Claims) -> None:
    text = claims.masked
    if "$" in text or "\\" in text:
        claims.rule(_FORMULA, lambda match: f" {read(next(part for part in match.groups() if part))} ")
    if "|" in text:
        claims.rule(_ABSOLUTE, _absolute)
    if "\\" in text and _BARE.search(text):
        claims.rule(re.compile(r"\\(?:frac|sqrt)(?:\{[^{}\n]{1,200}\}){1,2}"), lambda match: f" {read(match[0])} ")
        claims.rule(_COMMAND, lambda match: f" {_WORDS.get(match[1], match[1])} ")


def _absolute(match: re.Match[str]) -> list[Edit]:
    return [Edit(match.start(), match.start() + 1, "the absolute value of "), Edit(match.end() - 1, match.end(), "")]


def read(formula: str) -> str:
    """A formula in words."""
    said = formula
    for _ in range(_MOST_NESTED):
        before = said
        said = _TEXT.sub(r" \1 ", said)
        said = _FRACTION.sub(r" \1 over \2 ", said)
        said = _ROOT.sub(_root, said)
        said = _POWER.sub(_power, said)
        said = _INDEX.sub(lambda match: f" sub {match[1] or match[2]} ", said)
        if said == before:
            break
    said = _LAYOUT.sub(" ", said)
    said = _COMMAND.sub(lambda match: f" {_WORDS.get(match[1], match[1])} ", said)
    said = re.sub(r"(?<=\d)(?=[a-zA-Z])|(?<=[\w)])(?=\()", " ", said)
    said = "".join(_SIGNS.get(char, char) for char in said)
    return " ".join(re.sub(r"[$\\^_{}|]|\(\s?\)", " ", said).split())


def _root(match: re.Match[str]) -> str:
    kind = {None: "square", "2": "square", "3": "cube"}.get(match[1], f"{match[1]}th")
    return f" the {kind} root of {match[2]} "


def _power(match: re.Match[str]) -> str:
    power = (match[1] or match[2]).strip()
    if power in _POWERS:
        return f" {_POWERS[power]} "
    if power in ("\\circ", "∘"):
        return " degrees "
    return f" to the {power} "
