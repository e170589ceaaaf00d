"""What AgentCore asks of a container of the agent, asked of one that is booted here: every mode, both doors, a stop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from fakes.agent_peers import Caller, PeerVoice, audio_of, session, text_of
from fakes.containers import Container, Image, run_container
from fakes.speech_server import speech_server
from firstword.listen import listening
from firstword.llm.scripted.script import Reply, Say, Script
from firstword.llm.scripted.server import ScriptedModel

__all__ = ["talk"]

_START_S = 600
"""Long enough for an emulated processor; a caller bounds the whole."""
ANSWER = "Hello there, my friend. How do you do?"
SCRIPT = Script(replies=(Reply(turns=((Say(text=ANSWER),),)),), tokens_per_s=0)


async def talk(image: Image) -> None:
    """Fails by assertion where the container does not keep the contract."""
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
        booting = run_container(image, variables=variables, port_variable="FIRSTWORD_AGENT_PORT", start_s=_START_S)
        container = await asyncio.to_thread(booting.__enter__)
        try:
            async with httpx.AsyncClient(base_url=container.url, timeout=60, trust_env=False) as http:
                yield container, Caller(url=container.url, http=http, model=model, voice=PeerVoice())
        finally:
            await asyncio.to_thread(booting.__exit__, None, None, None)
