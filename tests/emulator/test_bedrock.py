"""Bedrock as boto3 and an unmodified Strands BedrockModel see it, in front of a scripted OpenAI-compatible server."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from botocore.exceptions import ClientError, EventStreamError
from strands import Agent, tool
from strands.models import BedrockModel
from strands.types.exceptions import ModelThrottledException

from fakes.boto import boto_client, events_of, in_thread
from fakes.patient import patient
from firstword.emulator.emulator import Behind, Emulator, run_emulator
from firstword.emulator.faults import parse_plan
from firstword.listen import listening
from firstword.llm.scripted.script import Call, Fail, Reply, Say, Script
from firstword.llm.scripted.server import ScriptedModel

pytestmark = pytest.mark.anyio
MODEL = "us.amazon.nova-micro-v1:0"
SCRIPT = Script(
    tokens_per_s=0.0,
    replies=(
        Reply(
            when="time",
            turns=(
                (Say(text="Let me look."), Call(name="clock", arguments={"zone": "UTC"})),
                (Say(text="It is noon."),),
            ),
        ),
        Reply(when="refuse", turns=((Fail(status=429, message="slow down"),),)),
        Reply(when="break", turns=((Say(text="Half of"), Fail()),)),
        Reply(turns=((Say(text="Hello there, friend."),),)),
    ),
)


@asynccontextmanager
async def _bedrock(*faults: str, prefix: str = "") -> AsyncIterator[tuple[ScriptedModel, Emulator, Any]]:
    model = ScriptedModel(SCRIPT)
    async with (
        listening(model.app) as url,
        run_emulator(patient(h2="h2c"), Behind(endpoints={}, bedrock_url=url + prefix), parse_plan(faults)) as emulator,
    ):
        with boto_client("bedrock-runtime", emulator.exports) as client:
            yield model, emulator, client


def _ask(text: str) -> dict[str, Any]:
    return {"modelId": MODEL, "messages": [{"role": "user", "content": [{"text": text}]}]}


def _stream(client: Any, text: str) -> list[dict[str, Any]]:
    return events_of(client.converse_stream(**_ask(text))["stream"])


@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_converse_and_converse_stream_say_the_same(prefix: str) -> None:
    async with _bedrock(prefix=prefix) as (model, _, client):
        answer = await in_thread(lambda: client.converse(**_ask("hi")))
        events = await in_thread(lambda: _stream(client, "hi"))
    assert answer["output"]["message"] == {"role": "assistant", "content": [{"text": "Hello there, friend."}]}
    assert answer["stopReason"] == "end_turn"
    assert answer["usage"]["outputTokens"] > 0
    deltas = [event["contentBlockDelta"]["delta"]["text"] for event in events if "contentBlockDelta" in event]
    assert len(deltas) > 3
    assert "".join(deltas) == "Hello there, friend."
    assert [next(iter(event)) for event in (events[0], *events[-2:])] == ["messageStart", "messageStop", "metadata"]
    assert model.requests[0]["model"] == MODEL


@pytest.mark.parametrize(
    ("fault", "text", "code", "status"),
    [
        ("throttle", "hi", "ThrottlingException", 429),
        ("access-denied", "hi", "AccessDeniedException", 403),
        ("expired-token", "hi", "ExpiredTokenException", 403),
        ("unavailable", "hi", "ServiceUnavailableException", 503),
        ("stall@invoke", "refuse", "ThrottlingException", 429),
    ],
)
async def test_refusals_on_demand_and_the_servers_own(fault: str, text: str, code: str, status: int) -> None:
    async with _bedrock(fault) as (_, _, client):
        with pytest.raises(ClientError) as caught:
            await in_thread(lambda: _stream(client, text))
        answer: Any = caught.value.response
        assert (answer["Error"]["Code"], answer["ResponseMetadata"]["HTTPStatusCode"]) == (code, status)


@pytest.mark.parametrize(
    ("fault", "text", "code"),
    [
        ("stream-throttle:3*1", "hi", "throttlingException"),
        ("stream-error:2*1", "hi", "modelStreamErrorException"),
        ("stream-failure:2*1", "hi", "internalServerException"),
        ("stall@invoke", "break", "modelStreamErrorException"),
    ],
)
async def test_errors_in_mid_stream_reach_the_caller_as_such(fault: str, text: str, code: str) -> None:
    async with _bedrock(fault) as (_, _, client):
        with pytest.raises(EventStreamError, match=code):
            await in_thread(lambda: _stream(client, text))
        assert await in_thread(lambda: _stream(client, "hi"))


async def test_no_model_server_is_unavailable() -> None:
    behind = Behind(endpoints={}, bedrock_url="http://127.0.0.1:9")
    async with run_emulator(patient(h2="h2c"), behind) as emulator:
        with (
            boto_client("bedrock-runtime", emulator.exports) as client,
            pytest.raises(ClientError, match="ServiceUnavailable"),
        ):
            await in_thread(lambda: client.converse(**_ask("hi")))


def _agent(emulator: Emulator, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Agent:
    for name, value in emulator.exports.items():
        monkeypatch.setenv(name, value)
    return Agent(model=BedrockModel(model_id=MODEL), callback_handler=None, **options)


async def test_strands_streams_text_and_uses_tools_through_its_own_bedrock_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @tool
    def clock(zone: str) -> str:
        """Tells the time."""
        return f"noon in {zone}"

    async with _bedrock() as (model, emulator, _):
        agent = _agent(emulator, monkeypatch, tools=[clock])
        said = [event["data"] async for event in agent.stream_async("What time is it?") if "data" in event]
    assert "".join(said) == "Let me look.It is noon."
    assert model.requests[0]["tools"][0]["function"]["name"] == "clock"
    assert model.requests[1]["messages"][-1]["content"] == "noon in UTC"


# Strands leaves the connection of a broken stream to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_strands_sees_throttling_in_mid_stream_as_throttling(monkeypatch: pytest.MonkeyPatch) -> None:
    async with _bedrock("stream-throttle:3") as (_, emulator, _):
        agent = _agent(emulator, monkeypatch, retry_strategy=None)
        with pytest.raises(ModelThrottledException) as caught:
            await agent.invoke_async("hi")
        del agent, caught
    gc.collect()
