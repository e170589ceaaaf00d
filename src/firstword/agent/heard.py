"""What an answer's listener has heard: from seconds of its audio to characters of its text. Pure.

Fed with what was sent, in order. A word counts as heard when all of it has been played. Above it: `answer`.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from firstword.audio import duration_s
from firstword.protocol.messages import Word

__all__ = ["Heard"]

_ROUNDING_S: Final = 0.0005


class Heard:
    """The text so far, the audio sent so far, and which of its moments belong to which characters."""

    def __init__(self) -> None:
        self.text = ""
        self.audio_bytes = 0
        self.complete = False
        """All the audio there will be has been sent."""
        self._ends_s: list[float] = []
        self._char_ends: list[int] = []

    @property
    def audio_s(self) -> float:
        return duration_s(self.audio_bytes)

    def time(self, words: Sequence[Word]) -> None:
        """Words of the next sentence: seconds in the answer's audio, characters in its text."""
        for word in words:
            self._ends_s.append(max(word.end_s, self._ends_s[-1] if self._ends_s else 0.0))
            self._char_ends.append(word.char_end)

    def char_end(self, played_s: float) -> int:
        """How much of the text was heard once `played_s` of the audio had been played; never more than was sent."""
        if self.complete and played_s >= self.audio_s - _ROUNDING_S:
            return len(self.text) if self.audio_bytes else 0
        played_s = min(played_s, self.audio_s)
        if not self._ends_s:
            return self._by_share(played_s)
        heard = bisect_right(self._ends_s, played_s + _ROUNDING_S)
        return self._char_ends[heard - 1] if heard else 0

    def _by_share(self, played_s: float) -> int:
        """Without word timings (mode `whole` has none) speech is taken to be even, and the last word as not heard."""
        if not self.audio_bytes or not self.complete:
            return 0
        reached = int(len(self.text) * played_s / self.audio_s)
        return len(self.text[: reached + 1].rpartition(" ")[0].rstrip())
