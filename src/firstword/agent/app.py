"""The agent as AgentCore runs it: `/invocations` (events as SSE), `/ws` (audio as binary frames), a truthful `/ping`.

The SDK runs `/invocations` on an event loop of its own thread, and cancels the generator when a reader it can see hangs
up. AgentCore hides a caller's hang-up from the container, so over SSE the `cancel` action and the no-reader timeout
stop an answer. Above it: `firstword agent` and the container. Below it: `door`.
"""

import asyncio
import logging
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

from bedrock_agentcore import BedrockAgentCoreApp
from bedrock_agentcore.runtime import RequestContext
from bedrock_agentcore.runtime.models import PingStatus

from firstword.agent.conversations import Conversations
from firstword.agent.door import Door, refusal
from firstword.agent.outbox import Audio, OutboxItem
from firstword.agent.request import Cancel
from firstword.agent.voice import Voice
from firstword.agent.websocket import serve_socket
from firstword.config import AgentSettings
from firstword.errors import FirstwordError
from firstword.protocol.events import AudioChunkEvent, to_dict

__all__ = ["create_app"]


def create_app(settings: AgentSettings, voice: Voice) -> Any:
    """The ASGI application; `voice` is where answers are spoken. Raises as `Conversations` does."""
    door = Door(settings, Conversations(settings), voice)

    @asynccontextmanager
    async def lifespan(_app: Any) -> AsyncIterator[None]:
        await asyncio.to_thread(door.conversations.warm)
        yield
        await door.conversations.aclose()

    app = BedrockAgentCoreApp(lifespan=lifespan)
    app.logger.setLevel(logging.NOTSET)
    app.logger.handlers.clear()  # the SDK's own lines on stderr; its records go where the process's go

    @app.entrypoint
    async def invoke(payload: Any, context: RequestContext) -> AsyncIterator[dict[str, Any]]:
        async with aclosing(_events(door, payload, context.session_id)) as events:
            async for event in events:
                yield event

    @app.websocket
    async def ws(websocket: Any, context: RequestContext) -> None:
        await serve_socket(door, websocket, context.session_id)

    @app.ping
    def ping() -> PingStatus:
        return PingStatus.HEALTHY_BUSY if door.conversations.busy else PingStatus.HEALTHY

    return app


async def _events(door: Door, payload: Any, session_id: str | None) -> AsyncGenerator[dict[str, Any]]:
    try:
        request = door.parse(payload, session_id)
        if isinstance(request, Cancel):
            yield to_dict((await door.cancel(request, session_id)).event)
            return
        answer = door.answer(request, session_id)
    except FirstwordError as error:
        yield to_dict(refusal(error))
        return
    async with aclosing(answer.items()) as items:
        async for item in items:
            yield _as_json(item)


def _as_json(item: OutboxItem) -> dict[str, Any]:
    if isinstance(item, Audio):
        data = b64encode(item.pcm).decode("ascii")
        item = AudioChunkEvent(request_id=item.request_id, t_ms=item.t_ms, seq=item.seq, data=data)
    return to_dict(item)
