"""What a listener received of one answer, and when: the raw material of every figure.

A recording is written down as it happens and computed on afterwards, so that measuring costs the measured nothing.
Times are milliseconds since `agent_start` was received. Above it: `trial`, `plots`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from firstword.protocol import events

__all__ = ["Chunk", "Recording", "SpokenSentence"]


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """One piece of PCM as it arrived, and the sentence (by position in `Recording.sentences`) it belongs to."""

    t_ms: float
    pcm: bytes
    sentence: int


@dataclass(frozen=True, kw_only=True)
class SpokenSentence:
    """`sent_ms`: when its text went to the voice; None where no sentence is sent (mode `whole`)."""

    t_ms: float
    text: str
    sent_ms: float | None


@dataclass(kw_only=True)
class Recording:
    """One answer. `note` takes each event as it is received; everything else is read."""

    mode: str
    text_marks: list[tuple[float, str]] = field(default_factory=list)
    sentences: list[SpokenSentence] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    sample_rate_hz: int = 24_000
    audio_end_ms: float | None = None
    end_ms: float | None = None
    error: tuple[str, str] | None = None
    event_bytes: int = 0
    """Bytes of everything received, base64 and the JSON around it included."""

    def note(self, t_ms: float, event: events.AgentEvent | None, pcm: bytes = b"", wire_bytes: int = 0) -> None:
        """Take one arrival at `t_ms`: an event, or bare audio (None) as it comes over a socket."""
        self.event_bytes += wire_bytes
        if pcm:
            self.chunks.append(Chunk(t_ms=t_ms, pcm=pcm, sentence=max(0, len(self.sentences) - 1)))
        match event:
            case events.AgentTextDelta(text=text):
                self.text_marks.append((t_ms, text))
            case events.AudioStreamStart(sample_rate=rate):
                self.sample_rate_hz = rate
            case events.SentenceEvent():
                self.sentences.append(SpokenSentence(t_ms=t_ms, text=event.text, sent_ms=event.sent_ms))
            case events.AudioStreamEnd():
                self.audio_end_ms = t_ms
            case events.AgentEnd() | events.Interrupted():
                self.end_ms = t_ms
            case events.AgentErrorEvent(code=code, message=message, terminal=terminal):
                self.error = (code, message)
                if terminal:
                    self.end_ms = t_ms
            case None | events.AudioChunkEvent() | events.AgentStart() | events.AgentTimings():
                pass

    def shift_sent(self, by_ms: float) -> None:
        """Move the agent's own times onto the listener's clock, on which its zero is at `by_ms`."""
        self.sentences = [
            replace(item, sent_ms=None if item.sent_ms is None else item.sent_ms + by_ms) for item in self.sentences
        ]

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.text_marks)

    @property
    def pcm(self) -> bytes:
        return b"".join(chunk.pcm for chunk in self.chunks)

    def arrivals(self) -> Iterator[tuple[float, int]]:
        """Time and size in bytes of each chunk of audio."""
        return ((chunk.t_ms, len(chunk.pcm)) for chunk in self.chunks)
