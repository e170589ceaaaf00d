"""A session where things go wrong or slowly: failing voices, lost clients, readers that stop, text that stops."""

import asyncio
import json
import logging
from itertools import count

import pytest
from websockets.asyncio.client import connect

from contract.wire import SessionWire, UrlPeer, answers
from fakes.gate import Gate
from fakes.speech_server import RunningServer, speech_server
from firstword.kokoro.tone import ToneVoice
from firstword.speech.listener import Listener

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

LONG = "This is a sentence that takes a while to say. " * 8


async def _empty(server: RunningServer) -> None:
    await asyncio.wait_for(server.serving.admission.until_empty(), 20)


async def _ok(wire: SessionWire, name: str) -> bool:
    return bool((await answers(wire, {"text": "Hi.", "request_id": name}, until="synthesis_complete")).audio)


async def test_a_voice_that_fails_mid_answer_is_told_and_the_next_request_works() -> None:
    async with speech_server(ToneVoice(fails_on="boom")) as server, UrlPeer(server.url).session() as wire:
        failed = await answers(wire, {"text": "Fine so far. Then boom.", "request_id": "a"}, until="error")
        error = failed.messages("error")[0]
        assert error.items() >= {"code": "engine_failed", "request_id": "a", "terminal": True}.items()
        assert error["audio_bytes"] == len(failed.audio) > 0
        assert await _ok(wire, "b")


async def test_a_client_that_vanishes_mid_answer_frees_everything() -> None:
    gate = Gate()
    async with speech_server(ToneVoice(steps=50, wait=gate)) as server:
        async with UrlPeer(server.url).session() as wire:
            await answers(wire, {"text": LONG}, {"text": LONG}, until="synthesis_start")
            gate.let(1)
            await gate.until_arrived(2)
        await _empty(server)
        await gate.until_cancelled()
        assert server.serving.service.unfinished == 0
        assert not server.serving.sessions


async def test_a_client_that_reads_nothing_is_dropped_and_holds_up_nobody() -> None:
    async with speech_server(send_timeout_s=0.3, max_lead_s=10_000.0) as server:
        address = server.url.replace("http", "ws") + "/invocations-bidirectional-stream"
        async with connect(address, proxy=None, max_queue=1, ping_interval=None) as stalled:
            for number in range(40):
                await stalled.send(json.dumps({"text": LONG, "request_id": str(number)}))
            async with UrlPeer(server.url).session() as wire:
                assert await _ok(wire, "a")
            await _empty(server)
            stalled.transport.abort()


async def test_a_frame_too_large_is_refused_by_the_close_code_that_says_so() -> None:
    async with speech_server(max_message_bytes=10_000) as server:
        address = server.url.replace("http", "ws") + "/invocations-bidirectional-stream"
        async with connect(address, proxy=None) as websocket:
            await websocket.send("x" * 30_000)
            await websocket.wait_closed()
        assert websocket.close_code == 1009
        await _empty(server)


async def test_a_session_is_closed_by_1000_and_never_without_a_close_frame() -> None:
    async with speech_server() as server:
        address = server.url.replace("http", "ws") + "/invocations-bidirectional-stream"
        async with connect(address, proxy=None) as websocket:
            await websocket.send('{"type": "close"}')
            await websocket.wait_closed()
        assert websocket.close_code == 1000


async def test_live_text_that_stops_is_told_spoken_and_completed() -> None:
    async with speech_server(text_timeout_s=0.05) as server, UrlPeer(server.url).session() as wire:
        delta = {"type": "text_delta", "request_id": "a", "text": "And then"}
        behind = {"text": "Hi.", "request_id": "b"}
        received = await answers(wire, delta, behind, until="synthesis_complete", count=2)
        error = received.messages("error")[0]
        assert (error["code"], error["terminal"]) == ("text_timeout", False)
        assert received.messages("sentence")[0]["text"] == "And then"


async def test_audio_that_is_there_is_sent_no_further_ahead_of_playback_than_allowed() -> None:
    at_once = ToneVoice(steps=1)
    sentence = "This one long sentence is made in a single step, so all of its audio is there at once."
    async with speech_server(at_once, max_lead_s=0.5) as server, UrlPeer(server.url).session() as wire:
        await answers(wire, {"text": sentence, "request_id": "a"}, until="sentence")
        frames = [await wire.receive() for _ in range(2)]
        cancelled = await answers(wire, {"type": "cancel", "request_id": "a"}, until="synthesis_cancelled")
        audio = b"".join(frame for frame in frames if isinstance(frame, bytes)) + cancelled.audio
        assert len(audio) / 48_000 < 2.0


async def test_a_listener_that_reports_its_playback_is_served_as_fast_as_it_hears() -> None:
    async with speech_server(max_lead_s=0.2) as server, UrlPeer(server.url).session() as wire:
        # More audio than this test has time, so that it passes only if the reports are heeded.
        await answers(wire, {"text": LONG * 5, "request_id": "a"}, until="sentence")
        played = {"type": "playback", "request_id": "a", "played_s": 10_000.0}
        audio = 0
        while True:
            frame = await wire.receive()
            if isinstance(frame, bytes):
                audio += len(frame)
                await answers(wire, played, until="never", count=0)
            elif frame is None or "synthesis_complete" in frame:
                break
        assert audio > 70 * 48_000


async def test_nothing_that_was_said_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        async with speech_server() as server, UrlPeer(server.url).session() as wire:
            await answers(wire, {"text": "Xylophone.", "request_id": "a"}, until="synthesis_complete")
            await answers(wire, {"text": "Xylophone.", "voice": "nobody"}, until="error")
    assert any(record.message == "request ended" for record in caplog.records)
    assert not [record for record in caplog.records if "xylophone" in str(vars(record)).lower()]


async def test_bounds_of_a_session_are_told_as_overloaded() -> None:
    gate = Gate()
    async with (
        speech_server(ToneVoice(wait=gate), max_queued_requests=2) as server,
        UrlPeer(server.url).session() as wire,
    ):
        many = [{"text": "Hi.", "request_id": str(number)} for number in range(4)]
        told = await answers(wire, *many, until="error", count=2)
        assert [(e["code"], e["request_id"]) for e in told.messages("error")] == [
            ("overloaded", "2"), ("overloaded", "3"),
        ]  # fmt: skip
        await answers(wire, {"type": "cancel"}, until="synthesis_cancelled", count=2)
        gate.open()
        assert await _ok(wire, "after")


@pytest.mark.timeout(30)
async def test_audio_whose_time_comes_between_two_looks_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every second look at how long audio is held finds that it need not be any more, and nothing else happens."""
    looks = count()
    monkeypatch.setattr(Listener, "hold_s", lambda self: 0.0 if next(looks) % 2 else 0.001)
    async with speech_server() as server, UrlPeer(server.url).session() as wire:
        received = await answers(wire, {"text": "Hello there.", "request_id": "a"}, until="synthesis_complete")
    assert received.audio
