"""A dictionary goes with every way in: connection, answer, file of settings, blocking call, agent, OpenAI's."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import openai
import pytest

from fakes.speech_server import speech_server
from firstword.agent.voice import ClientVoice, SaidHow
from firstword.client import AudioChunk, Timings, connect
from firstword.client.connection import Connection
from firstword.client.invocation import invoke
from firstword.client.simple import say
from firstword.client.stream import Delivery
from firstword.config import AgentSettings, ClientSettings
from firstword.errors import ConfigError, RemoteError, UsageError

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

TEXT = "Use nginx, not sql. Then nginx again."
SETTINGS = ClientSettings(reconnect_delay_s=0.0, receive_timeout_s=10.0, close_timeout_s=2.0)


async def _words(speech: Connection, **how: object) -> str:
    """The words said, from their timings."""
    events = speech.stream(_live(TEXT), timings=True, **how)  # type: ignore[arg-type]  # a test names only what it sets
    return " ".join([word.word async for event in events if isinstance(event, Timings) for word in event.words])


async def _live(text: str) -> AsyncIterator[str]:
    for at in range(0, len(text), 3):
        yield text[at : at + 3]


@pytest.mark.parametrize("delivery", ["sentences", "deltas", "whole"])
async def test_an_answer_overrules_its_connection_however_the_text_is_delivered(delivery: Delivery) -> None:
    async with speech_server() as server:
        words = {"nginx": "engine x", "sql": "sequel"}
        async with connect(server.url, settings=SETTINGS, pronunciations=words, delivery=delivery) as speech:
            assert await _words(speech) == "Use engine x not sequel Then engine x again"
            said = await _words(speech, pronunciations={"nginx": "en jinx"})
            assert said == "Use en jinx not sequel Then en jinx again"


async def test_the_file_of_the_settings_goes_with_every_request_under_what_the_program_says(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text(json.dumps({"nginx": "engine x", "sql": "sequel"}), encoding="utf-8")
    settings = ClientSettings(pronunciations_file=str(file))
    async with (
        speech_server() as server,
        connect(server.url, settings=settings, pronunciations={"sql": "S Q L"}) as speech,
    ):
        assert await _words(speech) == "Use engine x not S Q L Then engine x again"
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(ConfigError, match="holds no pronunciations"):
        connect("http://127.0.0.1:1", settings=settings)


async def test_what_the_voice_cannot_say_is_told_with_the_symbol_and_what_json_cannot_carry_before_it_is_sent() -> None:
    async with speech_server() as server, connect(server.url, settings=SETTINGS) as speech:
        with pytest.raises(RemoteError, match="U\\+0040") as refused:
            await _words(speech, pronunciations={"nginx": "/n@x/"})
        assert refused.value.code == "bad_pronunciation"
        for wrong in ({"a": "\ud800"}, {"a": 1}):
            with pytest.raises(UsageError):
                await _words(speech, pronunciations=wrong)
        assert await _words(speech) == "Use nginx not sql Then nginx again"


async def test_the_blocking_call_and_the_openai_interface_take_them_too() -> None:
    async with speech_server() as server:
        speech = await asyncio.to_thread(say, TEXT, url=server.url, pronunciations={"nginx": "engine x"})
        assert [word.word for word in speech.words][:3] == ["Use", "engine", "x"]
        wanted = await invoke(server.url, {"text": "Use engine x.", "format": "pcm"})
        async with openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0) as sdk:
            reply = await sdk.audio.speech.create(
                model="kokoro", input="Use nginx.", voice="alloy", response_format="pcm",
                extra_body={"pronunciations": {"nginx": "engine x"}, "voice": "af_heart"},
            )  # fmt: skip
            assert reply.content == wanted


async def test_the_agents_voice_has_those_of_its_settings_and_of_the_request_in_every_mode(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text(json.dumps({"nginx": "engine x"}), encoding="utf-8")
    how = SaidHow(pronunciations={"sql": "sequel"})
    async with speech_server() as server:
        wanted = await invoke(server.url, {"text": "Use engine x, not sequel.", "format": "pcm"})
        voice = ClientVoice(AgentSettings(speech=server.url, pronunciations_file=str(file)))
        assert (await voice.whole("Use nginx, not sql.", how, request_id="r")).pcm == wanted
        async with voice.connect(how) as speech:
            for delivery in ("sentences", "whole"):
                events = speech.stream(_live("Use nginx, not sql."), request_id=f"r-{delivery}", delivery=delivery)
                assert b"".join([event.pcm async for event in events if isinstance(event, AudioChunk)]) == wanted
