"""The official OpenAI SDK, unchanged, against the running server; and what the interface promises beside it."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx
import openai
import pytest

from fakes.gate import Gate
from fakes.speech_server import RunningServer, speech_server
from firstword.audio import duration_s
from firstword.codecs.decoder import decode_whole
from firstword.kokoro.tone import ToneVoice
from firstword.protocol.sse import SseReader
from firstword.server.openai.voices import OPENAI_VOICES

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

TEXT = "Hello there. This is a second sentence."
type Format = Literal["mp3", "opus", "aac", "flac", "wav", "pcm"]


@asynccontextmanager
async def _sdk(server: RunningServer, key: str = "none") -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key=key, max_retries=0, timeout=20.0) as client:
        yield client


async def _reference_pcm(server: RunningServer) -> bytes:
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        return (await client.post("/invocations", json={"text": TEXT, "format": "pcm"})).content


@pytest.mark.parametrize("form", ["mp3", "opus", "aac", "flac", "wav", "pcm"])
async def test_the_sdk_streams_every_format_and_each_decodes_to_the_whole_text(form: Format) -> None:
    async with speech_server() as server, _sdk(server) as sdk:
        reference = await _reference_pcm(server)
        asked = sdk.audio.speech.with_streaming_response.create(
            model="gpt-4o-mini-tts", input=TEXT, voice="marin", response_format=form
        )
        async with asked as reply:
            data = b"".join([part async for part in reply.iter_bytes()])
    pcm, rate_hz = decode_whole(data, form)
    assert duration_s(len(pcm), rate_hz) == pytest.approx(duration_s(len(reference)), abs=0.15)
    if form in ("wav", "pcm", "flac"):
        assert pcm == reference


async def test_the_sdk_has_the_first_bytes_before_the_last_are_made() -> None:
    gate = Gate()
    async with speech_server(ToneVoice(steps=8, wait=gate)) as server, _sdk(server) as sdk:
        gate.let(4)
        asked = sdk.audio.speech.with_streaming_response.create(model="tts-1", input=TEXT, voice="alloy")
        async with asked as reply:
            parts = reply.iter_bytes()
            assert await anext(parts)
            assert gate.arrived < 16
            gate.open()
            rest = [part async for part in parts]
        assert reply.headers["content-type"] == "audio/mpeg"
        assert rest


@pytest.mark.parametrize("form", ["mp3", "opus", "aac", "flac", "wav", "pcm"])
async def test_events_are_openais_deltas_in_every_format_and_one_done_with_usage(form: Format) -> None:
    async with speech_server() as server, _sdk(server) as sdk:
        reference = await _reference_pcm(server)
        asked = sdk.audio.speech.with_streaming_response.create(
            model="tts-1", input=TEXT, voice="af_heart", response_format=form, stream_format="sse"
        )
        async with asked as reply:
            assert reply.headers["content-type"] == "text/event-stream"
            reader = SseReader()
            events = [event async for part in reply.iter_bytes() for event in reader.feed(part)]
    assert not reader.pending
    bodies = [json.loads(event.data) for event in events]
    assert [body["type"] for body in bodies] == ["speech.audio.delta"] * (len(bodies) - 1) + ["speech.audio.done"]
    pcm, rate_hz = decode_whole(b"".join(base64.b64decode(body["audio"]) for body in bodies[:-1]), form)
    assert duration_s(len(pcm), rate_hz) == pytest.approx(duration_s(len(reference)), abs=0.15)
    if form in ("wav", "pcm", "flac"):
        assert pcm == reference
    usage = bodies[-1]["usage"]
    assert usage["input_tokens"] == len(TEXT)
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"] > len(TEXT)


async def test_names_of_openai_ours_and_blends_are_voices_and_an_object_names_one_too() -> None:
    async with speech_server() as server, _sdk(server) as sdk:
        for voice in ("echo", "am_echo", "af_heart*0.7+af_bella*0.3"):
            assert (await sdk.audio.speech.create(model="tts-1", input="Hi.", voice=voice)).content
        assert (await sdk.audio.speech.create(model="tts-1", input="Hi.", voice={"id": "nova"})).content
        with pytest.raises(openai.BadRequestError) as refused:
            await sdk.audio.speech.create(model="tts-1", input="Hi.", voice="nobody")
        assert (refused.value.code, refused.value.param) == ("unknown_voice", "voice")


async def test_models_and_voices_are_listed() -> None:
    async with speech_server() as server, _sdk(server) as sdk:
        assert [model.id async for model in sdk.models.list()] == ["kokoro-82m"]
        assert (await sdk.models.retrieve("kokoro-82m")).owned_by == "hexgrad"
        with pytest.raises(openai.NotFoundError):
            await sdk.models.retrieve("whisper-1")
        listed = (await sdk.get("/audio/voices", cast_to=httpx.Response)).json()["voices"]
    names = {entry["id"]: entry["voice"] for entry in listed}
    assert names["af_heart"] == "af_heart"
    assert {name: names[name] for name in OPENAI_VOICES} == OPENAI_VOICES


BAD: list[tuple[dict[str, Any], str, str | None]] = [
    ({}, "text_required", "input"),
    ({"input": "  "}, "text_required", "input"),
    ({"input": 7}, "bad_message", "input"),
    ({"input": "Hi.", "response_format": "mp5"}, "bad_format", "response_format"),
    ({"input": "Hi.", "speed": 4.0}, "bad_speed", "speed"),
    ({"input": "Hi.", "speed": "fast"}, "bad_speed", "speed"),
    ({"input": "Hi.", "voice": 7}, "bad_message", "voice"),
    ({"input": "Hi.", "voice": ""}, "unknown_voice", "voice"),
    ({"input": "Hi.", "stream_format": "tape"}, "bad_message", "stream_format"),
    ({"input": "Hi.", "model": {}}, "bad_message", "model"),
    ({"input": "Hi.", "pronunciations": {"hi": "/h@/"}}, "bad_pronunciation", "pronunciations"),
    ({"input": "[Hi](/h@/)"}, "bad_pronunciation", None),
]


@pytest.mark.parametrize(("body", "code", "param"), BAD)
async def test_a_bad_request_is_told_in_openais_form(body: dict[str, Any], code: str, param: str | None) -> None:
    async with speech_server() as server, httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        reply = await client.post("/v1/audio/speech", json=body)
        assert reply.status_code == 400
        error = reply.json()["error"]
        assert (error["code"], error["param"], error["type"]) == (code, param, "invalid_request_error")
        assert error["message"]


async def test_keys_unknown_paths_and_failures_are_told_in_openais_form() -> None:
    voice = ToneVoice(steps=1, fails_on="boom")
    async with speech_server(voice, keys=("right",)) as server:
        async with _sdk(server, key="wrong") as sdk:
            with pytest.raises(openai.AuthenticationError):
                await sdk.models.list()
        async with _sdk(server, key="right") as sdk:
            with pytest.raises(openai.NotFoundError) as missing:
                await sdk.audio.transcriptions.create(model="whisper-1", file=b"x")
            assert missing.value.code == "not_found"
            for events in ("audio", "sse"):
                with pytest.raises(openai.InternalServerError) as failed:
                    await sdk.audio.speech.create(
                        model="tts-1", input="boom", voice="alloy", extra_body={"stream_format": events}
                    )
                assert failed.value.code == "engine_failed"
            assert (await sdk.audio.speech.create(model="tts-1", input="Hi.", voice="alloy")).content


async def test_a_failure_after_the_first_audio_is_an_error_event() -> None:
    async with (
        speech_server(ToneVoice(fails_on="boom")) as server,
        httpx.AsyncClient(base_url=server.url, trust_env=False) as client,
    ):
        reply = await client.post("/v1/audio/speech", json={"input": "Fine so far. Then boom.", "stream_format": "sse"})
    last = json.loads(reply.text.rstrip().rpartition("data: ")[2])
    assert (last["type"], last["error"]["code"]) == ("error", "engine_failed")
    assert "speech.audio.done" not in reply.text
