"""The scripted model keeps to OpenAI's protocol and its script, and treats limits and readers as a real model does."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai import AsyncOpenAI, InternalServerError

from firstword.errors import ConfigError
from firstword.listen import listening
from firstword.llm.scripted.script import Call, Fail, Reply, Say, Script, Stall, load_script, tokens
from firstword.llm.scripted.server import ScriptedModel

_CLOCK = Script(
    replies=(
        Reply(when="time", turns=((Say(text="Let me see."), Call(name="clock")), (Say(text="It is noon."),))),
        Reply(when="fail", turns=((Fail(status=503),),)),
        Reply(when="break", turns=((Say(text="Half an"), Fail()),)),
        Reply(when="wait", turns=((Say(text="Well"), Stall(seconds=600), Say(text="never")),)),
        Reply(turns=((Say(text="Hello there, friend."),),)),
    ),
    tokens_per_s=0,
)


def _ask(text: str) -> Any:
    return [{"role": "user", "content": text}]


@given(st.text())
def test_the_tokens_of_a_text_joined_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


def test_the_reply_follows_the_question_and_the_number_of_tool_results() -> None:
    asked = _ask("What time is it?")
    result: list[Any] = [{"role": "assistant", "tool_calls": []}, {"role": "tool", "content": "12:00"}]

    assert _CLOCK.steps(asked)[-1] == Call(name="clock")
    assert _CLOCK.steps([*asked, *result]) == (Say(text="It is noon."),)
    assert _CLOCK.steps([*asked, *result, *_ask("Hi")]) == (Say(text="Hello there, friend."),)


def test_a_file_that_is_no_script_is_a_typed_error(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"replies": [{"turns": [[{"type": "sing"}]]}]}')

    with pytest.raises(ConfigError, match="not a script"):
        load_script(script)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_script(tmp_path / "none.json")


@pytest.mark.anyio
async def test_the_official_client_reads_deltas_tool_calls_and_usage() -> None:
    async with listening(ScriptedModel(_CLOCK).app) as url, AsyncOpenAI(base_url=f"{url}/v1", api_key="-") as client:
        stream = await client.chat.completions.create(model="m", messages=_ask("What time is it?"), stream=True)
        chunks = [chunk async for chunk in stream]

    choices = [choice for chunk in chunks for choice in chunk.choices]
    calls = [call for choice in choices for call in choice.delta.tool_calls or ()]
    assert "".join(choice.delta.content or "" for choice in choices) == "Let me see."
    assert [(call.function.name, call.function.arguments) for call in calls if call.function] == [("clock", "{}")]
    assert choices[-1].finish_reason == "tool_calls"
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.completion_tokens > 0


@pytest.mark.anyio
async def test_a_token_limit_cuts_the_answer_and_says_so() -> None:
    async with listening(ScriptedModel(_CLOCK).app) as url, AsyncOpenAI(base_url=f"{url}/v1", api_key="-") as client:
        answer = await client.chat.completions.create(model="m", messages=_ask("Hi"), max_tokens=2)

    assert answer.choices[0].message.content == "Hello there"
    assert answer.choices[0].finish_reason == "length"


@pytest.mark.anyio
async def test_scripted_faults_come_as_a_status_or_as_a_broken_stream() -> None:
    async with (
        listening(ScriptedModel(_CLOCK).app) as url,
        AsyncOpenAI(base_url=f"{url}/v1", api_key="-", max_retries=0) as client,
    ):
        with pytest.raises(InternalServerError) as refused:
            await client.chat.completions.create(model="m", messages=_ask("fail"))
        stream = await client.chat.completions.create(model="m", messages=_ask("break"), stream=True)
        with pytest.raises(httpx.RemoteProtocolError):
            [chunk async for chunk in stream]

    assert refused.value.status_code == 503


@pytest.mark.anyio
async def test_a_reader_that_hangs_up_stops_the_model() -> None:
    model = ScriptedModel(_CLOCK)
    async with listening(model.app) as url, httpx.AsyncClient(base_url=url) as client:
        body = json.dumps({"messages": _ask("wait"), "stream": True})
        async with client.stream("POST", "/v1/chat/completions", content=body) as response:
            lines = response.aiter_lines()
            while "Well" not in await anext(lines):
                pass
        await model.left.wait()

    assert model.abandoned == 1
