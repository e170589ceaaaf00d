"""The codec: every fault of a client has its code, a server's novelty is ignored, audio is never taken for control."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.errors import ProtocolError, RequestRefused
from firstword.protocol import messages
from firstword.protocol.codec import decode_chunk, decode_client, decode_server, encode


@pytest.mark.parametrize(
    "message",
    [
        messages.Synthesize(text="Hello there.", voice="af_bella", speed=1.25, request_id="a", timings=True),
        messages.TextDelta(text=" ", request_id="a"),
        messages.TextEnd(request_id="a"),
        messages.Cancel(),
        messages.Cancel(request_id="a"),
        messages.Playback(request_id="a", played_s=1.5),
        messages.Close(),
    ],
)
def test_a_clients_message_survives_the_wire_as_text_and_as_binary(message: messages.ClientMessage) -> None:
    assert decode_client(encode(message)) == message
    assert decode_client(encode(message).encode()) == message


def test_a_message_without_a_type_is_a_synthesize() -> None:
    assert decode_client('{"text": "Hi."}') == messages.Synthesize(text="Hi.")


def test_unknown_fields_are_ignored() -> None:
    assert decode_client('{"type": "close", "new": [1]}') == messages.Close()


@pytest.mark.parametrize(
    ("frame", "code", "request_id"),
    [
        ("", "bad_json", None),
        ("{", "bad_json", None),
        (b"\xff\xfe\x00binary", "bad_json", None),
        ("[]", "bad_message", None),
        ("null", "bad_message", None),
        ('"text"', "bad_message", None),
        ('{"type": "sing", "request_id": "a"}', "bad_message", "a"),
        ('{"type": 3}', "bad_message", None),
        ('{"type": null, "text": "x"}', "bad_message", None),
        ("{}", "text_required", None),
        ('{"text": ""}', "text_required", None),
        ('{"text": " \\n\\t", "request_id": "a"}', "text_required", "a"),
        ('{"text": 5, "request_id": "a"}', "bad_message", "a"),
        ('{"text": "x", "request_id": 5}', "bad_message", None),
        ('{"text": "x", "request_id": ""}', "bad_message", None),
        ('{"text": "x", "speed": 0, "request_id": "a"}', "bad_speed", "a"),
        ('{"text": "x", "speed": "fast"}', "bad_speed", None),
        ('{"text": "x", "speed": true}', "bad_speed", None),
        ('{"text": "x", "speed": 2.01}', "bad_speed", None),
        ('{"text": "x", "voice": 1}', "bad_message", None),
        ('{"type": "text_delta", "text": "x"}', "bad_message", None),
        ('{"type": "text_delta", "request_id": "a"}', "bad_message", "a"),
        ('{"type": "text_end"}', "bad_message", None),
        ('{"type": "playback", "request_id": "a", "played_s": "1"}', "bad_message", "a"),
    ],
)
def test_a_fault_is_refused_with_its_code_and_the_request_it_ends(
    frame: str | bytes, code: str, request_id: str | None
) -> None:
    with pytest.raises(RequestRefused) as caught:
        decode_client(frame)
    assert (caught.value.code, caught.value.request_id) == (code, request_id)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (r'{"text": "x", "speed": NaN, "request_id": "a"}', "bad_speed"),
        (r'{"text": "x", "speed": -Infinity, "request_id": "a"}', "bad_speed"),
        (r'{"type": "playback", "request_id": "a", "played_s": NaN}', "bad_message"),
        (r'{"text": 5, "note": "\ud83d", "request_id": "a"}', "bad_message"),
    ],
)
def test_what_strict_json_does_not_know_still_names_its_request(frame: str, code: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        decode_client(frame)
    assert (caught.value.code, caught.value.request_id) == (code, "a")


def test_half_an_emoji_does_not_cost_the_frame() -> None:
    message = decode_client(r'{"text": "Hi \ud83d there.", "voice": "\ude00", "request_id": "a\ud83d"}')
    assert message == messages.Synthesize(text="Hi \ufffd there.", voice="\ufffd", request_id="a\ufffd")
    assert decode_server(encode(messages.SynthesisCancelled(request_id="a\ufffd", audio_bytes=0))) is not None


def test_json_is_utf8_and_nothing_else() -> None:
    with pytest.raises(RequestRefused, match="not JSON"):
        decode_client('{"text": "x"}'.encode("utf-16"))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_a_refusal(frame: bytes) -> None:
    try:
        decode_client(frame)
    except RequestRefused as error:
        assert error.message


SERVER = [
    messages.SynthesisStart(request_id="a", voice="af_heart", sample_rate=24_000),
    messages.Sentence(request_id="a", index=0, text="Grüße 🎈", audio_offset_s=0.5),
    messages.Timings(
        request_id="a",
        index=0,
        words=(messages.Word(word="Hi", start_s=0.0, end_s=0.2, char_start=0, char_end=2),),
    ),
    messages.SynthesisComplete(request_id="a", total_duration_s=0.0, elapsed_s=0.1, first_audio_s=None, audio_bytes=0),
    messages.SynthesisCancelled(request_id="a", audio_bytes=96),
    messages.Error(code="bad_json", message="The frame is not JSON.", terminal=False),
    messages.GoingAway(deadline_s=20.0),
    messages.Closed(),
]


@pytest.mark.parametrize("message", SERVER)
def test_a_servers_message_survives_the_wire(message: messages.ServerMessage) -> None:
    frame = encode(message)
    assert decode_server(frame) == message
    assert decode_chunk(frame.encode()) == message


def test_a_server_may_send_types_and_fields_of_a_later_version() -> None:
    assert decode_server('{"type": "applause", "n": 3}') is None
    assert decode_server('{"type": ["applause"]}') is None
    assert decode_server('{"type": "closed", "why": "asked"}') == messages.Closed()


@pytest.mark.parametrize("frame", ["", "[]", "{", b"\xff", '{"type": "sentence"}'])
def test_what_is_no_server_message_is_a_protocol_error(frame: str | bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_server(frame)


@given(st.binary(max_size=300))
def test_pcm_that_begins_with_a_brace_stays_audio(tail: bytes) -> None:
    chunk = b"{" + tail
    result = decode_chunk(chunk)
    assert isinstance(result, bytes) or isinstance(msgspec.json.decode(chunk), dict)


@given(st.text(max_size=40), st.binary(min_size=1, max_size=80))
def test_a_control_frame_with_audio_glued_to_it_is_audio(text: str, audio: bytes) -> None:
    glued = json.dumps({"type": "sentence", "text": text}).encode() + audio
    assert decode_chunk(glued) == glued


DEEP = "[" * 100_000


def test_json_nested_without_end_is_a_fault_of_its_frame_and_nothing_worse() -> None:
    with pytest.raises(RequestRefused) as caught:
        decode_client(DEEP)
    assert (caught.value.code, caught.value.terminal) == ("bad_json", False)
    with pytest.raises(ProtocolError):
        decode_server(DEEP)
    chunk = ('{"type":"closed","new":' + DEEP).encode()
    assert decode_chunk(chunk) == chunk
