"""What an utterance gives its reader, in order: sentences, their timings, their audio, and exactly one end."""

from dataclasses import dataclass
from typing import Final

from firstword.errors import SpeechError
from firstword.protocol.messages import Word

__all__ = ["MAX_AUDIO_BYTES", "Audio", "Done", "Failed", "Item", "SentenceBegun", "Waiting", "WordTimings"]

MAX_AUDIO_BYTES: Final = 9_600
"""200 ms: fine enough to hold back, coarse enough to cost little."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceBegun:
    """Its audio comes next. `char_start:char_end` is where it stands in the text of the request, in code points."""

    index: int
    text: str
    char_start: int
    char_end: int
    audio_offset_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class WordTimings:
    """Words of sentence `index`; a sentence that needs several inferences gives several of these, in order."""

    index: int
    words: tuple[Word, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Audio:
    """PCM, 24 kHz s16le mono, never empty, at most `MAX_AUDIO_BYTES` long."""

    pcm: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """Everything has been said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """It ends here, unfinished."""

    error: SpeechError


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """Nothing has come for a while, and more is to come: a moment to show the reader that one is still there."""


type Item = SentenceBegun | WordTimings | Audio | Waiting | Done | Failed
