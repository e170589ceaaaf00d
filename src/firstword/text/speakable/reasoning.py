"""Takes out of a live text what is never said: reasoning, calls of tools, comments, scripts. Sits before the chunker.

    feed(delta) -> [(source_start, text)]     what may be said, and where it stands in everything fed so far
    finish()    -> the same for what was held back because it might have become a tag

A tag may arrive cut anywhere; nothing but a possible beginning of one is ever held back. A tag quoted in code is text.
An opened block that never ends is never said.
"""

import re
from typing import Final

__all__ = ["ReasoningFilter"]

_NAMES: Final = (
    "think", "thinking", "thought", "reasoning", "reflection", "scratchpad", "analysis", "script", "style",
    "tool_call", "tool_calls", "function_call", "function_calls", "tool_use", "tool_code", "tool_result",
    "tool_results", "tool_response", "tool_output",
)  # fmt: skip
_FIXED: Final = {"<!--": "-->", "[THINK]": "[/THINK]", "◁think▷": "◁/think▷", "<|channel|>analysis": "<|channel|>final"}
_OPEN: Final = re.compile(
    rf"<(?P<name>{'|'.join(_NAMES)})(?:\s[^<>]{{0,200}})?>|(?P<fixed>{'|'.join(map(re.escape, _FIXED))})", re.IGNORECASE
)
_STRAY: Final = re.compile(rf"</(?:{'|'.join(_NAMES)})\s{{0,20}}>|\[/THINK\]|◁/think▷", re.IGNORECASE)
_ATTRIBUTES: Final = re.compile(
    rf"<(?:{'|'.join(_NAMES)})\s[^<>]{{0,200}}|</(?:{'|'.join(_NAMES)})\s{{0,20}}", re.IGNORECASE
)
_STARTS: Final = re.compile(r"[<\[◁]")
_BEGINNINGS: Final = frozenset(
    tag[:length].lower()
    for tag in [*_FIXED, *_FIXED.values(), *(f"<{name}>" for name in _NAMES), *(f"</{name}>" for name in _NAMES)]
    for length in range(1, len(tag))
)
_FENCE: Final = re.compile(r" {0,3}(?:```|~~~)")
_LONGEST_CLOSE: Final = 40


class ReasoningFilter:
    """Feed it a text in any pieces; the result is that of the whole text at once."""

    def __init__(self, *, inside: bool = False) -> None:
        self._held = ""
        self._at = 0  # where `_held` begins in the source
        self._close: re.Pattern[str] | None = _closing("think") if inside else None
        self._last = ""  # the character before `_held`
        self._line = ""  # the beginning of the line that `_held` continues
        self._fenced = False

    def feed(self, delta: str) -> list[tuple[int, str]]:
        self._held += delta
        return self._drain(final=False)

    def finish(self) -> list[tuple[int, str]]:
        return self._drain(final=True)

    def _drain(self, *, final: bool) -> list[tuple[int, str]]:
        out: list[tuple[int, str]] = []
        text, at = self._held, 0
        while at < len(text):
            step = self._skip(text, at, self._close) if self._close else self._pass(text, at, final, out)
            if step == at:
                break
            at = step
        if final and self._close:
            at = len(text)
        self._held = text[at:]
        self._at += at
        return _joined(out)

    def _skip(self, text: str, at: int, close: re.Pattern[str]) -> int:
        """Past the end of the hidden block if that is here; else keep only what may be the beginning of its end."""
        match = close.search(text, at)
        if match:
            self._close, self._last = None, ">"
            return match.end()
        return max(at, len(text) - _LONGEST_CLOSE)

    def _pass(self, text: str, at: int, final: bool, out: list[tuple[int, str]]) -> int:
        """Emit up to the next tag and enter or drop it; `at` itself if more text is needed to tell."""
        seen = at
        while found := _STARTS.search(text, seen):
            start = found.start()
            self._emit(text, at, start, out)
            at = start
            if not self._quoted():
                if match := _OPEN.match(text, start):
                    self._close = _closing(match["name"] or match["fixed"])
                    return match.end()
                if match := _STRAY.match(text, start):
                    return match.end()
                if not final and _unfinished(text, start):
                    return start
            seen = start + 1
        self._emit(text, at, len(text), out)
        return len(text)

    def _quoted(self) -> bool:
        return self._fenced or self._last == "`"

    def _emit(self, text: str, start: int, end: int, out: list[tuple[int, str]]) -> None:
        if start == end:
            return
        piece = text[start:end]
        out.append((self._at + start, piece))
        self._last = piece[-1]
        self._follow_fences(piece)

    def _follow_fences(self, piece: str) -> None:
        lines = piece.split("\n")
        for index, line in enumerate(lines):
            if index:
                self._line = ""
            if len(self._line) < 6:
                was = _FENCE.match(self._line) is not None
                self._line += line[:6]
                if not was and _FENCE.match(self._line):
                    self._fenced = not self._fenced


def _joined(pieces: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The same with pieces that touch put together."""
    groups: list[tuple[int, list[str]]] = []
    end = -1
    for start, text in pieces:
        if start != end:
            groups.append((start, []))
        groups[-1][1].append(text)
        end = start + len(text)
    return [(start, "".join(texts)) for start, texts in groups]


def _closing(tag: str) -> re.Pattern[str]:
    fixed = next((close for open_, close in _FIXED.items() if open_.lower() == tag.lower()), None)
    return re.compile(re.escape(fixed) if fixed else rf"</{tag}\s{{0,20}}>", re.IGNORECASE)


def _unfinished(text: str, start: int) -> bool:
    """Whether the rest of the text may be the beginning of a tag."""
    rest = text[start : start + 300]
    if len(rest) < 300 and rest.lower() in _BEGINNINGS:
        return True
    match = _ATTRIBUTES.fullmatch(rest) if len(rest) < 300 else None
    return match is not None
