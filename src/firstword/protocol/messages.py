"""Every message of the speech protocol, version 1, as a typed value.

A client's and a server's message never share a type name on the wire. Unknown fields are ignored when decoding, so
that a peer may grow. This module says what a message is; `codec` turns bytes into them and back, `session` says
which may follow which. The published form is `docs/reference/protocol.md`.
"""

from typing import Final

import msgspec

__all__ = [
    "MAX_FRAME_BYTES",
    "MIN_AUDIO_FRAME_BYTES",
    "PROTOCOL_VERSION",
    "Cancel",
    "ClientMessage",
    "Close",
    "Closed",
    "Error",
    "GoingAway",
    "Limits",
    "Playback",
    "Ready",
    "Sentence",
    "ServerMessage",
    "SynthesisCancelled",
    "SynthesisComplete",
    "SynthesisStart",
    "Synthesize",
    "TextDelta",
    "TextEnd",
    "Timings",
    "Word",
]

PROTOCOL_VERSION: Final = 1
MIN_AUDIO_FRAME_BYTES: Final = 64
"""No audio frame is shorter, so that a whole frame of audio can never read as a JSON object."""
MAX_FRAME_BYTES: Final = 16 * 1024


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=False):
    pass


class _Options(_Message, frozen=True, kw_only=True):
    """What a request may set. `None` means: not said, the server's or the session's default holds."""

    voice: str | None = None
    speed: float | None = None
    language: str | None = None
    timings: bool = False
    trim: bool = True
    sample_rate: int = 24_000
    pronunciations: dict[str, str] | None = None


class Synthesize(_Options, frozen=True, kw_only=True, tag="synthesize"):
    """Queue one utterance. On the wire `type` may be absent. `joined`: a short text is said in one, however many

    sentences it has.
    """

    text: str
    request_id: str | None = None
    joined: bool = False


class TextDelta(_Options, frozen=True, kw_only=True, tag="text_delta"):
    """Live tokens of one request; the options count on its first delta only."""

    text: str
    request_id: str


class TextEnd(_Message, frozen=True, kw_only=True, tag="text_end"):
    request_id: str


class Cancel(_Message, frozen=True, kw_only=True, tag="cancel"):
    """Stop one request, or with no `request_id` every request of the session."""

    request_id: str | None = None


class Playback(_Message, frozen=True, kw_only=True, tag="playback"):
    """Where the listener is, in seconds of the request's audio."""

    request_id: str
    played_s: float


class Close(_Message, frozen=True, kw_only=True, tag="close"):
    """Complete everything received before it, then end the session."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a session may ask for, as `ready` tells it."""

    max_text_chars: int
    max_queued_requests: int
    max_queued_chars: int
    max_lead_s: float
    text_timeout_s: float
    max_message_bytes: int


class Ready(_Message, frozen=True, kw_only=True, tag="ready"):
    protocol: int
    server: str
    limits: Limits
    features: tuple[str, ...] = ()


class SynthesisStart(_Message, frozen=True, kw_only=True, tag="synthesis_start"):
    request_id: str
    voice: str
    sample_rate: int
    format: str = "pcm_s16le"


class Sentence(_Message, frozen=True, kw_only=True, tag="sentence"):
    """Before the audio of each sentence; `audio_offset_s` is where it begins in the audio of its request.

    `char_start:char_end` is where it stands in the text of its request, in code points.
    """

    request_id: str
    index: int
    text: str
    audio_offset_s: float
    char_start: int = 0
    char_end: int = 0


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """One spoken word: seconds in the request's audio, code points in the ORIGINAL text of the request."""

    word: str
    start_s: float
    end_s: float
    char_start: int
    char_end: int


class Timings(_Message, frozen=True, kw_only=True, tag="timings"):
    request_id: str
    index: int
    words: tuple[Word, ...]


class SynthesisComplete(_Message, frozen=True, kw_only=True, tag="synthesis_complete"):
    """`first_audio_s` and `elapsed_s` count from the request's arrival; `first_audio_s` is None if nothing was said."""

    request_id: str
    total_duration_s: float
    elapsed_s: float
    first_audio_s: float | None = None
    audio_bytes: int


class SynthesisCancelled(_Message, frozen=True, kw_only=True, tag="synthesis_cancelled"):
    request_id: str
    audio_bytes: int


class Error(_Message, frozen=True, kw_only=True, tag="error"):
    """`terminal` ends the request it names; the session lives on either way."""

    code: str
    message: str
    request_id: str | None = None
    terminal: bool = True
    retryable: bool = False
    audio_bytes: int = 0


class GoingAway(_Message, frozen=True, kw_only=True, tag="going_away"):
    deadline_s: float


class Closed(_Message, frozen=True, kw_only=True, tag="closed"):
    """The last message of a session that ended as asked."""


type ClientMessage = Synthesize | TextDelta | TextEnd | Cancel | Playback | Close
type ServerMessage = (
    Ready | SynthesisStart | Sentence | Timings | SynthesisComplete | SynthesisCancelled | Error | GoingAway | Closed
)
