"""Converse and ConverseStream: translate, ask the OpenAI-compatible server, translate back as it answers."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import httpx

from firstword.config import EmulatorSettings
from firstword.emulator import eventstream
from firstword.emulator.bedrock.answer import ConverseEvents, converse_answer
from firstword.emulator.bedrock.request import chat_request
from firstword.emulator.http.exchange import Exchange
from firstword.errors import EmulatedError, RemoteError

__all__ = ["BedrockRuntime"]

type Event = tuple[str, dict[str, Any]]

# How Bedrock words what the model's server refused; anything else is the model's error.
_REFUSALS = {
    400: ("ValidationException", 400),
    401: ("AccessDeniedException", 403),
    403: ("AccessDeniedException", 403),
    404: ("ResourceNotFoundException", 404),
    422: ("ValidationException", 400),
    429: ("ThrottlingException", 429),
    503: ("ServiceUnavailableException", 503),
}


@dataclass(frozen=True, kw_only=True)
class BedrockRuntime:
    """Every model id leads to the one server at `url` (with or without its `/v1`), which is told the id."""

    client: httpx.AsyncClient
    url: str
    settings: EmulatorSettings

    async def converse(self, exchange: Exchange, model: str, body: bytes) -> None:
        """Raises EmulatedError for what Bedrock answers with an error."""
        try:
            async with (
                asyncio.timeout(self.settings.model_timeout_s),
                contextlib.aclosing(self._ask(model, body)) as said,
            ):
                answer = converse_answer([event async for event in said])
        except TimeoutError as error:
            raise EmulatedError("The model took too long.", code="ModelTimeoutException", status=408) from error
        except RemoteError as error:
            raise EmulatedError(error.message, code="ModelErrorException", status=424) from error
        content = json.dumps(answer, ensure_ascii=False).encode()
        await exchange.start(200, [("content-type", "application/json"), ("content-length", str(len(content)))])
        await exchange.send(content)
        await exchange.finish()

    async def stream(self, exchange: Exchange, model: str, body: bytes) -> None:
        """As `converse`, event by event; what goes wrong after the first is told in the stream."""
        try:
            async with (
                asyncio.timeout(self.settings.model_timeout_s),
                contextlib.aclosing(self._ask(model, body)) as said,
            ):
                async for kind, event in said:
                    if not exchange.started:
                        await exchange.start(200, [("content-type", eventstream.CONTENT_TYPE)])
                    content = json.dumps(event, ensure_ascii=False).encode()
                    await exchange.send(eventstream.encode(eventstream.event(kind, content, "application/json")))
        except (TimeoutError, RemoteError) as error:
            if not exchange.started:
                raise EmulatedError("The model did not answer.", code="ModelErrorException", status=424) from error
            message = "The model took too long." if isinstance(error, TimeoutError) else error.message
            members = {"message": message, "originalStatusCode": 500, "originalMessage": message}
            await exchange.send(eventstream.encode(eventstream.exception("modelStreamErrorException", members)))
        await exchange.finish()

    async def _ask(self, model: str, body: bytes) -> AsyncGenerator[Event]:
        """The events of one answer. Raises EmulatedError before the first, RemoteError if it breaks off."""
        began = time.monotonic()
        url = f"{self.url.rstrip('/').removesuffix('/v1')}/v1/chat/completions"
        events = ConverseEvents()
        try:
            async with self.client.stream("POST", url, json=chat_request(model, body)) as answer:
                if answer.is_error:
                    raise _refused(answer.status_code, await answer.aread())
                for event in events.start():
                    yield event
                async for line in answer.aiter_lines():
                    for event in events.feed(_chunk(line)):
                        yield event
        except httpx.ConnectError as error:
            message = "No model server answers behind the emulator."
            raise EmulatedError(message, code="ServiceUnavailableException", status=503) from error
        except httpx.HTTPError as error:
            raise RemoteError("The model's answer broke off.", code="broken_off") from error
        for event in events.finish(round((time.monotonic() - began) * 1000)):
            yield event


def _chunk(line: str) -> dict[str, Any]:
    """The chunk on a line of server-sent events; empty for a line without one. Raises RemoteError for an error."""
    name, _, value = line.partition(":")
    if name != "data" or value.strip() in ("", "[DONE]"):
        return {}
    try:
        chunk: dict[str, Any] = json.loads(value)
    except ValueError as error:
        raise RemoteError("The model's server sent an event that is not JSON.", code="bad_event") from error
    if "error" in chunk:
        raise RemoteError("The model's server reported an error in its answer.", code="model_error")
    return chunk


def _refused(status: int, body: bytes) -> EmulatedError:
    code, answered = _REFUSALS.get(status, ("ModelErrorException", 424))
    try:
        message = json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        message = body.decode("utf-8", "replace") or f"The model's server answered {status}."
    return EmulatedError(str(message), code=code, status=answered, members={"originalStatusCode": status})
