"""Edits of a text, and rules that make them: the first rule to claim a place keeps it.

A rule is a pattern and a function from its match to the words to put there (or to edits of parts of it, or None: leave
it). Rules run in order over the text with claimed places masked, so each pass is linear and none undoes another.
Above: `normalize` and `speakable`. Patterns must be linear: bounded or possessive repetition only.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

__all__ = ["MASK", "Claims", "Edit", "Handler"]

MASK: Final = "\ue000"
"""Stands for a character that is claimed: no word, no space, and in no text (private use is dropped before)."""


class Edit(NamedTuple):
    """Put `text` where `[start, end)` stands."""

    start: int
    end: int
    text: str


type Handler = Callable[[re.Match[str]], str | Sequence[Edit] | None]


class Claims:
    """The edits of one pass over `text`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._masked = text
        self._edits: list[Edit] = []

    @property
    def masked(self) -> str:
        """The text with what is claimed masked, character for character."""
        return self._masked

    def rule(self, pattern: re.Pattern[str], handler: Handler | str) -> None:
        """Run one rule. Its edits lie inside its match; an edit that changes nothing protects its place."""
        found: list[Edit] = []
        for match in pattern.finditer(self._masked):
            said = handler if isinstance(handler, str) else handler(match)
            if said is None:
                continue
            found.extend([Edit(*match.span(), said)] if isinstance(said, str) else sorted(said))
        self.claim(found)

    def claim(self, edits: Sequence[Edit]) -> None:
        """Take `edits`, sorted and apart from each other and from what is claimed."""
        if not edits:
            return
        self._edits.extend(edits)
        parts: list[str] = []
        at = 0
        for edit in edits:
            parts += (self._masked[at : edit.start], MASK * (edit.end - edit.start))
            at = edit.end
        parts.append(self._masked[at:])
        self._masked = "".join(parts)

    def edits(self) -> list[Edit]:
        """Everything claimed that changes something, in order."""
        return sorted(edit for edit in self._edits if self._text[edit.start : edit.end] != edit.text)
