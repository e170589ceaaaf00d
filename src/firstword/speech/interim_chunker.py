"""Stands in for `firstword.text.chunker` until it lands: a sentence ends at `.!?` and a space."""

import re

__all__ = ["IncrementalSentenceChunker"]

_END = re.compile(r"(?<=[.!?…])\s+|\n+|(?<=[。！？])")


class IncrementalSentenceChunker:
    def __init__(self, language: str, first_chunk: str) -> None:  # noqa: ARG002
        self._text = ""

    def feed(self, fragment: str) -> list[str]:
        *done, self._text = _END.split(self._text + fragment)
        return [sentence for sentence in done if sentence.strip()]

    def idle(self) -> list[str]:
        return self.flush() if self._text.rstrip().endswith((".", "!", "?")) else []

    def flush(self) -> list[str]:
        rest, self._text = self._text, ""
        return [rest] if rest.strip() else []
