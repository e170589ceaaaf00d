"""A server that is full says so, at once and to newcomers only; whoever is being spoken to goes on."""

from typing import Any

import httpx
import pytest

from contract.wire import UrlPeer, answers
from fakes.gate import Gate
from fakes.speech_server import RunningServer, speech_server
from firstword.kokoro.tone import ToneVoice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

NO_ROOM: dict[str, Any] = {"min_listeners": 1, "max_load": 1e-12}
"""One is let in; beside it any voice is too slow."""
TEXT = "This one is being spoken to."


async def _post(server: RunningServer) -> httpx.Response:
    async with httpx.AsyncClient(base_url=server.url, timeout=20.0, trust_env=False) as client:
        return await client.post("/invocations", json={"text": TEXT})


async def test_a_newcomer_beyond_the_load_is_refused_and_may_come_again_once_there_is_room() -> None:
    gate = Gate()
    async with speech_server(ToneVoice(wait=gate), **NO_ROOM) as server, UrlPeer(server.url).session() as inside:
        gate.let(4)
        await answers(inside, {"text": TEXT, "request_id": "taught"}, until="synthesis_complete")
        await answers(inside, {"text": TEXT, "request_id": "a"}, until="synthesis_start")
        async with UrlPeer(server.url).session() as outside:
            told = (await answers(outside, {"text": TEXT, "request_id": "b"}, until="error")).messages("error")[0]
            assert (told["code"], told["request_id"], told["terminal"], told["retryable"]) == (
                "overloaded",
                "b",
                True,
                True,
            )
            assert "Try again" in told["message"]
            refused = await _post(server)
            assert (refused.status_code, refused.json()["code"]) == (503, "overloaded")
            assert int(refused.headers["Retry-After"]) >= 1
            gate.open()
            await answers(inside, until="synthesis_complete")
            assert (await answers(outside, {"text": TEXT, "request_id": "c"}, until="synthesis_complete")).audio
        assert (await _post(server)).status_code == 200


async def test_a_session_that_is_being_spoken_to_is_never_refused_its_next_sentence() -> None:
    gate = Gate()
    async with speech_server(ToneVoice(wait=gate), **NO_ROOM) as server, UrlPeer(server.url).session() as first:
        gate.let(4)
        await answers(first, {"text": TEXT, "request_id": "taught"}, until="synthesis_complete")
        async with UrlPeer(server.url).session() as second:
            await answers(second, {"text": TEXT, "request_id": "other"}, until="synthesis_start")
            # The first one's audio has all been made, and is playing; its answer goes on.
            await first.send('{"text": "And on it goes.", "request_id": "next"}')
            gate.open()
            assert (await answers(first, until="synthesis_complete")).messages("error") == []
            await answers(second, until="synthesis_complete")
