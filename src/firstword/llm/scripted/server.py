"""The scripted model's HTTP surface: `/v1/chat/completions`, streamed or whole, `/v1/models`, `/health`.

It speaks the OpenAI protocol as far as an agent uses it: deltas, tool calls, usage, errors by status or by a broken
stream. A reader that hangs up stops it. Knows nothing of what is said; the script does.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from firstword.errors import FirstwordError
from firstword.llm.scripted.script import Call, Fail, Say, Script, Stall, Step, tokens

__all__ = ["ScriptedModel"]

_REMEMBERED: Final = 1000
_MODEL: Final = "scripted"


class ScriptedModel:
    """The ASGI application in `app`; `requests` are the bodies it got, oldest first, as proof of what a model saw."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: deque[Mapping[str, Any]] = deque(maxlen=_REMEMBERED)
        self.abandoned = 0
        """Answers whose reader hung up before their end."""
        self.left = asyncio.Event()
        """Set once a reader has hung up."""
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", self._complete, methods=["POST"]),
                Route("/v1/models", _models),
                Route("/health", _health),
            ]
        )

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(body)
        try:
            steps = self.script.steps(body.get("messages", ()))
        except FirstwordError as error:
            return _error(400, error.one_line())
        if steps and isinstance(steps[0], Fail):
            return _error(steps[0].status, steps[0].message)
        answer = _Answer(self.script, steps, limit=body.get("max_tokens") or body.get("max_completion_tokens"))
        if not body.get("stream", False):
            return JSONResponse(await answer.whole())
        return StreamingResponse(self._streamed(answer), media_type="text/event-stream")

    async def _streamed(self, answer: "_Answer") -> AsyncIterator[str]:
        try:
            async for chunk in answer.chunks():
                yield f"data: {json.dumps(chunk)}\n\n"
        except asyncio.CancelledError:
            self.abandoned += 1
            self.left.set()
            raise
        yield "data: [DONE]\n\n"


class _Broken(Exception):
    """The script breaks the stream off here."""


class _Answer:
    """One run through the steps of a turn, at the script's pace."""

    def __init__(self, script: Script, steps: tuple[Step, ...], limit: int | None) -> None:
        self._script = script
        self._steps = steps
        self._limit = limit
        self._said = 0
        self._finish = "stop"

    async def chunks(self) -> AsyncIterator[dict[str, Any]]:
        yield _chunk({"role": "assistant", "content": ""})
        async for delta in self._deltas():
            yield _chunk(delta)
        yield _chunk({}, finish_reason=self._finish)
        usage = {"prompt_tokens": 0, "completion_tokens": self._said, "total_tokens": self._said}
        yield {**_chunk({}), "choices": [], "usage": usage}

    async def whole(self) -> dict[str, Any]:
        deltas = [delta async for delta in self._deltas()]
        calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
        message = {
            "role": "assistant",
            "content": "".join(delta.get("content", "") for delta in deltas),
            **({"tool_calls": calls} if calls else {}),
        }
        choice = {"index": 0, "message": message, "finish_reason": self._finish}
        usage = {"prompt_tokens": 0, "completion_tokens": self._said, "total_tokens": self._said}
        return {**_chunk({}), "object": "chat.completion", "choices": [choice], "usage": usage}

    async def _deltas(self) -> AsyncIterator[dict[str, Any]]:
        await asyncio.sleep(self._script.first_token_s)
        due = asyncio.get_running_loop().time()
        pause = 1 / self._script.tokens_per_s if self._script.tokens_per_s else 0.0
        for step in self._steps:
            match step:
                case Say():
                    for token in tokens(step.text):
                        if self._said == self._limit:
                            self._finish = "length"
                            return
                        yield {"content": token}
                        self._said += 1
                        due += pause
                        await _until(due)
                case Stall():
                    due += step.seconds
                    await _until(due)
                case Call():
                    self._finish = "tool_calls"
                    yield {"tool_calls": [_tool_call(step, self._said)]}
                    return
                case Fail():
                    raise _Broken(step.message)


async def _until(due: float) -> None:
    """Wait for a moment of the loop's clock, so that a late wake-up does not add up over an answer."""
    await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))


def _chunk(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": _MODEL, "choices": [choice]}


def _tool_call(step: Call, said: int) -> dict[str, Any]:
    function = {"name": step.name, "arguments": json.dumps(step.arguments)}
    return {"index": 0, "id": f"call-{step.name}-{said}", "type": "function", "function": function}


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": {"message": message, "type": "scripted", "code": status}}, status_code=status)


async def _models(_request: Request) -> Response:
    return JSONResponse({"object": "list", "data": [{"id": _MODEL, "object": "model", "owned_by": "firstword"}]})


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok"})
