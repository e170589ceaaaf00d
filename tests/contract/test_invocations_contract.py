"""What every `POST /invocations` keeps. Run against others as `test_session_contract` says."""

import asyncio
import base64
import json
import time
from typing import Any

import httpx
import pytest

from contract.wire import SpeechPeer, answers
from firstword.audio import STREAMED_WAV_SIZE, wav_pcm
from firstword.protocol.sse import SseReader

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

TEXT = "Hello there. This is a second sentence."


async def _post(speech: SpeechPeer, body: Any = None, **options: Any) -> httpx.Response:
    async with speech.http() as client:
        content = (
            body if isinstance(body, bytes) else json.dumps(body if body is not None else {"text": TEXT, **options})
        )
        return await client.post("/invocations", content=content, headers={"Content-Type": "application/json"})


async def _events(speech: SpeechPeer, **options: Any) -> list[dict[str, Any]]:
    reply = await _post(speech, text=TEXT, transport="sse", **options)
    assert reply.headers["content-type"].startswith("text/event-stream")
    reader = SseReader()
    events = reader.feed(reply.content)
    assert not reader.pending
    return [json.loads(event.data) for event in events]


async def test_ping_says_that_it_is_ready(speech: SpeechPeer) -> None:
    async with speech.http() as client:
        assert (await client.get("/ping")).status_code == 200


async def test_a_streamed_wav_has_open_sizes_and_a_whole_one_exact_sizes(speech: SpeechPeer) -> None:
    streamed, whole = await _post(speech), await _post(speech, text=TEXT, stream=False)
    assert streamed.headers["content-type"] == whole.headers["content-type"] == "audio/wav"
    assert streamed.content[4:8] == STREAMED_WAV_SIZE.to_bytes(4, "little")
    assert int.from_bytes(whole.content[4:8], "little") == len(whole.content) - 8
    assert int(whole.headers["content-length"]) == len(whole.content)
    assert wav_pcm(streamed.content) == wav_pcm(whole.content)


async def test_pcm_has_no_header_and_is_the_audio_of_a_session(speech: SpeechPeer) -> None:
    pcm = (await _post(speech, text=TEXT, format="pcm")).content
    assert pcm == wav_pcm((await _post(speech)).content)[0]
    async with speech.session() as wire:
        message = {"text": TEXT, "request_id": "a"}
        assert (await answers(wire, message, until="synthesis_complete")).audio == pcm


@pytest.mark.parametrize("form", ["mp3", "aac", "opus", "flac"])
async def test_compressed_formats_are_smaller_than_pcm(speech: SpeechPeer, form: str) -> None:
    reply = await _post(speech, text=TEXT, format=form)
    pcm = await _post(speech, text=TEXT, format="pcm")
    assert reply.status_code == 200
    assert 0 < len(reply.content) < len(pcm.content)


async def test_server_sent_events_tell_the_whole_story_in_order(speech: SpeechPeer) -> None:
    events = await _events(speech, format="pcm", request_id="a")
    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["audio_stream_start", "sentence"]
    assert kinds[-1] == "audio_stream_end"
    assert {event["request_id"] for event in events} == {"a"}
    chunks = [event for event in events if event["type"] == "audio_chunk"]
    assert [chunk["seq"] for chunk in chunks] == list(range(events[-1]["total_chunks"]))
    pcm = b"".join(base64.b64decode(chunk["data"]) for chunk in chunks)
    assert pcm == (await _post(speech, text=TEXT, format="pcm")).content
    assert events[-1]["duration_s"] == pytest.approx(len(pcm) / 48_000)
    assert events[0].items() >= {"format": "pcm_s16le", "sample_rate": 24000, "voice": "af_heart"}.items()


async def test_timings_come_over_events_and_point_into_the_text(speech: SpeechPeer) -> None:
    events = await _events(speech, format="pcm", timings=True)
    words = [word for event in events if event["type"] == "timings" for word in event["words"]]
    assert " ".join(TEXT[word["char_start"] : word["char_end"]] for word in words) == TEXT.replace(".", "")


async def test_a_request_id_comes_back_in_a_header_and_cannot_forge_one(speech: SpeechPeer) -> None:
    assert (await _post(speech, text="Hi.", request_id="abc-1")).headers["x-request-id"] == "abc-1"
    for forged in ("a\r\nSet-Cookie: b=c", "ü"):
        for stream in (True, False):
            reply = await _post(speech, text="Hi.", request_id=forged, stream=stream)
            assert reply.status_code == 200
            assert not {"set-cookie", "x-request-id"} & set(reply.headers)


async def test_accept_is_ignored_and_the_body_decides(speech: SpeechPeer) -> None:
    async with speech.http() as client:
        reply = await client.post("/invocations", json={"text": TEXT}, headers={"Accept": "text/event-stream"})
    assert reply.headers["content-type"] == "audio/wav"


BAD_BODIES: list[tuple[Any, int, str, str | None]] = [
    (b"", 400, "bad_json", None),
    (b"{broken", 400, "bad_json", None),
    (b'{"text": "\xff"}', 400, "bad_json", None),
    (b'{"text": "Hi.", "speed": NaN}', 400, "bad_speed", "speed"),
    (b"[]", 400, "bad_message", None),
    ({}, 400, "text_required", "text"),
    ({"text": None}, 400, "text_required", "text"),
    ({"text": " \n"}, 400, "text_required", "text"),
    ({"text": 5}, 400, "bad_message", "text"),
    ({"text": "Hi.", "voice": "nobody"}, 400, "unknown_voice", "voice"),
    ({"text": "Hi.", "voice": ""}, 400, "unknown_voice", "voice"),
    ({"text": "Hi.", "voice": 3}, 400, "bad_message", "voice"),
    ({"text": "Hi.", "speed": 0}, 400, "bad_speed", "speed"),
    ({"text": "Hi.", "speed": "fast"}, 400, "bad_speed", "speed"),
    ({"text": "Hi.", "language": "tlh"}, 400, "bad_language", "language"),
    ({"text": "Hi.", "format": "midi"}, 400, "bad_format", "format"),
    ({"text": "Hi.", "sample_rate": 12345}, 400, "bad_format", "sample_rate"),
    ({"text": "Hi.", "transport": "pigeon"}, 400, "bad_message", "transport"),
    ({"text": "Hi.", "stream": "yes"}, 400, "bad_message", "stream"),
    ({"text": "Hi.", "stream": False, "transport": "sse"}, 400, "bad_message", "stream"),
    ({"text": "Hi.", "timings": True}, 400, "bad_message", "timings"),
    ({"text": "Hi.", "request_id": ""}, 400, "bad_message", "request_id"),
    ({"text": "Hi.", "request_timestamp": "yesterday"}, 400, "bad_message", "request_timestamp"),
    ({"text": "Hi.", "request_timestamp": 1_000_000}, 408, "request_stale", "request_timestamp"),
    ({"text": "Hi.", "request_timestamp": "2020-01-01T00:00:00Z"}, 408, "request_stale", "request_timestamp"),
    ({"text": "x" * 20_001}, 413, "text_too_long", "text"),
    (b'{"text": "' + b"x" * 1_100_000 + b'"}', 413, "body_too_long", None),
]


@pytest.mark.parametrize(("body", "status", "code", "field"), BAD_BODIES, ids=range(len(BAD_BODIES)))
async def test_a_bad_body_is_told_with_its_code_and_field(
    speech: SpeechPeer, body: Any, status: int, code: str, field: str | None
) -> None:
    reply = await _post(speech, body)
    told = reply.json()
    assert (reply.status_code, told["code"], told.get("field")) == (status, code, field)
    assert told["message"]


async def test_a_fresh_timestamp_is_no_obstacle(speech: SpeechPeer) -> None:
    assert (await _post(speech, text="Hi.", request_timestamp=time.time())).status_code == 200


async def test_other_content_types_paths_and_methods_are_refused_as_http_means_them(speech: SpeechPeer) -> None:
    async with speech.http() as client:
        wrong = await client.post("/invocations", content=b"Hi.", headers={"Content-Type": "text/plain"})
        assert (wrong.status_code, wrong.json()["code"]) == (415, "bad_content_type")
        assert (await client.get("/nowhere")).status_code == 404
        got = await client.get("/invocations")
        assert (got.status_code, got.headers["allow"]) == (405, "POST")


async def test_text_with_nothing_to_say_is_a_wav_without_samples(speech: SpeechPeer) -> None:
    reply = await _post(speech, text="…")
    assert reply.status_code == 200
    assert wav_pcm(reply.content)[0] == b""


async def test_two_hundred_bad_bodies_leak_nothing(speech: SpeechPeer) -> None:
    async with speech.http() as client:
        replies = await asyncio.gather(*(client.post("/invocations", content=b"{") for _ in range(200)))
        assert {reply.status_code for reply in replies} <= {400, 415}
    assert (await _post(speech)).status_code == 200
