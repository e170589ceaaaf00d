"""Sentences that were cut and not yet said: one at a time while the listener needs them, two or three as one after.

What is joined is a slice of the text, the white space between its sentences included. Only sentences of one paragraph
are joined, as far as the pace of the voice allows. Pure: how far the listener is provided for is told at every call.
Above it: `client` and `speech`. Where sentences end is the chunker's to say.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from firstword.text.pace import MAX_JOINED_CHARS, MAX_JOINED_SENTENCES, Pace

__all__ = ["Taken", "WaitingSentences"]

_LINE_BREAKS: Final = frozenset("\n\r\v\f\x85\u2028\u2029")


class Taken(NamedTuple):
    """A slice of the text: `sentences` of it in one."""

    text: str
    sentences: int


class WaitingSentences:
    """`pace` None: nothing is ever joined."""

    def __init__(self, pace: Pace | None) -> None:
        self._pace = pace
        self._sentences: deque[str] = deque()
        self._text = ""

    def __len__(self) -> int:
        return len(self._sentences)

    def add(self, text: str, sentences: Iterable[str]) -> None:
        """More `text` was given to the chunker, and it gave these `sentences`."""
        if self._pace is not None:
            self._text += text
        self._sentences.extend(sentences)

    def take(self, lead_s: float) -> Taken:
        """The next sentence, or several as one; `lead_s` is how long the listener is provided for without them."""
        pace = self._pace
        if pace is None:
            return Taken(self._sentences.popleft(), 1)
        starts, end = self._joinable(pace, lead_s)
        for _ in starts:
            self._sentences.popleft()
        text, self._text = self._text[starts[0] : end], self._text[end:]
        return Taken(text, len(starts))

    def release_lead_s(self) -> float:
        """Once the listener is provided for no longer than this, what waits has to go; infinite: at once.

        Until then another sentence may come that can be said in one with it.
        """
        if self._pace is None or not self._sentences:
            return float("inf")
        starts, end = self._joinable(self._pace, float("inf"))
        characters = end - starts[0]
        if len(starts) < len(self._sentences) or len(starts) == MAX_JOINED_SENTENCES or characters >= MAX_JOINED_CHARS:
            return float("inf")
        return self._pace.lead_for(characters)

    def _joinable(self, pace: Pace, lead_s: float) -> tuple[list[int], int]:
        """Where each sentence that goes now starts in the text that is left, and where the last of them ends."""
        starts: list[int] = []
        end = 0
        for sentence in self._sentences:
            at = self._text.find(sentence, end)
            after = at + len(sentence)
            if starts and (
                len(starts) == MAX_JOINED_SENTENCES
                or after - starts[0] > MAX_JOINED_CHARS
                or not _LINE_BREAKS.isdisjoint(self._text[starts[0] : after])
                or lead_s < pace.lead_for(after - starts[0])
            ):
                break
            starts.append(at)
            end = after
        return starts, end
