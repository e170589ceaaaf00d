"""The local run as its users start it: processes, the packaged model, a question answered aloud."""

import asyncio

import httpx
import pytest

from fakes.agent_peers import Caller, PeerVoice, audio_of, text_of
from firstword.llm.scripted.script import Script
from firstword.llm.scripted.server import ScriptedModel
from firstword.stack.launcher import Agent, Emulator, Llm, Speech, Stack

pytestmark = [pytest.mark.anyio, pytest.mark.llm]

TONE = Speech(environ={"FIRSTWORD_VOICE_ENGINE": "tone"})


async def _ask(url: str, mode: str) -> tuple[str, bytes, str]:
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        caller = Caller(url=url, http=http, model=ScriptedModel(Script.saying("")), voice=PeerVoice())
        told = await caller.ask({"prompt": "Why is the sky blue? Answer in one sentence.", "mode": mode})
    return text_of(told), audio_of(told), told[-1]["type"]


async def test_server_model_and_agent_answer_aloud_and_every_mode_says_the_same() -> None:
    async with asyncio.timeout(120), Stack(TONE, Llm(), Agent()) as stack:
        answers = [await _ask(stack.agent_url, mode) for mode in ("bidi", "batch", "whole")]

    assert len({text for text, _, _ in answers}) == 1
    assert all(end == "agent_end" and len(audio) > 24_000 for _, audio, end in answers)


async def test_the_same_run_through_the_emulated_clouds() -> None:
    agent = Agent(speech="endpoint:speech-kokoro-82m", model="bedrock:smollm2")
    async with asyncio.timeout(120), Stack(TONE, Llm(), Emulator(options=("--h2", "h2c")), agent) as stack:
        assert "AWS_ENDPOINT_URL_BEDROCK_RUNTIME" in stack.exports
        text, audio, end = await _ask(stack.agent_url, "bidi")

    assert text
    assert end == "agent_end"
    assert len(audio) > 24_000


async def test_the_agent_command_brings_the_packaged_model_itself() -> None:
    async with asyncio.timeout(120), Stack(TONE, Agent(model="local")) as stack:
        text, _, end = await _ask(stack.agent_url, "bidi")

    assert text
    assert end == "agent_end"
