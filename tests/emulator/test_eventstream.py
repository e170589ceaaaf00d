"""The codec against the two decoders and the encoder that AWS ships, and against broken bytes."""

import datetime
import io
import random
from typing import Any
from uuid import UUID

import pytest
from botocore.eventstream import EventStreamBuffer
from hypothesis import given
from hypothesis import strategies as st
from smithy_aws_event_stream.events import Event, EventMessage

from firstword.emulator.eventstream import Decoder, HeaderValue, Message, encode, event, exception
from firstword.errors import ProtocolError

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_TIMES = st.integers(min_value=0, max_value=2**42).map(lambda ms: _EPOCH + datetime.timedelta(milliseconds=ms))
_VALUES: st.SearchStrategy[HeaderValue] = st.one_of(
    st.booleans(),
    st.integers(min_value=-(2**63), max_value=2**63 - 1),
    st.binary(max_size=100),
    st.text(alphabet="aé漢🎧\n", max_size=50),
    _TIMES,
    st.uuids(),
)
_NAMES = st.text(alphabet=":-abXYZ09", min_size=1, max_size=30)
_MESSAGES = st.builds(Message, headers=st.dictionaries(_NAMES, _VALUES, max_size=8), payload=st.binary(max_size=2000))


@given(st.lists(_MESSAGES, max_size=5), st.integers())
def test_messages_survive_every_cut_of_the_stream(messages: list[Message], seed: int) -> None:
    sizes = random.Random(seed)
    data = b"".join(map(encode, messages))
    decoder = Decoder()
    out = []
    while data:
        size = sizes.randint(1, len(data))
        out += decoder.feed(data[:size])
        data = data[size:]
    assert out == messages
    assert decoder.pending == 0


@given(_MESSAGES)
def test_botocore_reads_what_is_written(message: Message) -> None:
    buffer = EventStreamBuffer()
    buffer.add_data(encode(message))
    read: Any = next(iter(buffer))
    assert (read.headers, read.payload) == (
        {name: _as_botocore(value) for name, value in message.headers.items()},
        message.payload,
    )


def _as_botocore(value: HeaderValue) -> object:
    match value:
        case datetime.datetime():
            return (value - _EPOCH) // datetime.timedelta(milliseconds=1)
        case UUID():
            return value.bytes
        case _:
            return value


@given(_MESSAGES)
def test_the_smithy_sdk_reads_what_is_written(message: Message) -> None:
    read = Event.decode(io.BytesIO(encode(message)))
    assert read is not None
    assert dict(read.message.headers) == dict(message.headers)
    assert read.message.payload == message.payload


@given(_MESSAGES)
def test_what_the_smithy_sdk_writes_is_read(message: Message) -> None:
    # Its encoder has no width for an integer of more than 32 bits, and loses milliseconds to floating point.
    small = {
        name: value.replace(microsecond=0) if isinstance(value, datetime.datetime) else value
        for name, value in message.headers.items()
        if type(value) is not int or -(2**31) <= value < 2**31
    }
    (read,) = Decoder().feed(EventMessage(headers=small, payload=message.payload).encode())
    assert read == Message(headers=small, payload=message.payload)


@given(_MESSAGES, st.data())
def test_a_changed_byte_never_yields_a_message(message: Message, data: st.DataObject) -> None:
    raw = bytearray(encode(message))
    at = data.draw(st.integers(min_value=0, max_value=len(raw) - 1))
    raw[at] ^= data.draw(st.integers(min_value=1, max_value=255))
    with pytest.raises(ProtocolError):
        Decoder().feed(bytes(raw))


@given(_MESSAGES)
def test_a_message_cut_off_is_pending(message: Message) -> None:
    decoder = Decoder()
    assert decoder.feed(encode(message)[:-1]) == []
    assert decoder.pending > 0


def test_noise_is_refused_at_once() -> None:
    with pytest.raises(ProtocolError):
        Decoder().feed(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize(
    "message",
    [
        Message(payload=bytes(16 * 1024 * 1024 + 1)),
        Message(headers={"x": "v" * 32_768}),
        Message(headers={"": "v"}),
        Message(headers={"n" * 256: "v"}),
        Message(headers={"x": 2**63}),
        Message(headers={f"x{i}": b"v" * 32_767 for i in range(5)}),
    ],
)
def test_what_exceeds_the_format_is_not_written(message: Message) -> None:
    with pytest.raises(ProtocolError):
        encode(message)


def test_the_largest_payload_passes() -> None:
    message = Message(payload=bytes(16 * 1024 * 1024))
    assert Decoder().feed(encode(message)) == [message]


def test_events_and_exceptions_carry_the_headers_that_sdks_look_for() -> None:
    assert event("PayloadPart", b"x", DataType="UTF8").headers == {
        ":message-type": "event",
        ":event-type": "PayloadPart",
        ":content-type": "application/octet-stream",
        "DataType": "UTF8",
    }
    failed = exception("ModelStreamError", {"Message": "no"})
    assert failed.text(":exception-type") == "ModelStreamError"
    assert failed.payload == b'{"Message": "no"}'
