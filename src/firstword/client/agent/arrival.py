"""What comes from an agent, as typed values with the time they came. Pure, but for reading the clock.

Over server-sent events audio is base64 in an `audio_chunk`; over `/ws` it is a binary frame. Either way an arrival
carries its PCM, so that callers need not know the door. Above it: `connection`.
"""

import base64
import binascii
import time
from dataclasses import dataclass
from typing import Any

import msgspec

from firstword.errors import AgentError, ProtocolError
from firstword.protocol.events import (
    AgentEnd,
    AgentErrorEvent,
    AgentEvent,
    AudioChunkEvent,
    Interrupted,
    decode_event,
)

__all__ = ["AgentArrival", "arrival_of", "is_last"]


@dataclass(frozen=True, kw_only=True)
class AgentArrival:
    """One event or one piece of audio.

    `event` is None for a binary frame of audio; `pcm` is empty for what is not audio. `at_s` is this process's
    monotonic clock when it was whole; `wire_bytes` is what it took on the way (base64 included, framing not).
    """

    event: AgentEvent | None
    pcm: bytes
    at_s: float
    wire_bytes: int


def arrival_of(item: str | bytes) -> AgentArrival | None:
    """An event's JSON, or audio; None for an event of a kind that is not known.

    Raises AgentError for the error that the AgentCore SDK itself tells, ProtocolError for what is no event.
    """
    now = time.monotonic()
    if isinstance(item, bytes):
        return AgentArrival(event=None, pcm=item, at_s=now, wire_bytes=len(item))
    try:
        event = decode_event(item)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        _check_unknown(item, error)
        return None
    pcm = _decoded(event.data) if isinstance(event, AudioChunkEvent) else b""
    return AgentArrival(event=event, pcm=pcm, at_s=now, wire_bytes=len(item.encode()))


def is_last(arrival: AgentArrival) -> bool:
    """Nothing of the request comes after it."""
    match arrival.event:
        case AgentEnd() | Interrupted() | AgentErrorEvent(terminal=True):
            return True
        case _:
            return False


def _check_unknown(item: str, error: Exception) -> None:
    try:
        fields: Any = msgspec.json.decode(item)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise ProtocolError("The agent sent an event that is no JSON object.") from error
    if "error" in fields and "type" not in fields:
        raise AgentError("The agent's runtime reports that the agent failed.", code="agent_failed") from error
    if isinstance(error, msgspec.ValidationError) and fields.get("type") in _KNOWN:
        raise ProtocolError(f"The agent's {fields['type']} event does not fit: {error}.") from error


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise ProtocolError("The agent sent audio that is not base64.") from error


def _known() -> frozenset[Any]:
    return frozenset(member.__struct_config__.tag for member in AgentEvent.__value__.__args__)


_KNOWN = _known()
