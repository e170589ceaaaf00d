"""The silence between two requests of one answer: what the end of the first asks for.

The server pauses between the sentences of one request; between requests it cannot know that they belong together. The
lengths are those of the voice (`firstword.kokoro.planning`); a test keeps them in step. Pure.
"""

from typing import Final

from firstword.audio import SAMPLE_RATE_HZ, silence
from firstword.errors import RequestRefused
from firstword.text.speakable import Pause, Spoken, speakable

__all__ = ["pause_after"]

_SENTENCE_END: Final = ".!?…。！？।؟"
_CLAUSE_END: Final = ",;:—،؛、，；："
_SENTENCE_PAUSE_S: Final = 0.35
_CLAUSE_PAUSE_S: Final = 0.15


def pause_after(
    text: str, *, language: str | None = None, speed: float = 1.0, sample_rate_hz: int = SAMPLE_RATE_HZ
) -> bytes:
    """PCM of silence as long as the end of `text`, as it is said, asks for; empty if it ends in a word."""
    try:
        spoken = speakable(text, language or "en-us")
    except RequestRefused:  # the server refuses the request itself
        return b""
    return silence(max(_mark_s(spoken.text) / speed, _written_s(spoken)), sample_rate_hz)


def _mark_s(text: str) -> float:
    for character in reversed(text):
        if character in _SENTENCE_END:
            return _SENTENCE_PAUSE_S
        if character in _CLAUSE_END:
            return _CLAUSE_PAUSE_S
        if character.isalnum():
            break
    return 0.0


def _written_s(spoken: Spoken) -> float:
    """A pause that the text itself asks for at its end."""
    for segment in reversed(spoken.segments):
        if isinstance(segment, Pause):
            return segment.seconds
        if any(character.isalnum() for character in spoken.text[segment.start : segment.end]):
            break
    return 0.0
