"""Events through SageMaker's response stream, cut anew at random two hundred times, by a container that is not ours."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from fakes.patient import patient
from firstword.client import Event
from firstword.client.invocation import invoke_events
from firstword.config import ClientSettings
from firstword.emulator.emulator import Behind, run_emulator
from firstword.listen import listening

pytestmark = pytest.mark.anyio

PCM = bytes(range(256)) * 3
TOLD = [
    {"type": "audio_stream_start", "request_id": "a", "format": "pcm", "voice": "af_heart", "sample_rate": 24_000},
    {"type": "sentence", "request_id": "a", "index": 0, "text": "Grüße 🎈 你好。", "audio_offset_s": 0.0},
    {"type": "audio_chunk", "request_id": "a", "seq": 0, "data": base64.b64encode(PCM).decode()},
    {"type": "audio_stream_end", "request_id": "a", "total_chunks": 1, "duration_s": 0.016},
]
# Line ends of both kinds, and characters of two to four bytes that a cut may fall into.
STREAM = "".join(f"data: {json.dumps(event, ensure_ascii=False)}\r\n\r\n: keep\n\n" for event in TOLD).encode()
SETTINGS = ClientSettings(connect_timeout_s=5.0, receive_timeout_s=10.0)


async def _container(request: Request) -> StreamingResponse:
    await request.body()

    async def pieces() -> AsyncIterator[bytes]:
        yield STREAM

    return StreamingResponse(pieces(), media_type="text/event-stream")


async def test_two_hundred_random_cuts_give_the_same_events(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Starlette(routes=[Route("/invocations", _container, methods=["POST"])])
    async with asyncio.timeout(120), listening(app) as url:
        behind = Behind(endpoints={"voice": url})
        async with run_emulator(patient(h2="h2c"), behind) as emulator:
            for name, value in emulator.exports.items():
                monkeypatch.setenv(name, value)
            first = await _events()
            assert [type(event).__name__ for event in first] == [
                "SynthesisStart",
                "Sentence",
                "AudioChunk",
                "SynthesisComplete",
            ]
            for _ in range(200):
                assert await _events() == first


async def _events() -> list[Event]:
    return [event async for event in invoke_events("endpoint:voice", {"text": "x"}, settings=SETTINGS)]
