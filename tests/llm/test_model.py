"""The packaged model in its own process: it answers as OpenAI's API does, the same each time, and stops when left."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest

from firstword.config import LlmSettings
from firstword.errors import AgentError
from firstword.llm.model import packaged_model
from firstword.llm.server import LlmServer
from firstword.stack.launcher import Llm, Stack

pytestmark = pytest.mark.llm

_QUESTION = [{"role": "user", "content": "Why is the sky blue? Answer in one sentence."}]


@pytest.fixture(scope="module")
async def llm(anyio_backend: str) -> AsyncIterator[httpx.AsyncClient]:
    """Each request has a connection of its own: llama.cpp's server may close one just as the next request takes it."""
    alone = httpx.Limits(max_keepalive_connections=0)
    async with Stack(Llm()) as stack, httpx.AsyncClient(base_url=stack.llm_url, timeout=60, limits=alone) as client:
        yield client


async def _answer(llm: httpx.AsyncClient) -> list[str]:
    deltas: list[str] = []
    async with llm.stream("POST", "/v1/chat/completions", json={"messages": _QUESTION, "stream": True}) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                deltas += [choice["delta"].get("content") or "" for choice in json.loads(line[6:])["choices"]]
    return [delta for delta in deltas if delta]


@pytest.mark.anyio
async def test_an_answer_comes_token_by_token_and_is_the_same_when_asked_again(llm: httpx.AsyncClient) -> None:
    first, second = await _answer(llm), await _answer(llm)

    assert len(first) > 5
    assert "".join(first) == "".join(second)


@pytest.mark.anyio
async def test_a_reader_that_hangs_up_frees_its_slot(llm: httpx.AsyncClient) -> None:
    """Four answers of 2000 tokens would hold both slots for longer than the client waits."""
    count = [{"role": "user", "content": "Count."}]
    endless = {"messages": count, "stream": True, "ignore_eos": True, "max_tokens": 2000}
    for _ in range(4):
        async with llm.stream("POST", "/v1/chat/completions", json=endless) as response:
            await anext(response.aiter_lines())

    assert await _answer(llm)


def test_a_file_that_is_no_model_is_a_typed_error() -> None:
    broken = packaged_model().parent / "__init__.py"

    with pytest.raises(AgentError, match="did not start"):
        LlmServer(broken, LlmSettings())
