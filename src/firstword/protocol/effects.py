"""What a session asks of the shell around it, as values: say this, start that utterance, drop it.

`protocol.session` makes them, `server.bidirectional` carries them out in order.
"""

from dataclasses import dataclass

from firstword.protocol.messages import ServerMessage, Synthesize, TextDelta

__all__ = ["Begin", "Effect", "Feed", "Finish", "Played", "Send", "Stop"]


@dataclass(frozen=True, kw_only=True)
class Send:
    message: ServerMessage


@dataclass(frozen=True, kw_only=True)
class Begin:
    """Start an utterance; its text follows as `Feed` and ends with `Finish`. `live` text comes as it is written."""

    request_id: str
    options: Synthesize | TextDelta
    live: bool


@dataclass(frozen=True, kw_only=True)
class Feed:
    request_id: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Finish:
    request_id: str


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Drop the utterance and everything of it that has not been sent."""

    request_id: str


@dataclass(frozen=True, kw_only=True)
class Played:
    request_id: str
    played_s: float


type Effect = Send | Begin | Feed | Finish | Stop | Played
