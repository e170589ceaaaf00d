"""An agent that tells what a test has written, over both doors, each event only when the test lets it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from firstword.listen import listening

SESSION = "x-amzn-bedrock-agentcore-runtime-session-id"


@dataclass(kw_only=True)
class ScriptedAgent:
    """`events` are dictionaries, or bytes of audio for `/ws`; `step` is waited for before each after the first."""

    events: list[dict[str, Any] | bytes] = field(default_factory=list)
    step: asyncio.Semaphore | None = None
    status: int = 200
    newline: str = "\n"
    asked: list[dict[str, Any]] = field(default_factory=list)
    sessions: list[str | None] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""

    async def told(self, request_id: str) -> AsyncIterator[dict[str, Any] | bytes]:
        for number, event in enumerate(self.events):
            if number and self.step is not None:
                await self.step.acquire()
            yield event if isinstance(event, bytes) else {"request_id": request_id, "t_ms": 0.0, **event}

    async def invocations(self, request: Request) -> Response:
        payload = await request.json()
        self.asked.append(payload)
        self.sessions.append(request.headers.get(SESSION))
        if self.status != 200:
            return JSONResponse({"error": "no"}, status_code=self.status)
        if payload.get("action") == "cancel":
            return self._stream([interrupted(payload["request_id"])])
        return StreamingResponse(self._events(payload["request_id"]), media_type="text/event-stream")

    async def ws(self, socket: WebSocket) -> None:
        self.sessions.append(socket.headers.get(SESSION))
        await socket.accept()
        try:
            async with asyncio.TaskGroup() as answers:
                while True:
                    payload = await socket.receive_json()
                    self.asked.append(payload)
                    if payload.get("action") == "cancel":
                        await socket.send_json(interrupted(payload["request_id"]))
                    else:
                        answers.create_task(self._give(socket, payload["request_id"]))
        except* WebSocketDisconnect:
            self.left.set()

    async def _give(self, socket: WebSocket, request_id: str) -> None:
        async for event in self.told(request_id):
            if isinstance(event, bytes):
                await socket.send_bytes(event)
            else:
                await socket.send_json(event)
        if self.events and self.events[-1] == b"":
            await socket.close(1011)

    async def _events(self, request_id: str) -> AsyncIterator[str]:
        async for event in self.told(request_id):
            yield f"data: {json.dumps(event)}{self.newline}{self.newline}"

    def _stream(self, events: list[dict[str, Any]]) -> Response:
        text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        return Response(text, media_type="text/event-stream")


def interrupted(request_id: str) -> dict[str, Any]:
    return {"type": "interrupted", "request_id": request_id, "t_ms": 1.0, "heard_text": "Hi", "char_end": 2}


@asynccontextmanager
async def scripted_agent(**script: Any) -> AsyncIterator[ScriptedAgent]:
    agent = ScriptedAgent(**script)
    routes = [Route("/invocations", agent.invocations, methods=["POST"]), WebSocketRoute("/ws", agent.ws)]
    async with listening(Starlette(routes=routes)) as url:
        agent.url = url
        yield agent
