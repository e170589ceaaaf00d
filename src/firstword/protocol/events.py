"""What a voice agent tells its caller, as typed values: the events of the AgentCore entrypoint and of `/ws`.

Every event carries `request_id` and `t_ms`, milliseconds since `agent_start` on a monotonic clock. Exactly one of
`agent_end`, `interrupted` and a terminal `error` ends a request. Over SSE audio is base64 in `audio_chunk.data`; over
`/ws` it is a binary frame and no `audio_chunk` is sent. `to_dict` gives what the AgentCore runtime serialises.
"""

from typing import Any

import msgspec

from firstword.protocol.messages import Word

__all__ = [
    "AgentEnd",
    "AgentErrorEvent",
    "AgentEvent",
    "AgentStart",
    "AgentTextDelta",
    "AgentTimings",
    "AudioChunkEvent",
    "AudioStreamEnd",
    "AudioStreamStart",
    "Interrupted",
    "SentenceEvent",
    "decode_event",
    "to_dict",
]


class _Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    request_id: str
    t_ms: float


class AgentStart(_Event, frozen=True, kw_only=True, tag="agent_start"):
    mode: str


class AgentTextDelta(_Event, frozen=True, kw_only=True, tag="text_delta"):
    seq: int
    text: str


class AudioStreamStart(_Event, frozen=True, kw_only=True, tag="audio_stream_start"):
    voice: str
    sample_rate: int
    format: str


class SentenceEvent(_Event, frozen=True, kw_only=True, tag="sentence"):
    """`char_start` and `char_end` are code points of the whole answer's text, as far as it had come.

    `sent_ms` is when its text was handed to the voice, on the clock of `t_ms`; None where no sentence is sent.
    """

    index: int
    text: str
    audio_offset_s: float
    char_start: int = 0
    char_end: int = 0
    sent_ms: float | None = None


class AgentTimings(_Event, frozen=True, kw_only=True, tag="timings"):
    index: int
    words: tuple[Word, ...]


class AudioChunkEvent(_Event, frozen=True, kw_only=True, tag="audio_chunk"):
    """`data` is base64 of PCM."""

    seq: int
    data: str


class AudioStreamEnd(_Event, frozen=True, kw_only=True, tag="audio_stream_end"):
    total_chunks: int
    duration_s: float


class Interrupted(_Event, frozen=True, kw_only=True, tag="interrupted"):
    """`heard_text` is `answer[:char_end]`: what the listener heard before the cut."""

    heard_text: str
    char_end: int


class AgentEnd(_Event, frozen=True, kw_only=True, tag="agent_end"):
    usage: dict[str, int] = {}


class AgentErrorEvent(_Event, frozen=True, kw_only=True, tag="error"):
    code: str
    message: str
    terminal: bool = True
    retryable: bool = False


type AgentEvent = (
    AgentStart
    | AgentTextDelta
    | AudioStreamStart
    | SentenceEvent
    | AgentTimings
    | AudioChunkEvent
    | AudioStreamEnd
    | Interrupted
    | AgentEnd
    | AgentErrorEvent
)

_decoder: msgspec.json.Decoder[AgentEvent] = msgspec.json.Decoder(AgentEvent)


def decode_event(data: bytes | str) -> AgentEvent:
    """One event from its JSON. Raises msgspec.DecodeError (ValidationError for an unknown type)."""
    return _decoder.decode(data)


def to_dict(event: AgentEvent) -> dict[str, Any]:
    """The event as plain JSON types, `type` first."""
    result: dict[str, Any] = msgspec.to_builtins(event)
    return result
