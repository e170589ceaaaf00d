"""`agent-infra demo` against an agent that runs, and where there is none."""

import asyncio
import json
from pathlib import Path

import pytest

from fakes.agent_peers import talking
from fakes.aws_cloud import AwsCloud
from fakes.tools import Ran, run_tool
from firstword.llm.scripted.script import Reply, Say, Script
from firstword.protocol.messages import Synthesize

SCRIPT = Script(replies=(Reply(turns=((Say(text="Hello there, my friend. How do you do?"),),)),), tokens_per_s=0)


async def _asked(out: Path, *more: str) -> Ran:
    async with talking(SCRIPT) as caller:
        options = ["--endpoint-url", caller.url, "--prompt", "Hi", "--out", str(out), "--json", *more]
        return await asyncio.to_thread(run_tool, "agent-infra", "demo", *options)


def test_every_mode_is_asked_and_told(tmp_path: Path) -> None:
    ran = asyncio.run(asyncio.wait_for(_asked(tmp_path), 120))
    assert ran.code == 0, ran.err
    assert {trial["mode"] for trial in ran.json["trials"]} == {"bidi", "batch", "whole"}
    assert (tmp_path / "bidi.wav").stat().st_size > 1000
    assert (tmp_path / "result.json").exists()


def test_a_file_of_pronunciations_goes_with_each_question_to_the_voice(tmp_path: Path) -> None:
    words = tmp_path / "words.json"
    words.write_text(json.dumps({"friend": "comrade"}), encoding="utf-8")

    async def asked() -> tuple[Ran, list[dict[str, str] | None]]:
        async with talking(SCRIPT) as caller:
            options = ["--endpoint-url", caller.url, "--mode", "bidi", "--pronunciations", str(words)]
            ran = await asyncio.to_thread(run_tool, "agent-infra", "demo", *options)
            sent = [message for peer in caller.voice.peers for _, message in peer.received]
            return ran, [message.pronunciations for message in sent if isinstance(message, Synthesize)]

    ran, pronunciations = asyncio.run(asyncio.wait_for(asked(), 120))
    assert ran.code == 0, ran.err
    assert pronunciations
    assert all(each == {"friend": "comrade"} for each in pronunciations)


@pytest.mark.parametrize(
    ("status", "kind", "line"),
    [
        (
            403,
            "AccessDeniedException",
            "AWS refuses access to the agent runtime. Renew the credentials if they have expired; "
            "they need bedrock-agentcore:InvokeAgentRuntime.",
        ),
        (
            404,
            "ResourceNotFoundException",
            "AgentCore knows no such agent runtime. Check its ARN and region (`agent-infra status`).",
        ),
        (
            424,
            "RuntimeClientError",
            "The agent's container answers with an error. Its log says more (`agent-infra logs`).",
        ),
    ],
)
def test_what_agentcore_refuses_is_told_as_agentcores(account: AwsCloud, status: int, kind: str, line: str) -> None:
    arn = "arn:aws:bedrock-agentcore:us-east-1:123456789012:runtime/voice-AbCdEf1234"
    account.script.faults[f"POST /runtimes/{arn}/invocations"] = (status, kind, "no")
    ran = run_tool("agent-infra", "demo", "--endpoint-url", arn, "--mode", "bidi")
    assert (ran.code, ran.last_error) == (1, f"agent-infra demo: {line}")


def test_without_a_deployed_agent_it_says_so(account: AwsCloud) -> None:
    ran = run_tool("agent-infra", "demo", "--prompt", "Hi")
    assert ran.code == 1
    assert "agent-infra deploy" in ran.last_error
