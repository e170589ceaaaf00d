"""The switch for comparison: no audio of a request leaves before all of it is made, whatever the route."""

import asyncio
from typing import Any

import httpx
import pytest

from contract.wire import UrlPeer, answers
from fakes.gate import Gate
from fakes.speech_server import speech_server
from firstword.kokoro.tone import ToneVoice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

STEPS = 4
TEXT = "The first sentence here. And then the second one."
SENTENCES = 2


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/invocations", {"text": TEXT}),
        ("/invocations", {"text": TEXT, "transport": "sse"}),
        ("/v1/audio/speech", {"input": TEXT}),
        ("/v1/audio/speech", {"input": TEXT, "stream_format": "sse"}),
    ],
)
async def test_a_post_sends_no_audio_before_all_of_it_is_made(path: str, body: dict[str, Any]) -> None:
    gate, received = Gate(), bytearray()
    async with (
        speech_server(ToneVoice(steps=STEPS, wait=gate), whole_message=True) as server,
        httpx.AsyncClient(base_url=server.url, timeout=20.0, trust_env=False) as client,
    ):

        async def read() -> None:
            async with client.stream("POST", path, json=body) as reply:
                async for part in reply.aiter_raw():
                    received.extend(part)

        reading = asyncio.ensure_future(read())
        gate.let(STEPS * SENTENCES - 1)
        await gate.until_arrived(STEPS * SENTENCES)
        assert b"audio_chunk" not in received
        assert not received or "transport" in body
        gate.open()
        await reading
    assert len(received) > 2_000


async def test_a_session_gets_the_same_audio_but_only_when_all_of_it_is_made() -> None:
    gate = Gate()
    async with speech_server() as server, UrlPeer(server.url).session() as wire:
        piecewise = await answers(wire, {"text": TEXT, "request_id": "a"}, until="synthesis_complete")
    voice = ToneVoice(steps=STEPS, wait=gate)
    # A buffer of less than the answer must not hold up an answer that is held whole.
    async with (
        speech_server(voice, whole_message=True, max_buffered_s=0.5) as server,
        UrlPeer(server.url).session() as wire,
    ):
        await answers(wire, {"text": TEXT, "request_id": "a"}, until="synthesis_start")
        gate.let(STEPS * SENTENCES - 1)
        await gate.until_arrived(STEPS * SENTENCES)
        held = await answers(wire, {"type": "synthesize", "text": ""}, until="error")
        assert held.kinds() == ["error"]
        gate.open()
        whole = await answers(wire, until="synthesis_complete")
    assert whole.audio == piecewise.audio


async def test_an_answer_that_fails_sends_nothing_of_itself() -> None:
    async with (
        speech_server(ToneVoice(fails_on="boom"), whole_message=True) as server,
        httpx.AsyncClient(base_url=server.url, timeout=20.0, trust_env=False) as client,
    ):
        reply = await client.post("/invocations", json={"text": "Fine so far. Then boom."})
        assert (reply.status_code, reply.json()["code"]) == (500, "engine_failed")
