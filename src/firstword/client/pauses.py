"""The silence between two requests of one answer, by the punctuation that ends the first.

The server pauses between the sentences of one request; between requests it cannot know that they belong together. The
lengths are those of the voice (`firstword.kokoro.planning`); a test keeps them in step. Pure.
"""

from typing import Final

from firstword.audio import SAMPLE_RATE_HZ, silence

__all__ = ["pause_after"]

_SENTENCE_END: Final = ".!?…。！？।؟"
_CLAUSE_END: Final = ",;:—،؛、，；："
_SENTENCE_PAUSE_S: Final = 0.35
_CLAUSE_PAUSE_S: Final = 0.15


def pause_after(text: str, *, speed: float = 1.0, sample_rate_hz: int = SAMPLE_RATE_HZ) -> bytes:
    """PCM of silence as long as the last mark of `text` asks for; empty if it ends in a word."""
    for character in reversed(text):
        if character in _SENTENCE_END:
            return silence(_SENTENCE_PAUSE_S / speed, sample_rate_hz)
        if character in _CLAUSE_END:
            return silence(_CLAUSE_PAUSE_S / speed, sample_rate_hz)
        if character.isalnum():
            break
    return b""
