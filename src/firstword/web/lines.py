"""Pages' standing connections: WebSockets, each joined to one of the agent's for as long as both last.

Frames are carried both ways and looked into nowhere. The agent's side is opened with the page's, ahead of the first
question, and outlives it for a while, so that a page whose network broke goes on where it was. Above it: `gateway`.
"""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from firstword.errors import FirstwordError, first_cause
from firstword.web.relay import Relay
from firstword.web.streams import GONE, Stream, Streams

__all__ = ["Closing", "Lines", "told"]

_REASON_BYTES: Final = 120
_GONE_CODE: Final = 4410
_WENT_AWAY: Final = (1000, 1001)


@dataclass(frozen=True, kw_only=True)
class Closing:
    """How a socket is closed."""

    code: int = 1000
    why: str = ""


class Lines:
    """`max_bytes` is the longest frame taken from a page."""

    def __init__(self, relay: Relay, streams: Streams, max_bytes: int) -> None:
        self._relay = relay
        self._streams = streams
        self._max_bytes = max_bytes

    async def serve(self, page: WebSocket, conversation: str, count: int | None) -> Closing:
        """Join an accepted socket to the agent until either ends; `count` is what it has of a stream it lost."""
        try:
            stream = await self._stream(("ws", conversation), conversation, count)
        except FirstwordError as error:
            return _closing(error)
        return await self._carry(page, stream, count or 0)

    async def _stream(self, key: tuple[str, str], conversation: str, count: int | None) -> Stream:
        if count is not None:
            return self._streams.resume(key, count)
        door = self._relay.socket(conversation)
        await door.open()
        return self._streams.begin(key, self._relay.received(door), door)

    async def _carry(self, page: WebSocket, stream: Stream, count: int) -> Closing:
        closing = Closing()
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(_to_page(stream, count, page))
                while True:
                    payload = await self._payload(page)
                    if stream.door is not None:
                        await stream.door.tell(payload)
        except* _PageGone as group:
            if first_cause(group).args[0] in _WENT_AWAY:
                stream.stop()
        except* _TooLong:
            stream.stop()
            closing = Closing(code=1009, why=f"More than {self._max_bytes} bytes.")
        except* FirstwordError as group:
            closing = _closing(first_cause(group))
        return closing

    async def _payload(self, page: WebSocket) -> bytes:
        message = await page.receive()
        if message["type"] == "websocket.disconnect":
            raise _PageGone(message.get("code"))
        frame = message.get("bytes") or (message.get("text") or "").encode()
        if len(frame) > self._max_bytes:
            raise _TooLong
        return frame


class _PageGone(Exception):
    """With the code the page closed with: raised so that the other direction ends too."""


class _TooLong(Exception):
    """The page sent what it may not."""


async def _to_page(stream: Stream, count: int, page: WebSocket) -> None:
    async with aclosing(stream.read(count)) as items:
        async for _, item in items:
            try:
                await (page.send_text(item) if isinstance(item, str) else page.send_bytes(item))
            except (RuntimeError, WebSocketDisconnect) as error:
                raise _PageGone(None) from error
    raise _PageGone(None)  # another page reads it now, or it was stopped


def told(error: BaseException) -> str:
    """For the page: that it is the agent, and what is wrong with it."""
    what = error.one_line() if isinstance(error, FirstwordError) else "It failed."
    return f"The agent cannot be used: {what}"


def _closing(error: BaseException) -> Closing:
    gone = isinstance(error, FirstwordError) and error.code == GONE
    why = error.one_line() if isinstance(error, FirstwordError) and gone else told(error)
    return Closing(code=_GONE_CODE if gone else 1013, why=why.encode()[:_REASON_BYTES].decode(errors="ignore"))
