"""How fast a voice is, as measured, and what follows for the size of what it is given next. Pure arithmetic.

The speech server measures its own work, the client what it sees of the server's; both ask the same questions here.
Seconds of work are put in relation to seconds of audio: below one the voice is faster than speech. It knows nothing of
clocks, sessions or where sentences end; `joining` stands above.
"""

import math
from typing import Final

__all__ = ["MAX_JOINED_CHARS", "MAX_JOINED_SENTENCES", "Pace"]

MAX_JOINED_CHARS: Final = 280
"""What is said in one breath stays below 300 phonemes, the longest piece of one inference."""
MAX_JOINED_SENTENCES: Final = 3

_KEPT: Final = 0.6
"""Share of the old value that a running mean keeps."""
_UNMEASURED: Final = 1 / 3
"""Work for a second of audio until it has been measured: Kokoro on two cores."""
_UNMEASURED_S_A_CHARACTER: Final = 0.065
_SECOND_CHUNK_WORDS: Final = 12
"""Words of the rest of a sentence after its first clause."""
_FEWEST_FIRST_WORDS, _MOST_FIRST_WORDS = 4, 10
"""Kokoro sounds odd below; beyond, a conjunction ends the first chunk as well."""


class Pace:
    """Of one voice on one machine. Nothing is joined with less than `join_after_s` still to be heard; 0: never."""

    def __init__(self, *, join_after_s: float = 4.0) -> None:
        self._join_after_s = join_after_s if join_after_s > 0.0 else math.inf
        self._first: float | None = None
        self._whole: float | None = None
        self._s_a_character: float | None = None

    @property
    def first(self) -> float:
        """Seconds until a text's first audio, for each second of all its audio."""
        return _UNMEASURED if self._first is None else self._first

    @property
    def whole(self) -> float:
        """Seconds until a text's last audio, for each second of its audio: the real-time factor."""
        return max(self.first, _UNMEASURED if self._whole is None else self._whole)

    def learn(
        self, *, characters: int, audio_s: float, first_s: float | None = None, whole_s: float | None = None
    ) -> None:
        """A text was spoken: its first audio came `first_s`, its last `whole_s` after work on it began, if known."""
        if characters > 0 and audio_s > 0.0:
            self._s_a_character = _mean(self._s_a_character, audio_s / characters)
            self._first = self._first if first_s is None else _mean(self._first, first_s / audio_s)
            self._whole = self._whole if whole_s is None else _mean(self._whole, whole_s / audio_s)

    def seconds(self, characters: int) -> float:
        """How long a text of that many characters will play."""
        return characters * (_UNMEASURED_S_A_CHARACTER if self._s_a_character is None else self._s_a_character)

    def least_first_words(self) -> int:
        """How long the first chunk has to be so that the second is not late.

        When the first is a seconds long and its first audio sounds, (whole - first) * a of work on it is left. Then
        comes the work up to the first audio of the second, b seconds long: first * b. Both have to be done before a
        seconds are over. Words stand for seconds, as both are said at one speed.
        """
        spare = 1.0 - self.whole + self.first
        if self.first * _SECOND_CHUNK_WORDS >= spare * _MOST_FIRST_WORDS:
            return _MOST_FIRST_WORDS
        words = math.ceil(self.first * _SECOND_CHUNK_WORDS / spare - 1e-9)
        return max(_FEWEST_FIRST_WORDS, words)

    def lead_for(self, characters: int) -> float:
        """How many seconds must still be to be heard for a text of that length to be let wait, or be said in one.

        Of a lead, whole * lead at worst passes before work on the text can begin; in what is left its first audio has
        to be made. Infinite for a voice that is no faster than speech, or not measured yet.
        """
        spare = 1.0 - self.whole
        if spare <= 0.0 or self._first is None:
            return math.inf
        return max(self._join_after_s, self.first * self.seconds(characters) / spare)


def _mean(old: float | None, new: float) -> float:
    return new if old is None else _KEPT * old + (1.0 - _KEPT) * new
