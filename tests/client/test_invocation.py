"""One complete text through `/invocations`: of a server and of a SageMaker endpoint, whole, streamed, as events."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.patient import patient
from fakes.speech_server import speech_server
from firstword.audio import wav_pcm
from firstword.client import AudioChunk, Event, Sentence, SynthesisComplete, SynthesisStart, Timings
from firstword.client.invocation import invoke, invoke_events, invoke_stream, read_events
from firstword.config import ClientSettings
from firstword.emulator.emulator import Behind, Emulator, run_emulator
from firstword.errors import ConfigError, ConnectFailed, ConnectionLost, RemoteError, TransportError, UsageError
from firstword.protocol.sse import encode_event

pytestmark = pytest.mark.anyio

BODY = {"text": "Grüße. It has two sentences."}
SETTINGS = ClientSettings(connect_timeout_s=5.0, receive_timeout_s=10.0)


@asynccontextmanager
async def place(
    way: str, monkeypatch: pytest.MonkeyPatch, **emulated: int
) -> AsyncIterator[tuple[str, Emulator | None]]:
    """An address of the real server, straight or behind SageMaker as the emulator plays it."""
    async with asyncio.timeout(60), speech_server() as server:
        if way == "http":
            yield server.url, None
            return
        behind = Behind(endpoints={"voice": server.url})
        async with run_emulator(patient(h2="h2c", **emulated), behind) as emulator:
            for name, value in emulator.exports.items():
                monkeypatch.setenv(name, value)
            yield "endpoint:voice", emulator


@pytest.mark.parametrize("way", ["http", "sagemaker"])
async def test_whole_streamed_and_as_events_the_audio_is_the_same(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place(way, monkeypatch) as (address, _):
        pcm, rate_hz = wav_pcm(await invoke(address, BODY, settings=SETTINGS))
        streamed = b"".join([piece async for piece in invoke_stream(address, BODY, settings=SETTINGS)])
        events = [event async for event in invoke_events(address, {**BODY, "timings": True}, settings=SETTINGS)]
    assert rate_hz == 24_000
    assert wav_pcm(streamed)[0] == pcm
    assert b"".join(event.pcm for event in events if isinstance(event, AudioChunk)) == pcm
    assert isinstance(events[0], SynthesisStart)
    assert [event.text for event in events if isinstance(event, Sentence)] == ["Grüße.", "It has two sentences."]
    assert [event.char_start for event in events if isinstance(event, Sentence)] == [0, 7]
    assert sum(len(event.words) for event in events if isinstance(event, Timings)) == 5
    assert isinstance(events[-1], SynthesisComplete)
    assert events[-1].audio_bytes == len(pcm)


@pytest.mark.parametrize("seed", range(3))
async def test_wherever_sagemaker_cuts_the_events_are_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place("http", monkeypatch) as (address, _):
        expected = [event async for event in invoke_events(address, {**BODY, "request_id": "a"}, settings=SETTINGS)]
    async with place("sagemaker", monkeypatch, chunk_seed=seed) as (address, _):
        events = [event async for event in invoke_events(address, {**BODY, "request_id": "a"}, settings=SETTINGS)]
    assert joined(events) == joined(expected)


def joined(events: list[Event]) -> tuple[list[Event], bytes]:
    """Events without their audio, and the audio: how it is divided may differ from run to run."""
    audio = b"".join(event.pcm for event in events if isinstance(event, AudioChunk))
    return [event for event in events if not isinstance(event, AudioChunk)], audio


@pytest.mark.parametrize("way", ["http", "sagemaker"])
async def test_the_servers_own_code_reaches_the_caller(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place(way, monkeypatch) as (address, _):
        for body, code in ((BODY | {"voice": "nobody"}, "unknown_voice"), ({"text": " "}, "text_required")):
            for call in (invoke(address, body, settings=SETTINGS), anext(invoke_stream(address, body))):
                with pytest.raises(RemoteError) as caught:
                    await call
                assert caught.value.code == code


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("access-denied", "unauthorized"),
        ("expired-token", "unauthorized"),
        ("throttle", "throttled"),
        ("unavailable", "connect_failed"),
        ("drop-before-headers", "connect_failed"),
        ("no-answer", "timeout"),
    ],
)
async def test_an_endpoint_that_does_not_answer_is_a_typed_error(
    fault: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place("sagemaker", monkeypatch) as (address, emulator):
        assert emulator is not None
        emulator.faults.add(f"{fault}*2")
        settings = replace(SETTINGS, receive_timeout_s=0.3)
        for call in (invoke(address, BODY, settings=settings), anext(invoke_stream(address, BODY, settings=settings))):
            with pytest.raises(TransportError) as caught:
                await call
            assert caught.value.code == code
        assert await invoke(address, BODY, settings=SETTINGS)


@pytest.mark.parametrize("fault", ["reset-mid-stream", "end-early", "truncate", "stream-error", "stream-failure"])
async def test_a_stream_that_breaks_midway_is_a_lost_connection(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place("sagemaker", monkeypatch, chunk_seed=1) as (address, emulator):
        assert emulator is not None
        emulator.faults.add(f"{fault}:2")
        with pytest.raises(TransportError):
            [event async for event in invoke_events(address, BODY, settings=SETTINGS)]


async def test_an_endpoint_that_does_not_exist_says_what_to_check(monkeypatch: pytest.MonkeyPatch) -> None:
    async with place("sagemaker", monkeypatch):
        with pytest.raises(ConnectFailed) as caught:
            await invoke("endpoint:nothing", BODY, settings=SETTINGS)
    assert caught.value.code == "no_endpoint"
    assert "name and region" in caught.value.one_line()


async def test_nobody_and_no_address_are_typed_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConnectFailed):
        await invoke("http://127.0.0.1:1", BODY, settings=SETTINGS)
    with pytest.raises(UsageError):
        await invoke("nowhere", BODY, settings=SETTINGS)
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with pytest.raises(ConfigError, match="region"):
        await invoke("endpoint:voice", BODY, settings=SETTINGS)


def _stream(newline: bytes) -> bytes:
    told = [
        {"type": "audio_stream_start", "request_id": "a", "format": "pcm_s16le", "voice": "v", "sample_rate": 24_000},
        {"type": "sentence", "request_id": "a", "index": 0, "text": "Grüße 你好", "audio_offset_s": 0.0},
        {"type": "audio_chunk", "request_id": "a", "seq": 0, "data": "AAECAw=="},
        {"type": "from_the_future", "request_id": "a"},
        {"type": "audio_stream_end", "request_id": "a", "total_chunks": 1, "duration_s": 0.1},
    ]
    return b"".join(encode_event(msgspec.json.encode(each).decode()).replace(b"\n", newline) for each in told)


async def _read(pieces: list[bytes]) -> list[Event]:
    async def arriving() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return [event async for event in read_events(arriving())]


@given(cuts=st.lists(st.integers(0, 700), max_size=200), newline=st.sampled_from([b"\n", b"\r\n"]))
def test_events_cut_anywhere_are_the_same_events(cuts: list[int], newline: bytes) -> None:
    stream = _stream(newline)
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[start:end] for start, end in pairwise(places)]
    events = asyncio.run(_read(pieces))
    assert [type(event) for event in events] == [SynthesisStart, Sentence, AudioChunk, SynthesisComplete]
    assert isinstance(events[1], Sentence)
    assert events[1].text == "Grüße 你好"


async def test_events_that_end_before_their_last_are_a_failure() -> None:
    stream = _stream(b"\n")
    with pytest.raises(ConnectionLost):
        await _read([stream[: len(stream) // 2]])
