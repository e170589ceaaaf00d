"""How a word is to be said: in the text, in the request, in the deployment's file."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from contract.wire import UrlPeer, answers
from fakes.speech_server import speech_server
from firstword.errors import ConfigError

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


async def _words(url: str, *messages: dict[str, Any]) -> list[str]:
    async with UrlPeer(url).session() as wire:
        received = await answers(wire, *messages, until="synthesis_complete")
    return [word["word"] for timings in received.messages("timings") for word in timings["words"]]


async def test_a_request_says_words_as_its_dictionary_has_them() -> None:
    asked = {"request_id": "a", "timings": True, "pronunciations": {"nginx": "engine x", "Kokoro": "/kˈOkəɹO/"}}
    async with speech_server() as server:
        whole = await _words(server.url, {"text": "Use nginx for Kokoro.", **asked})
        live = await _words(
            server.url,
            {"type": "text_delta", "text": "Use ng", **asked},
            {"type": "text_delta", "text": "inx for Kokoro.", "request_id": "a"},
            {"type": "text_end", "request_id": "a"},
        )
    assert whole == live == ["Use", "engine", "x", "for", "Kokoro"]


async def test_the_file_of_a_deployment_holds_for_every_request_and_a_request_overrules_it(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text(json.dumps({"nginx": "engine x", "sql": "sequel"}))
    asked = {"text": "Use nginx, not sql.", "timings": True, "request_id": "a"}
    async with speech_server(pronunciations_file=str(file)) as server:
        assert await _words(server.url, asked) == ["Use", "engine", "x", "not", "sequel"]
        overruled = {**asked, "pronunciations": {"nginx": "en jinx"}}
        assert await _words(server.url, overruled) == ["Use", "en", "jinx", "not", "sequel"]
        async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
            body = {"text": "Use nginx.", "transport": "sse", "timings": True, "pronunciations": {"use": "yews"}}
            events = (await client.post("/invocations", json=body)).text
    assert [word for word in ("yews", "engine", '"x"') if word not in events] == []


@pytest.mark.parametrize("content", [None, "{", "[]", '{"a": 1}', '{"tomato": "/təm@to/"}', '{"a": ""}'])
async def test_a_file_that_cannot_be_used_keeps_the_server_from_starting(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "words.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    async with speech_server(pronunciations_file=str(file)) as server:
        assert isinstance(server.serving.failure, ConfigError)
        assert str(file) in server.serving.failure.message


@pytest.mark.parametrize(
    "asked",
    [
        {"text": "Say [tomato](/təm@to/)."},
        {"text": "Say tomato.", "pronunciations": {"tomato": "/təm@to/"}},
    ],
)
async def test_a_symbol_that_the_voice_lacks_is_named_and_the_next_request_works(asked: dict[str, Any]) -> None:
    async with speech_server() as server:
        async with UrlPeer(server.url).session() as wire:
            error = (await answers(wire, {**asked, "request_id": "a"}, until="error")).messages("error")[0]
            assert error.items() >= {"code": "bad_pronunciation", "request_id": "a", "terminal": True}.items()
            assert "@ U+0040" in error["message"]
            assert (await answers(wire, {"text": "Hi."}, until="synthesis_complete")).audio
        async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
            reply = await client.post("/invocations", json=asked)
        assert (reply.status_code, reply.json()["code"]) == (400, "bad_pronunciation")


async def test_a_dictionary_has_a_bound_and_a_type() -> None:
    many = {f"word{number}": "x" for number in range(501)}
    async with speech_server() as server, httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        for pronunciations, code in ((many, "bad_pronunciation"), ({"a": 1}, "bad_message"), ([], "bad_message")):
            reply = await client.post("/invocations", json={"text": "Hi.", "pronunciations": pronunciations})
            assert (reply.status_code, reply.json()["code"], reply.json()["field"]) == (400, code, "pronunciations")


async def test_a_pause_in_the_text_is_silence_of_that_length() -> None:
    async with speech_server() as server, UrlPeer(server.url).session() as wire:
        plain = await answers(wire, {"text": "One two."}, until="synthesis_complete")
        paused = await answers(wire, {"text": "One [pause:0.5s] two."}, until="synthesis_complete")
    # The pause stands in place of the 50 ms that the test voice leaves between two words.
    assert len(paused.audio) - len(plain.audio) == round(0.45 * 48_000)


async def test_a_deployment_says_what_becomes_of_code_emoji_and_stage_directions() -> None:
    asked = {"text": "*sighs* Run it 🎉:\n```\nls\n```", "timings": True, "request_id": "a"}
    async with speech_server() as server:
        assert await _words(server.url, asked) == ["Run", "it", "code", "example"]
    async with speech_server(code="skip", emoji="name", stage_directions="keep") as server:
        assert await _words(server.url, asked) == ["sighs", "Run", "it", "party", "popper"]
    async with speech_server(emoji="shout") as server:
        assert isinstance(server.serving.failure, ConfigError)
        assert "drop or name" in (server.serving.failure.hint or "")
