"""Where in a piece's audio its speech begins and ends, and when each word is said: known before any audio is.

The model gives every token a duration, but leaves the silence at both ends to the tokens there; the loudness it
predicts tells speech from silence. Pure.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from firstword.kokoro.source import STEP_S, Prosody
from firstword.kokoro.synthesizer import Piece, SpokenWord

__all__ = ["speech_range", "spoken_words"]

_SILENT: Final = -4.0
"""Predicted loudness below which the audio stays under about -60 dB of full scale."""
_LEAD_STEPS: Final = 1
_TAIL_STEPS: Final = 3
_AHEAD_STEPS: Final = 4
"""The decoder voices a token about 50 ms before the place its duration gives it."""


def speech_range(prosody: Prosody) -> tuple[int, int]:
    """First and one-past-last step of speech, with a little silence left on either side; all steps if none is loud."""
    loud = np.flatnonzero(prosody.loudness.reshape(-1)[: prosody.steps] > _SILENT)
    if not len(loud):
        return 0, prosody.steps
    return max(0, int(loud[0]) - _LEAD_STEPS), min(prosody.steps, int(loud[-1]) + 1 + _TAIL_STEPS)


def spoken_words(piece: Piece, prosody: Prosody, kept: tuple[int, int]) -> Sequence[SpokenWord]:
    """The piece's words on the clock of its audio, of which the steps `kept[0]:kept[1]` are given out."""
    first = kept[0]
    speech = speech_range(prosody)
    words: list[SpokenWord] = []
    free = speech[0]
    for char_start, char_end, token_first, token_last in piece.words:
        # Token i of the piece stands at i + 1 in `ends`; it begins where the one before it ends.
        begin, end = (int(prosody.ends[index]) - _AHEAD_STEPS for index in (token_first, token_last))
        begin = min(max(begin, free), speech[1] - 1)
        end = min(max(end, begin + 1), speech[1])  # a word is at least a step long, and none overlaps the next
        free = end
        words.append(
            SpokenWord(
                text=piece.text[char_start - piece.char_start : char_end - piece.char_start],
                start_s=(begin - first) * STEP_S,
                end_s=(end - first) * STEP_S,
                char_start=char_start,
                char_end=char_end,
            )
        )
    return tuple(words)
