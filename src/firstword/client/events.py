"""What a streamed answer tells its caller, as typed values.

Offsets count over the whole streamed text (code points) and the whole answer's audio (seconds), however many requests
carried it. Knows nothing of how it came. Above it: whoever plays, shows or saves an answer.
"""

from dataclasses import dataclass

from firstword.audio import PCM_FORMAT, SAMPLE_RATE_HZ
from firstword.protocol.messages import Word

__all__ = [
    "AudioChunk",
    "Event",
    "Sentence",
    "SynthesisCancelled",
    "SynthesisComplete",
    "SynthesisStart",
    "Timings",
    "Word",
]


@dataclass(frozen=True, kw_only=True)
class SynthesisStart:
    """First event of an answer that says anything."""

    request_id: str
    voice: str
    sample_rate_hz: int = SAMPLE_RATE_HZ
    format: str = PCM_FORMAT


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """Comes before the audio of each sentence: where it begins in the audio, which part of the text it says.

    `sent_at_s` is when the request that carries it was first sent, on this process's monotonic clock.
    """

    request_id: str
    index: int
    text: str
    audio_offset_s: float
    char_start: int
    char_end: int
    sent_at_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class Timings:
    """The words of sentence `index`, if they were asked for; right after its `Sentence`."""

    request_id: str
    index: int
    words: tuple[Word, ...]


@dataclass(frozen=True, kw_only=True)
class AudioChunk:
    """PCM s16le mono, a whole number of samples, never empty."""

    request_id: str
    pcm: bytes


@dataclass(frozen=True, kw_only=True)
class SynthesisComplete:
    """Last event of an answer that was said to its end.

    `first_audio_s` and `elapsed_s` count on the client's clock from the first text sent; None if nothing was said.
    """

    request_id: str
    audio_bytes: int
    duration_s: float
    elapsed_s: float
    first_audio_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class SynthesisCancelled:
    """Last event of an answer that was cancelled, after `audio_bytes` of it had been handed out."""

    request_id: str
    audio_bytes: int


type Event = SynthesisStart | Sentence | Timings | AudioChunk | SynthesisComplete | SynthesisCancelled
