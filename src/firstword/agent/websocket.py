"""The second door, `/ws`: JSON both ways, audio as binary frames, one conversation a socket, barge-in in the stream.

What comes in has the form of an `/invocations` payload, in text or binary frames, any number on one socket. A lost
socket is seen here, unlike over SSE, and stops model and voice at once. Above it: `app`. Below it: `door`.
"""

import asyncio
import contextlib
import logging
import uuid
from contextlib import aclosing
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from firstword.agent.answer import Answer
from firstword.agent.door import Door, refusal
from firstword.agent.outbox import Audio, OutboxItem
from firstword.agent.request import Cancel
from firstword.errors import FirstwordError, RequestRefused
from firstword.protocol.events import to_dict
from firstword.protocol.incoming import decode_json

__all__ = ["serve_socket"]

_log = logging.getLogger(__name__)


async def serve_socket(door: Door, websocket: WebSocket, session_id: str | None) -> None:
    """Serve one socket until its client is gone, or takes nothing for too long."""
    await websocket.accept()
    socket = _Socket(door, websocket, session_id)
    try:
        async with asyncio.TaskGroup() as answers:
            await socket.receive_all(answers)
    except* _ClientGone:
        pass
    except* TimeoutError:
        _log.info("a socket took nothing for too long")
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close()


class _ClientGone(Exception):
    """Raised through the task group, so that it stops the socket's answers."""


class _Socket:
    def __init__(self, door: Door, websocket: WebSocket, session_id: str | None) -> None:
        self._door = door
        self._websocket = websocket
        self._header = session_id
        self._session_id = session_id or f"socket-{uuid.uuid4().hex}"
        self._mine: str | None = None
        """Request whose events this socket gets."""
        self._sending = asyncio.Lock()

    async def receive_all(self, answers: asyncio.TaskGroup) -> None:
        """Never waits for an answer, so that a cancel is heard at any time. Raises _ClientGone."""
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                raise _ClientGone
            frame = message.get("text")
            try:
                await self._take(message.get("bytes") if frame is None else frame, answers)
            except FirstwordError as error:
                await self._send(refusal(error))

    async def _take(self, frame: str | bytes | None, answers: asyncio.TaskGroup) -> None:
        request = self._door.parse(_decoded(frame or b""), self._header)
        if isinstance(request, Cancel):
            answers.create_task(self._cancel(request))
        else:
            answers.create_task(self._give(self._door.answer(request, self._session_id)))

    async def _give(self, answer: Answer) -> None:
        self._mine = answer.request_id
        async with aclosing(answer.items()) as items:
            async for item in items:
                await self._send(item)

    async def _cancel(self, cancel: Cancel) -> None:
        try:
            cut = await self._door.cancel(cancel, self._session_id)
        except FirstwordError as error:
            await self._send(refusal(error))
        else:
            if not (cut.told and cut.event.request_id == self._mine):
                await self._send(cut.event)

    async def _send(self, item: OutboxItem) -> None:
        """Raises TimeoutError if the client takes nothing, _ClientGone if it is not there."""
        try:
            async with asyncio.timeout(self._door.settings.reader_timeout_s), self._sending:
                if isinstance(item, Audio):
                    await self._websocket.send_bytes(item.pcm)
                else:
                    await self._websocket.send_json(to_dict(item))
        except (WebSocketDisconnect, RuntimeError) as error:
            raise _ClientGone from error


def _decoded(frame: str | bytes) -> Any:
    try:
        return decode_json(frame)
    except (ValueError, RecursionError) as error:
        raise RequestRefused("The frame is not JSON.", code="bad_json", hint="Send one JSON object a frame.") from error
