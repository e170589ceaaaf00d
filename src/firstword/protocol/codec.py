"""Bytes to protocol messages and back, and nothing else: no state, no I/O.

What a client sent is checked field by field, because each fault has a stable code that names the field; what a server
sent is decoded leniently, because a client ignores what it does not know. `decode_chunk` is the whole-chunk rule for
readers that have lost the label of a frame: control if and only if the entire chunk is a JSON object whose `type` is
known, audio otherwise (PCM may begin with `{`).
"""

import math
from typing import Any, Final

import msgspec

from firstword.errors import ProtocolError, RequestRefused
from firstword.protocol.incoming import decode_json, repaired
from firstword.protocol.messages import (
    Cancel,
    ClientMessage,
    Close,
    Playback,
    ServerMessage,
    Synthesize,
    TextDelta,
    TextEnd,
)

__all__ = ["MAX_SPEED", "MIN_SPEED", "decode_chunk", "decode_client", "decode_server", "encode"]

MIN_SPEED: Final = 0.5
MAX_SPEED: Final = 2.0
MAX_ID_CHARS: Final = 256

_CLIENT_TYPES: Final[dict[str, type[ClientMessage]]] = {
    "synthesize": Synthesize,
    "text_delta": TextDelta,
    "text_end": TextEnd,
    "cancel": Cancel,
    "playback": Playback,
    "close": Close,
}
_encoder = msgspec.json.Encoder()
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


def encode(message: ClientMessage | ServerMessage) -> str:
    """The message as JSON text. What is None is left out: absent and null mean the same."""
    fields = {name: value for name, value in msgspec.to_builtins(message).items() if value is not None}
    return _encoder.encode(fields).decode()


def decode_client(frame: str | bytes) -> ClientMessage:
    """A client's message from a text or a binary frame.

    Raises RequestRefused with code bad_json, bad_message, text_required or bad_speed; its `request_id` is the
    message's own where it had a usable one, so that the fault can be told to the request it ends.
    """
    try:
        fields = decode_json(frame)
    except (ValueError, RecursionError) as error:
        raise RequestRefused(
            "The frame is not JSON.", code="bad_json", hint="Send one JSON object a frame.", terminal=False
        ) from error
    if not isinstance(fields, dict):
        raise _refused(f"The message is a JSON {_kind(fields)}, not an object.", None)
    kind = fields.get("type", "synthesize")
    text = fields.get("text")
    fields = repaired(fields)
    if kind == "text_delta" and isinstance(text, str):
        fields["text"] = text  # the second half of what is cut in two may be in the next delta: the session joins them
    request_id = _request_id(fields)
    if not isinstance(kind, str) or kind not in _CLIENT_TYPES:
        known = ", ".join(_CLIENT_TYPES)
        raise _refused(f"Unknown message type {_shown(kind)}; one of: {known}.", request_id)
    if kind in ("synthesize", "text_delta"):
        _check_text(fields, kind, request_id)
        _check_speed(fields, request_id)
    try:
        return msgspec.convert({**fields, "type": kind}, _CLIENT_TYPES[kind])
    except msgspec.ValidationError as error:
        raise _refused(f"{kind}: {error}.", request_id) from error


def decode_server(frame: str | bytes) -> ServerMessage | None:
    """A server's message, or None for a type this version does not know. Raises ProtocolError on anything else."""
    try:
        fields = msgspec.json.decode(frame)
        if isinstance(fields, dict):
            kind = fields.get("type")
            if not isinstance(kind, str) or kind not in _SERVER_TYPES:
                return None
        return _server_decoder.decode(frame)
    except msgspec.ValidationError as error:
        raise ProtocolError(f"The server's message does not fit the protocol: {error}.") from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ProtocolError("The server sent a control frame that is not JSON.") from error


def decode_chunk(chunk: bytes) -> ServerMessage | bytes:
    """The whole-chunk rule: a control message if all of `chunk` is one of a known type, else the audio it is."""
    if not chunk.startswith(b"{"):
        return chunk
    try:
        return _server_decoder.decode(chunk)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return chunk


def _server_types() -> frozenset[Any]:
    members = ServerMessage.__value__.__args__
    return frozenset(member.__struct_config__.tag for member in members)


_SERVER_TYPES: Final = _server_types()


def _refused(message: str, request_id: str | None, code: str = "bad_message") -> RequestRefused:
    return RequestRefused(message, code=code, request_id=request_id, terminal=request_id is not None)


def _request_id(fields: dict[str, Any]) -> str | None:
    value = fields.get("request_id")
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= MAX_ID_CHARS:
        raise _refused(f"request_id must be a string of 1 to {MAX_ID_CHARS} characters.", None)
    return value


def _check_text(fields: dict[str, Any], kind: str, request_id: str | None) -> None:
    text = fields.get("text")
    if kind == "text_delta":
        if not isinstance(text, str):
            raise _refused("text_delta needs `text`, a string.", request_id)
    elif text is None or (isinstance(text, str) and not text.strip()):
        raise _refused("There is no text to say.", request_id, "text_required")
    elif not isinstance(text, str):
        raise _refused(f"`text` is a JSON {_kind(text)}, not a string.", request_id)


def _check_speed(fields: dict[str, Any], request_id: str | None) -> None:
    speed = fields.get("speed")
    if speed is None:
        return
    number = isinstance(speed, int | float) and not isinstance(speed, bool) and math.isfinite(speed)
    if not number or not MIN_SPEED <= speed <= MAX_SPEED:
        raise _refused(
            f"speed is {_shown(speed)}; it must be a number from {MIN_SPEED} to {MAX_SPEED}.", request_id, "bad_speed"
        )


def _kind(value: Any) -> str:
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
