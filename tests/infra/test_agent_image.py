"""The agent image, built for this machine and booted on loopback: AgentCore's contract, every mode, both doors."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from fakes.agent_peers import Caller, PeerVoice, audio_of, session, text_of
from fakes.containers import Container, Image, run_container, shell
from fakes.speech_server import speech_server
from firstword.listen import listening
from firstword.llm.scripted.script import Reply, Say, Script
from firstword.llm.scripted.server import ScriptedModel

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ANSWER = "Hello there, my friend. How do you do?"
SCRIPT = Script(replies=(Reply(turns=((Say(text=ANSWER),),)),), tokens_per_s=0)


def test_the_image_is_what_agentcore_asks_for(agent_image: Image) -> None:
    config = agent_image.config
    assert config["User"] == "firstword"
    assert config["Entrypoint"] == ["/opt/firstword/bin/python", "-m", "firstword.cli"]
    assert config["Cmd"] == ["agent"]
    assert "8080/tcp" in config["ExposedPorts"]
    variables = agent_image.variables
    assert variables["FIRSTWORD_AGENT_HOST"] == "0.0.0.0"  # noqa: S104  # inside the container
    assert variables["FIRSTWORD_AGENT_PORT"] == "8080"


def test_the_image_stays_far_below_agentcores_two_gigabytes(agent_image: Image) -> None:
    added_mb = (agent_image.bytes - agent_image.base_bytes) / 1e6
    print(f"agent image: {added_mb:.0f} MB above its base")
    assert agent_image.bytes < 1e9
    assert "torch" not in shell(agent_image, "ls /opt/firstword/lib/python3.12/site-packages").split()


def test_every_mode_answers_at_both_doors_and_a_stop_is_clean(agent_image: Image) -> None:
    asyncio.run(asyncio.wait_for(_talk(agent_image), 240))


async def _talk(image: Image) -> None:
    async with _booted(image) as (container, caller):
        assert await caller.status() == "Healthy"
        for number, mode in enumerate(("bidi", "batch", "whole"), start=1):
            told = await caller.ask({"prompt": "Hi", "mode": mode}, session(number))
            assert [told[0]["type"], told[-1]["type"]] == ["agent_start", "agent_end"], told[-1]
            assert text_of(told) == ANSWER
            assert len(audio_of(told)) > 10_000
        async with caller.socket(session(9)) as socket:
            await socket.send({"prompt": "Hi", "mode": "bidi"})
            told = await socket.until("agent_end", "error")
            assert told[-1]["type"] == "agent_end"
            assert len(audio_of(told)) > 10_000
        refused = await caller.http.post("/invocations", content=b"{", headers={"Content-Type": "application/json"})
        assert refused.status_code == 400
        container.terminate()
        assert await asyncio.to_thread(container.wait) == 0


@asynccontextmanager
async def _booted(image: Image) -> AsyncIterator[tuple[Container, Caller]]:
    model = ScriptedModel(SCRIPT)
    async with speech_server() as voice, listening(model.app) as model_url:
        variables = {"FIRSTWORD_AGENT_MODEL": f"openai:{model_url}", "FIRSTWORD_AGENT_SPEECH": voice.url}
        booting = run_container(image, variables=variables, port_variable="FIRSTWORD_AGENT_PORT")
        container = await asyncio.to_thread(booting.__enter__)
        try:
            async with httpx.AsyncClient(base_url=container.url, timeout=60, trust_env=False) as http:
                yield container, Caller(url=container.url, http=http, model=model, voice=PeerVoice())
        finally:
            await asyncio.to_thread(booting.__exit__, None, None, None)
