"""The figures of one answer, computed from its recording. Pure."""

from dataclasses import dataclass

from firstword import audio
from firstword.bench.playback import Heard, Stall, listen
from firstword.bench.recording import Recording

__all__ = ["Trial", "measure"]


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Milliseconds since `agent_start`, as received by the client; None where it never happened.

    `first_sentence_ms` is when the first sentence went to the voice. An underrun assumes no prebuffer; it is starved by
    text while the sentence awaited had not been sent, by synthesis after that. `wire_bytes` is all that was received,
    base64 and the JSON around it included.
    """

    mode: str
    first_text_ms: float | None
    first_sentence_ms: float | None
    first_audio_ms: float | None
    first_audible_ms: float | None
    text_end_ms: float | None
    audio_end_ms: float | None
    audio_s: float
    underrun_ms: float
    underruns: int
    starved_by_text_ms: float
    starved_by_synthesis_ms: float
    sentences: int
    wire_bytes: int
    text: str


def measure(recording: Recording) -> Trial:
    """The figures of one recorded answer."""
    heard = listen(recording.arrivals(), recording.sample_rate_hz)
    by_text = sum(_starved_by_text(recording, stall) for stall in heard.stalls)
    return Trial(
        mode=recording.mode,
        first_text_ms=_rounded(recording.text_marks[0][0] if recording.text_marks else None),
        first_sentence_ms=_rounded(recording.sentences[0].sent_ms if recording.sentences else None),
        first_audio_ms=_rounded(recording.chunks[0].t_ms if recording.chunks else None),
        first_audible_ms=_rounded(_first_audible(recording, heard)),
        text_end_ms=_rounded(recording.text_marks[-1][0] if recording.text_marks else None),
        audio_end_ms=_rounded(recording.chunks[-1].t_ms if recording.chunks else None),
        audio_s=round(audio.duration_s(len(recording.pcm), recording.sample_rate_hz), 3),
        underrun_ms=round(heard.underrun_ms, 1),
        underruns=len(heard.stalls),
        starved_by_text_ms=round(by_text, 1),
        starved_by_synthesis_ms=round(heard.underrun_ms - by_text, 1),
        sentences=len(recording.sentences),
        wire_bytes=recording.event_bytes,
        text=recording.text,
    )


def _first_audible(recording: Recording, heard: Heard) -> float | None:
    offset_s = audio.first_audible_s(recording.pcm, sample_rate_hz=recording.sample_rate_hz)
    return None if offset_s is None else heard.sounds_at_ms(offset_s)


def _starved_by_text(recording: Recording, stall: Stall) -> float:
    awaited = recording.chunks[stall.chunk].sentence
    sent_ms = recording.sentences[awaited].sent_ms if awaited < len(recording.sentences) else None
    return 0.0 if sent_ms is None else max(0.0, min(sent_ms, stall.end_ms) - stall.start_ms)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
