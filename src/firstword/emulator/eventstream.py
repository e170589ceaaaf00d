"""AWS event-stream messages (`application/vnd.amazon.eventstream`): bytes to messages and back.

A message is a prelude (total length, header length, CRC-32 of these eight bytes), typed headers, a payload and a
CRC-32 of all before it; integers are big-endian. Pure: no clock, no I/O. What headers and payloads mean is for the
services above.
"""

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zlib import crc32

from firstword.errors import ProtocolError

__all__ = [
    "CONTENT_TYPE",
    "Decoder",
    "HeaderValue",
    "Message",
    "encode",
    "encode_headers",
    "event",
    "exception",
]

CONTENT_TYPE = "application/vnd.amazon.eventstream"

type HeaderValue = bool | int | bytes | str | datetime | UUID

_PRELUDE = struct.Struct("!III")
_CRC = struct.Struct("!I")
_OVERHEAD = _PRELUDE.size + _CRC.size
_MAX_HEADERS = 128 * 1024
_MAX_VALUE = 32 * 1024 - 1
_MAX_PAYLOAD = 16 * 1024 * 1024
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INTEGERS = {2: struct.Struct("!b"), 3: struct.Struct("!h"), 4: struct.Struct("!i"), 5: struct.Struct("!q")}
_LENGTH = struct.Struct("!H")


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message. Header names are 1 to 255 bytes of UTF-8; a str or bytes value at most 32,767 bytes."""

    headers: Mapping[str, HeaderValue] = field(default_factory=dict)
    payload: bytes = b""

    def text(self, name: str) -> str:
        """The header as a string; empty if it is absent or of another type."""
        value = self.headers.get(name, "")
        return value if isinstance(value, str) else ""


def event(kind: str, payload: bytes, content_type: str = "application/octet-stream", **headers: str) -> Message:
    """A service's event of type `kind`."""
    first = {":message-type": "event", ":event-type": kind, ":content-type": content_type}
    return Message(headers=first | headers, payload=payload)


def exception(kind: str, members: Mapping[str, object]) -> Message:
    """A service's modelled exception, ending the stream."""
    headers = {":message-type": "exception", ":exception-type": kind, ":content-type": "application/json"}
    return Message(headers=headers, payload=json.dumps(members).encode())


def encode(message: Message) -> bytes:
    """The bytes of one message. Raises ProtocolError where it exceeds the format."""
    headers = encode_headers(message.headers)
    if len(message.payload) > _MAX_PAYLOAD:
        raise _broken("a payload is longer than 16 MiB")
    total = _OVERHEAD + len(headers) + len(message.payload)
    lengths = struct.pack("!II", total, len(headers))
    start = b"".join((lengths, _CRC.pack(crc32(lengths)), headers))
    return b"".join((start, message.payload, _CRC.pack(crc32(message.payload, crc32(start)))))


def encode_headers(headers: Mapping[str, HeaderValue]) -> bytes:
    """The header block alone: what a chunk signature covers."""
    block = b"".join(_encode_name(name) + _encode_value(value) for name, value in headers.items())
    if len(block) > _MAX_HEADERS:
        raise _broken("headers are longer than 128 KiB")
    return block


def _encode_name(name: str) -> bytes:
    raw = name.encode()
    if not 0 < len(raw) < 256:
        raise _broken("a header name is empty or longer than 255 bytes")
    return bytes((len(raw),)) + raw


def _encode_value(value: HeaderValue) -> bytes:
    match value:
        case bool():
            return b"\x00" if value else b"\x01"
        case int():
            kind = 4 if -(2**31) <= value < 2**31 else 5
            if not -(2**63) <= value < 2**63:
                raise _broken("an integer header is wider than 64 bits")
            return bytes((kind,)) + _INTEGERS[kind].pack(value)
        case bytes():
            return b"\x06" + _sized(value)
        case str():
            return b"\x07" + _sized(value.encode())
        case datetime():
            return b"\x08" + _INTEGERS[5].pack((value - _EPOCH) // timedelta(milliseconds=1))
        case UUID():
            return b"\x09" + value.bytes


def _sized(raw: bytes) -> bytes:
    if len(raw) > _MAX_VALUE:
        raise _broken("a header value is longer than 32,767 bytes")
    return _LENGTH.pack(len(raw)) + raw


class Decoder:
    """Bytes in, whole messages out.

    `feed` may be given any cut of the stream. It raises ProtocolError at the first byte that cannot be right, and the
    decoder is then of no more use. At the end of the stream `pending` must be 0, or the last message was cut off.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def pending(self) -> int:
        """Bytes of a message that has not ended."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Message]:
        self._buffer += data
        return list(self._messages())

    def _messages(self) -> Iterator[Message]:
        while len(self._buffer) >= _PRELUDE.size:
            total, headers_length, crc = _PRELUDE.unpack_from(self._buffer)
            if crc != crc32(self._buffer[:8]):
                raise _broken("the checksum of a prelude does not match")
            payload_length = total - headers_length - _OVERHEAD
            if headers_length > _MAX_HEADERS or not 0 <= payload_length <= _MAX_PAYLOAD:
                raise _broken("a length is out of range")
            if len(self._buffer) < total:
                return
            whole = bytes(self._buffer[:total])
            del self._buffer[:total]
            if _CRC.unpack_from(whole, total - 4)[0] != crc32(whole[:-4]):
                raise _broken("the checksum of a message does not match")
            end = _PRELUDE.size + headers_length
            yield Message(headers=_decode_headers(whole[_PRELUDE.size : end]), payload=whole[end:-4])


def _decode_headers(block: bytes) -> dict[str, HeaderValue]:
    headers: dict[str, HeaderValue] = {}
    at = 0
    try:
        while at < len(block):
            start, at = at + 1, at + 1 + block[at]
            name = _exactly(block, start, at).decode()
            value, at = _decode_value(block[at], block, at + 1)
            if name in headers or not name:
                raise _broken("a header is named twice, or has no name")
            headers[name] = value
    except (IndexError, struct.error, UnicodeDecodeError, OverflowError) as error:
        raise _broken("a header is malformed") from error
    return headers


def _decode_value(kind: int, block: bytes, at: int) -> tuple[HeaderValue, int]:
    match kind:
        case 0 | 1:
            return kind == 0, at
        case 2 | 3 | 4 | 5:
            form = _INTEGERS[kind]
            return form.unpack_from(block, at)[0], at + form.size
        case 6 | 7:
            start = at + _LENGTH.size
            end = start + _LENGTH.unpack_from(block, at)[0]
            raw = _exactly(block, start, end)
            return (raw if kind == 6 else raw.decode()), end
        case 8:
            return _EPOCH + timedelta(milliseconds=_INTEGERS[5].unpack_from(block, at)[0]), at + 8
        case 9:
            return UUID(bytes=_exactly(block, at, at + 16)), at + 16
        case _:
            raise _broken(f"a header has the unknown type {kind}")


def _exactly(block: bytes, start: int, end: int) -> bytes:
    if end > len(block):
        raise _broken("a header is cut off")
    return block[start:end]


def _broken(what: str) -> ProtocolError:
    return ProtocolError(f"Not an event stream: {what}.", code="bad_event_stream")
