"""What the transport bench counts is what goes over the wire."""

import base64
import json

import httpx
import pytest

from fakes.speech_server import speech_server
from firstword.bench.transport import FORMATS
from firstword.codecs.formats import FORMATS as EVERY
from firstword.protocol.sse import SseReader
from firstword.server.bodies import chunk_event

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


def test_every_format_is_measured_beside_pcm() -> None:
    assert FORMATS[0] == "pcm"
    assert set(FORMATS) == set(EVERY)


async def test_events_are_counted_as_the_server_writes_them() -> None:
    async with speech_server() as server, httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        asked = {"text": "Hello there. And again.", "format": "mp3", "transport": "sse"}
        body = (await client.post("/invocations", json=asked)).content
    chunks = [json.loads(event.data) for event in SseReader().feed(body) if event.event == "audio_chunk"]
    assert len(chunks) > 1
    counted = [chunk_event(told["request_id"], told["seq"], base64.b64decode(told["data"])) for told in chunks]
    assert all(event in body for event in counted)
    assert all(len(told["request_id"]) == 32 for told in chunks)
