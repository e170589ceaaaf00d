"""What of a live text is to be sent now, and when to look again. Pure: told the time and how the listener stands.

Three things wait for a clock: a sentence that may be complete (a pause in the text), a clause that would do (a stall
with the listener about to run dry), and sentences that can be said in one while the listener has plenty. Where text may
be cut is the chunker's to say, what may be joined `joining`'s. Above it: `sentences`.
"""

import math
from dataclasses import dataclass

from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.joining import Taken, WaitingSentences
from firstword.text.pace import Pace

__all__ = ["LiveCut", "Patience"]


@dataclass(frozen=True, kw_only=True)
class Patience:
    """A pause of `idle_s` in the text; a stall of `stall_s` (0: never) with less than `stall_lead_s` left to hear."""

    idle_s: float
    stall_s: float = 0.0
    stall_lead_s: float = 0.0


class LiveCut:
    """Feed it text, `finish` it; `wake` it within `wait_s`; after each take what is to be sent.

    `now_s` is any one clock, `lead_s` how long the listener is provided for by what has been sent. `pace` None: nobody
    listens, so that nothing is joined and no stall matters.
    """

    def __init__(self, chunker: IncrementalSentenceChunker, patience: Patience, pace: Pace | None) -> None:
        self._chunker = chunker
        self._patience = patience
        self._stall_s = patience.stall_s if pace is not None and patience.stall_s > 0.0 else math.inf
        self._waiting = WaitingSentences(pace)
        self._idle_at_s = math.inf
        self._stalled_at_s = math.inf
        self.ended = False

    def feed(self, text: str, now_s: float) -> None:
        self._waiting.add(text, self._chunker.feed(text))
        self._idle_at_s = now_s + self._patience.idle_s
        self._stalled_at_s = now_s + self._stall_s

    def finish(self, text: str) -> None:
        self._waiting.add(text, self._chunker.feed(text) + self._chunker.flush())
        self._idle_at_s = self._stalled_at_s = math.inf
        self.ended = True

    def wake(self, now_s: float, lead_s: float) -> None:
        """Time has passed without text."""
        if now_s >= self._idle_at_s:
            self._idle_at_s = math.inf
            self._waiting.add("", self._chunker.idle())
        if now_s >= self._stalled_at_s and lead_s <= self._patience.stall_lead_s:
            self._stalled_at_s = math.inf
            self._waiting.add("", self._chunker.idle(long=True))

    def take(self, lead_s: float) -> Taken | None:
        """What is to be sent now, if anything."""
        if not self._waiting or (not self.ended and lead_s > self._waiting.release_lead_s()):
            return None
        return self._waiting.take(lead_s)

    def wait_s(self, now_s: float, lead_s: float) -> float:
        """After how long to look again, if no text comes and the listener goes on listening; infinite: never."""
        stalled_s = max(self._stalled_at_s - now_s, lead_s - self._patience.stall_lead_s)
        held_s = max(0.0, lead_s - self._waiting.release_lead_s()) if self._waiting else math.inf
        return max(0.0, min(self._idle_at_s - now_s, stalled_s, held_s))
