"""InvokeAgentRuntime in front of a local agent, as boto3 sees it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

from fakes.boto import boto_client, in_thread
from fakes.frame_container import Answer, FrameContainer, frame_container
from fakes.patient import patient
from firstword.emulator.emulator import Behind, Emulator, run_emulator

pytestmark = pytest.mark.anyio
ARN = "arn:aws:bedrock-agentcore:us-east-1:123456789012:runtime/voice-AbCdEf1234"


@asynccontextmanager
async def _emulated(**settings: Any) -> AsyncIterator[tuple[FrameContainer, Emulator, Any]]:
    async with (
        frame_container() as agent,
        run_emulator(patient(h2="h2c", **settings), Behind(endpoints={}, agent_url=agent.url)) as emulator,
    ):
        with boto_client("bedrock-agentcore", emulator.exports) as client:
            yield agent, emulator, client


async def test_the_payload_reaches_the_agent_and_its_events_come_back_as_they_are() -> None:
    async with _emulated() as (agent, _, client):
        agent.answer = lambda body: Answer(content_type="text/event-stream", pieces=[b"data: 1\n\n", b"data: 2\n\n"])
        answer = await in_thread(
            lambda: client.invoke_agent_runtime(
                agentRuntimeArn=ARN, runtimeSessionId="s" * 40, payload=b'{"prompt": "hi"}', runtimeUserId="me"
            )
        )
        assert await in_thread(lambda: answer["response"].read()) == b"data: 1\n\ndata: 2\n\n"
        assert answer["contentType"] == "text/event-stream"
        assert answer["runtimeSessionId"] == "s" * 40
        path, headers, body = agent.posts[0]
        assert (path, body) == ("/invocations", b'{"prompt": "hi"}')
        assert headers["x-amzn-bedrock-agentcore-runtime-session-id"] == "s" * 40
        assert headers["x-amzn-bedrock-agentcore-runtime-user-id"] == "me"


async def test_a_call_without_a_session_is_given_one() -> None:
    async with _emulated() as (agent, _, client):
        answer = await in_thread(lambda: client.invoke_agent_runtime(agentRuntimeArn=ARN, payload=b"{}"))
        assert len(answer["runtimeSessionId"]) == 36
        assert agent.posts[0][1]["x-amzn-bedrock-agentcore-runtime-session-id"] == answer["runtimeSessionId"]


async def test_a_session_id_of_the_wrong_length_is_refused() -> None:
    async with _emulated() as (_, _, client):
        with pytest.raises((ClientError, ParamValidationError), match="runtimeSessionId"):
            await in_thread(
                lambda: client.invoke_agent_runtime(agentRuntimeArn=ARN, runtimeSessionId="x" * 257, payload=b"{}")
            )


async def test_an_agents_own_error_is_a_runtime_client_error() -> None:
    async with _emulated() as (agent, _, client):
        agent.answer = lambda body: Answer(status=500, pieces=[b"boom"])
        with pytest.raises(ClientError, match="500") as caught:
            await in_thread(lambda: client.invoke_agent_runtime(agentRuntimeArn=ARN, payload=b"{}"))
        assert caught.value.response["Error"]["Code"] == "RuntimeClientError"


async def test_the_agent_is_not_told_that_its_caller_left() -> None:
    async with _emulated() as (agent, _, client):
        finished = asyncio.Event()
        pieces = [b"data: %d\n\n" % n for n in range(50)]
        agent.answer = lambda body: Answer(content_type="text/event-stream", pieces=pieces, pause_s=0.01)
        agent.answered = finished.set
        answer = await in_thread(lambda: client.invoke_agent_runtime(agentRuntimeArn=ARN, payload=b"{}"))
        await in_thread(lambda: answer["response"].close())
        await asyncio.wait_for(finished.wait(), 10)


async def test_without_an_agent_there_is_no_such_operation() -> None:
    async with run_emulator(patient(h2="h2c"), Behind(endpoints={})) as emulator:
        with boto_client("bedrock-agentcore", emulator.exports) as client, pytest.raises(ClientError) as caught:
            await in_thread(lambda: client.invoke_agent_runtime(agentRuntimeArn=ARN, payload=b"{}"))
        assert caught.value.response["Error"]["Code"] == "UnknownOperationException"
