"""Any agent from its caller's side: the same events over every door, each as soon as it is told."""

import asyncio
import base64
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest

from fakes.patient import patient
from fakes.scripted_agent import ScriptedAgent, scripted_agent
from firstword.client.agent import AgentArrival, AgentConnection, connect_agent
from firstword.client.agent.connection import DoorName
from firstword.config import ClientSettings
from firstword.emulator.emulator import Behind, run_emulator
from firstword.errors import (
    AgentError,
    ConnectFailed,
    ConnectionLost,
    FirstwordError,
    ProtocolError,
    TransportTimeout,
    UsageError,
)
from firstword.protocol.events import AgentErrorEvent, AgentStart, Interrupted

pytestmark = pytest.mark.anyio

ARN = "arn:aws:bedrock-agentcore:us-east-1:123456789012:runtime/agent-abc"
SETTINGS = ClientSettings(connect_timeout_s=5.0, receive_timeout_s=5.0, close_timeout_s=1.0)
WAYS = ("sse", "ws", "runtime")
PCM = bytes(range(64))
TOLD: list[dict[str, Any] | bytes] = [
    {"type": "agent_start", "mode": "bidi"},
    {"type": "text_delta", "seq": 0, "text": "Grüße. "},
    {"type": "audio_stream_start", "voice": "af_heart", "sample_rate": 24_000, "format": "pcm_s16le"},
    {"type": "sentence", "index": 0, "text": "Grüße.", "audio_offset_s": 0.0, "char_start": 0, "char_end": 6},
    {"type": "from_the_future"},
    {"type": "audio_chunk", "seq": 0, "data": base64.b64encode(PCM).decode()},
    {"type": "audio_stream_end", "total_chunks": 1, "duration_s": 0.1},
    {"type": "agent_end", "usage": {"tokens": 3}},
]
IN_FRAMES = [PCM if isinstance(each, dict) and each["type"] == "audio_chunk" else each for each in TOLD]


@asynccontextmanager
async def conversation(
    way: str, agent: ScriptedAgent, monkeypatch: pytest.MonkeyPatch, settings: ClientSettings = SETTINGS
) -> AsyncIterator[AgentConnection]:
    """A conversation over one way; the runtime's through boto3 and the emulator."""
    if way == "runtime":
        emulated = patient(h2="h2c", region="us-east-1")
        async with run_emulator(emulated, Behind(endpoints={}, agent_url=agent.url)) as emulator:
            for name, value in emulator.exports.items():
                monkeypatch.setenv(name, value)
            async with connect_agent(ARN, settings=settings) as connection:
                yield connection
        return
    door: DoorName = "ws" if way == "ws" else "sse"
    async with connect_agent(agent.url, door=door, settings=settings) as connection:
        yield connection


def script(way: str) -> list[dict[str, Any] | bytes]:
    return list(IN_FRAMES if way == "ws" else TOLD)


def kinds(arrivals: list[AgentArrival]) -> list[str]:
    return [type(each.event).__name__ if each.event is not None else "audio" for each in arrivals]


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_gives_the_same_events_and_audio(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        asyncio.timeout(30),
        scripted_agent(events=script(way), newline="\r\n" if way == "sse" else "\n") as agent,
        conversation(way, agent, monkeypatch) as connection,
    ):
        arrivals = [each async for each in connection.ask("Hello?", mode="batch", voice="af_bella")]
        again = [each async for each in connection.ask("And?")]
    audio = "audio" if way == "ws" else "AudioChunkEvent"
    expected = [
        "AgentStart",
        "AgentTextDelta",
        "AudioStreamStart",
        "SentenceEvent",
        audio,
        "AudioStreamEnd",
        "AgentEnd",
    ]
    assert kinds(arrivals) == kinds(again) == expected
    assert b"".join(each.pcm for each in arrivals) == PCM
    chunk = next(each for each in arrivals if each.pcm)
    assert chunk.wire_bytes == len(PCM) if way == "ws" else chunk.wire_bytes > len(PCM) * 4 // 3
    assert all(before.at_s <= after.at_s for before, after in pairwise(arrivals))
    assert agent.asked[0]["mode"] == "batch"
    assert agent.asked[0]["voice"] == "af_bella"
    assert len({session for session in agent.sessions if session and len(session) >= 33}) == 1


@pytest.mark.parametrize("way", WAYS)
async def test_no_event_is_held_back_until_the_next_one(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step = asyncio.Semaphore(0)
    async with (
        asyncio.timeout(30),
        scripted_agent(events=script(way), step=step) as agent,
        conversation(way, agent, monkeypatch) as connection,
    ):
        seen = 0
        async for _ in connection.ask("Hello?"):
            seen += 1
            step.release()
            if seen == 4:
                step.release()  # the one of a kind that is not known is never seen
    assert seen == 7


@pytest.mark.parametrize("way", ["sse", "ws"])
async def test_a_cancel_ends_the_answer_with_what_was_heard(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step = asyncio.Semaphore(3)
    events = [*script(way)[:-1], {"type": "interrupted", "heard_text": "Hi", "char_end": 2}]
    async with (
        asyncio.timeout(30),
        scripted_agent(events=events, step=step) as agent,
        conversation(way, agent, monkeypatch) as connection,
    ):
        arrivals, told = [], None
        async for arrival in connection.ask("Hello?", request_id="a"):
            arrivals.append(arrival)
            if len(arrivals) == 3:
                told = await connection.cancel(played_s=0.5)
                for _ in events:
                    step.release()
        assert await connection.cancel() is None
    assert isinstance(arrivals[-1].event, Interrupted)
    assert agent.asked[-1] == {"action": "cancel", "request_id": "a", "played_s": 0.5}
    assert isinstance(told, Interrupted) if way == "sse" else told is None


@pytest.mark.parametrize("way", ["sse", "ws"])
async def test_leaving_the_loop_stops_the_answer_and_the_next_is_clean(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        asyncio.timeout(30),
        scripted_agent(events=script(way)) as agent,
        conversation(way, agent, monkeypatch) as connection,
    ):
        answer = connection.ask("Hello?", request_id="a")
        first = await anext(answer)
        assert isinstance(first.event, AgentStart)
        await answer.aclose()
        if way == "ws":
            await agent.left.wait()
        else:
            assert agent.asked[-1] == {"action": "cancel", "request_id": "a"}
        arrivals = [each async for each in connection.ask("Hello?", request_id="b")]
    assert {each.event.request_id for each in arrivals if each.event is not None} == {"b"}
    assert b"".join(each.pcm for each in arrivals) == PCM


@pytest.mark.parametrize("way", WAYS)
async def test_an_error_event_is_given_as_the_last(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[dict[str, Any] | bytes] = [TOLD[0], {"type": "error", "code": "model_throttled", "message": "Busy."}]
    async with (
        asyncio.timeout(30),
        scripted_agent(events=events) as agent,
        conversation(way, agent, monkeypatch) as connection,
    ):
        arrivals = [each async for each in connection.ask("Hello?")]
    assert isinstance(arrivals[-1].event, AgentErrorEvent)
    assert arrivals[-1].event.code == "model_throttled"


@pytest.mark.parametrize(
    ("way", "events", "error"),
    [
        ("sse", TOLD[:3], ConnectionLost),
        ("runtime", TOLD[:3], ConnectionLost),
        ("ws", [*IN_FRAMES[:3], b""], ConnectionLost),
        (
            "sse",
            [{"error": "x", "error_type": "ValueError", "message": "An error occurred during streaming"}],
            AgentError,
        ),
        ("sse", [{"type": "agent_start", "mode": 3}], ProtocolError),
        ("sse", [{"type": "audio_chunk", "seq": 0, "data": "###"}], ProtocolError),
        ("ws", [b"\0"], ProtocolError),
    ],
)
async def test_an_answer_that_is_none_is_a_typed_error(
    way: str, events: list[dict[str, Any] | bytes], error: type[FirstwordError], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        asyncio.timeout(30),
        scripted_agent(events=events) as agent,
        conversation(way, agent, monkeypatch) as connection,
    ):
        with pytest.raises(error):
            [each async for each in connection.ask("Hello?")]


@pytest.mark.parametrize("way", WAYS)
async def test_an_agent_that_says_nothing_is_a_timeout(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ClientSettings(connect_timeout_s=5.0, receive_timeout_s=0.3, close_timeout_s=1.0)
    async with (
        asyncio.timeout(30),
        scripted_agent(events=script(way), step=asyncio.Semaphore(0)) as agent,
        conversation(way, agent, monkeypatch, settings) as connection,
    ):
        with pytest.raises(TransportTimeout):
            [each async for each in connection.ask("Hello?")]


@pytest.mark.parametrize("way", WAYS)
async def test_an_agent_that_refuses_is_a_typed_error(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with asyncio.timeout(30), scripted_agent(status=500) as agent:
        target = agent.url if way != "ws" else agent.url + "/nothing"
        agent.url = target
        async with conversation(way, agent, monkeypatch) as connection:
            with pytest.raises(FirstwordError):
                [each async for each in connection.ask("Hello?")]


@pytest.mark.parametrize("door", ["sse", "ws"])
async def test_nobody_at_the_address_is_a_connect_failure(door: DoorName) -> None:
    async with connect_agent("http://127.0.0.1:1", door=door, settings=SETTINGS) as connection:
        with pytest.raises(ConnectFailed):
            await anext(connection.ask("Hello?"))


@pytest.mark.parametrize("target", ["agent", "arn:aws:s3:::bucket", "arn:aws:bedrock-agentcore:::runtime/x", ""])
def test_a_target_that_is_none_is_wrong_use(target: str) -> None:
    with pytest.raises(UsageError):
        connect_agent(target)


def test_the_address_of_a_runtimes_socket_is_the_one_that_the_aws_sdk_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the SDK's own use of an old pydantic
        from bedrock_agentcore.runtime import AgentCoreRuntimeClient

    from firstword.client.agent.runtime import runtime_socket

    for name, value in (("AWS_ACCESS_KEY_ID", "AKID"), ("AWS_SECRET_ACCESS_KEY", "secret")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.delenv("AWS_ENDPOINT_URL_BEDROCK_AGENTCORE", raising=False)
    session = "s" * 36
    url, headers = runtime_socket(ARN, session)()
    theirs, their_headers = AgentCoreRuntimeClient("us-east-1").generate_ws_connection(ARN, session_id=session)
    assert url == theirs.replace(":443/", "/")
    scope = headers["Authorization"].partition("Signature=")[0]
    assert scope == their_headers["Authorization"].partition("Signature=")[0]
    assert headers["X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"] == session
