"""The server's own life: loading, failing to load, ready, draining; and that nothing blocks its ears meanwhile."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

import httpx
import pytest

from contract.wire import UrlPeer, answers
from fakes.gate import Gate
from fakes.speech_server import RunningServer, speech_server
from firstword.codecs.containers import CONTAINERS, Container
from firstword.errors import AssetMissing
from firstword.kokoro.synthesizer import Begin, CancelToken, Piece
from firstword.kokoro.tone import ToneVoice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


class _SlowToLoad(ToneVoice):
    def __init__(self, error: AssetMissing | None = None) -> None:
        super().__init__()
        self.may_load = threading.Event()
        self._error = error

    def warm(self, begin: Begin | None = None) -> None:
        assert self.may_load.wait(30)
        if self._error is not None:
            raise self._error


@asynccontextmanager
async def _client(server: RunningServer) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.url, timeout=20.0, trust_env=False) as client:
        yield client


async def test_while_the_voice_loads_ping_answers_503_and_requests_are_told_to_come_back() -> None:
    voice = _SlowToLoad()
    async with speech_server(voice, loaded=False) as server, _client(server) as client:
        ping = await client.get("/ping")
        assert (ping.status_code, ping.json()) == (503, {"status": "loading"})
        refused = await client.post("/invocations", json={"text": "Hi."})
        assert (refused.status_code, refused.json()["code"]) == (503, "overloaded")
        assert int(refused.headers["retry-after"]) > 0
        async with UrlPeer(server.url).session() as wire:
            told = await answers(wire, until="closed")
            assert told.messages("error")[0].items() >= {"code": "overloaded", "retryable": True}.items()
        voice.may_load.set()
        await server.serving.loaded.wait()
        assert (await client.get("/ping")).status_code == 200


async def test_a_voice_that_does_not_load_is_told_and_never_becomes_ready() -> None:
    voice = _SlowToLoad(AssetMissing("No weights."))
    voice.may_load.set()
    async with speech_server(voice) as server, _client(server) as client:
        assert (await client.get("/ping")).json() == {"status": "failed"}
        assert server.serving.failure is not None


class _CannotPlan(ToneVoice):
    def begin(self, piece: Piece, cancel: CancelToken) -> NoReturn:
        raise RuntimeError("a bug in the voice")


async def test_an_encoder_that_the_codec_library_lacks_is_named_before_the_server_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CONTAINERS, "next", Container(codec="libnext", muxer="mp3"))
    async with speech_server() as server, _client(server) as client:
        assert (await client.get("/ping")).status_code == 503
        assert server.serving.failure is not None
        assert "libnext" in server.serving.failure.message


async def test_a_bug_in_the_voice_fails_its_request_and_the_server_goes_on() -> None:
    async with speech_server(_CannotPlan()) as server, _client(server) as client:
        for _ in range(2):
            reply = await client.post("/invocations", json={"text": "Hi."})
            assert (reply.status_code, reply.json()["code"]) == (500, "engine_failed")
            assert "bug" not in reply.text


async def test_ping_and_a_new_session_are_answered_while_an_inference_runs() -> None:
    gate = Gate()
    async with (
        speech_server(ToneVoice(wait=gate)) as server,
        _client(server) as client,
        UrlPeer(server.url).session() as busy,
    ):
        await answers(busy, {"text": "A long text."}, until="synthesis_start")
        await gate.until_arrived(1)
        assert (await client.get("/ping")).status_code == 200
        async with UrlPeer(server.url).session() as second:
            assert (await answers(second, until="ready")).frames
        assert gate.arrived == 1
        gate.open()
        await answers(busy, until="synthesis_complete")


async def test_a_full_server_refuses_with_503_and_overloaded_and_recovers() -> None:
    async with speech_server(max_sessions=1) as server, _client(server) as client:
        async with UrlPeer(server.url).session() as inside:
            await answers(inside, until="ready")
            refused = await client.post("/invocations", json={"text": "Hi."})
            assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
            async with UrlPeer(server.url).session() as outside:
                told = await answers(outside, until="closed")
                assert [error["code"] for error in told.messages("error")] == ["overloaded"]
            assert (await client.get("/ping")).status_code == 200
            await answers(inside, {"type": "close"}, until="closed")
        await asyncio.wait_for(server.serving.admission.until_empty(), 20)
        assert (await client.post("/invocations", json={"text": "Hi."})).status_code == 200


async def test_two_hundred_bad_bodies_take_no_place() -> None:
    async with speech_server(max_sessions=4) as server, _client(server) as client:
        replies = await asyncio.gather(*(client.post("/invocations", content=b"{") for _ in range(200)))
        assert {reply.status_code for reply in replies} == {400}
        assert server.serving.admission.taken == 0
        assert (await client.post("/invocations", json={"text": "Hi."})).status_code == 200


async def test_metrics_count_what_happened() -> None:
    async with speech_server() as server, _client(server) as client:
        await client.post("/invocations", json={"text": "Hello there."})
        await client.post("/invocations", json={"text": ""})
        async with UrlPeer(server.url).session() as wire:
            await answers(wire, {"text": "Hi.", "request_id": "a"}, until="synthesis_complete")
            page = (await client.get("/metrics")).text
    assert 'firstword_requests_total{outcome="complete",route="invocations"} 1.0' in page
    assert 'firstword_requests_total{outcome="refused",route="invocations"} 1.0' in page
    assert 'firstword_requests_total{outcome="complete",route="bidirectional"} 1.0' in page
    assert 'firstword_first_audio_seconds_count{route="bidirectional"} 1.0' in page
    assert "firstword_sessions 1.0" in page
    assert "firstword_queued_requests 0.0" in page


async def test_a_drain_tells_sessions_lets_answers_finish_and_takes_nobody_new() -> None:
    gate = Gate()
    async with (
        speech_server(ToneVoice(wait=gate)) as server,
        _client(server) as client,
        UrlPeer(server.url).session() as wire,
    ):
        await answers(wire, {"text": "Hello there.", "request_id": "a"}, until="synthesis_start")
        await gate.until_arrived(1)
        drain = asyncio.ensure_future(server.serving.drain())
        assert (await answers(wire, until="going_away")).messages("going_away")[0]["deadline_s"] == 20.0
        assert (await client.get("/ping")).json() == {"status": "draining"}
        assert (await client.post("/invocations", json={"text": "Hi."})).status_code == 503
        gate.open()
        ended = await answers(wire, until="closed")
        assert ended.messages("synthesis_complete")[0]["request_id"] == "a"
        await asyncio.wait_for(drain, 20)


async def test_what_a_drain_cannot_wait_for_is_told_that_it_ends() -> None:
    gate = Gate()
    async with speech_server(ToneVoice(wait=gate), drain_s=0.05) as server, _client(server) as client:
        posted = asyncio.ensure_future(client.post("/invocations", json={"text": "Hi.", "transport": "sse"}))
        async with UrlPeer(server.url).session() as wire:
            await answers(wire, {"text": "Hello there.", "request_id": "a"}, until="synthesis_start")
            await gate.until_arrived(1)
            drain = asyncio.ensure_future(server.serving.drain())
            ended = await answers(wire, until="closed")
            assert [(error["code"], error["retryable"]) for error in ended.messages("error")] == [("going_away", True)]
        assert "going_away" in (await posted).text
        gate.open()
        await asyncio.wait_for(drain, 20)
