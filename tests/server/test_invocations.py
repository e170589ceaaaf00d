"""A POST where things go wrong or slowly: failing voices, readers that leave or stop."""

import asyncio

import httpx
import pytest

from fakes.gate import Gate
from fakes.speech_server import RunningServer, speech_server
from firstword.kokoro.tone import ToneVoice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

LONG = "This is a sentence that takes a while to say. " * 8


def _client(server: RunningServer) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.url, timeout=20.0, trust_env=False)


async def _empty(server: RunningServer) -> None:
    await asyncio.wait_for(server.serving.admission.until_empty(), 20)


async def test_a_failure_before_any_audio_is_an_http_error() -> None:
    async with speech_server(ToneVoice(steps=1, fails_on="boom")) as server, _client(server) as client:
        for extra in ({}, {"stream": False}):
            reply = await client.post("/invocations", json={"text": "boom", "request_id": "a", **extra})
            assert (reply.status_code, reply.json()["code"]) == (500, "engine_failed")
        assert (await client.post("/invocations", json={"text": "Hi."})).status_code == 200


async def test_a_failure_after_the_first_audio_cuts_a_binary_body_short() -> None:
    async with speech_server(ToneVoice(fails_on="boom")) as server, _client(server) as client:
        with pytest.raises(httpx.RemoteProtocolError):
            await client.post("/invocations", json={"text": "Fine so far. Then boom."})
        assert (await client.post("/invocations", json={"text": "Hi."})).status_code == 200


async def test_a_failure_over_events_is_an_error_event() -> None:
    async with speech_server(ToneVoice(fails_on="boom")) as server, _client(server) as client:
        reply = await client.post("/invocations", json={"text": "Fine so far. Then boom.", "transport": "sse"})
    assert reply.text.rstrip().split("event: ")[-1].startswith("error\n")
    assert "engine_failed" in reply.text
    assert "audio_stream_end" not in reply.text


async def test_a_reader_that_hangs_up_ends_the_synthesis() -> None:
    gate = Gate()
    async with speech_server(ToneVoice(steps=50, wait=gate)) as server, _client(server) as client:
        gate.let(2)
        async with client.stream("POST", "/invocations", json={"text": LONG}) as reply:
            audio = reply.aiter_raw()
            await anext(audio)
            await gate.until_arrived(3)
        await _empty(server)
        await gate.until_cancelled()
        assert server.serving.service.unfinished == 0


async def test_a_reader_that_hangs_up_before_a_whole_answer_frees_its_place() -> None:
    gate = Gate()
    async with speech_server(ToneVoice(wait=gate)) as server, _client(server) as client:
        posted = asyncio.ensure_future(client.post("/invocations", json={"text": LONG, "stream": False}))
        await gate.until_arrived(1)
        posted.cancel()
        await _empty(server)
        await gate.until_cancelled()


async def test_a_reader_that_stops_is_dropped_and_holds_up_nobody() -> None:
    async with (
        speech_server(send_timeout_s=0.3, max_text_chars=100_000) as server,
        _client(server) as client,
        client.stream("POST", "/invocations", json={"text": LONG * 200}) as reply,
    ):
        stopped = reply.aiter_raw()
        await anext(stopped)
        for _ in range(3):
            assert (await client.post("/invocations", json={"text": "Hi."})).status_code == 200
        await _empty(server)


async def test_a_body_that_never_ends_is_given_up() -> None:
    async with speech_server(send_timeout_s=0.1) as server:
        host, port = server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"POST /invocations HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        status = await reader.readline()
        writer.close()
        await writer.wait_closed()
        assert status.split()[1] == b"408"


async def test_events_keep_the_line_alive_while_nothing_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firstword.server.posts.PATIENCE_S", 0.01)
    gate = Gate()
    async with (
        speech_server(ToneVoice(wait=gate)) as server,
        _client(server) as client,
        client.stream("POST", "/invocations", json={"text": "Hi.", "transport": "sse"}) as reply,
    ):
        text = ""
        async for part in reply.aiter_text():
            text += part
            if text.count(": keep-alive\n\n") == 2:
                gate.open()
    assert "audio_stream_end" in text
