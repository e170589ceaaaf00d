"""Sends a streamed HTTP body to a reader that may be slow, or gone.

A reader that takes nothing for `send_timeout_s`, or hangs up, ends at once what is being sent, and so what stands
behind it. A body that is not ended (`end`) is seen by the reader as cut short. Knows nothing of speech.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from starlette.types import Receive, Send

from firstword.errors import ConnectionLost

__all__ = ["BodySender", "while_connected"]


async def while_connected[T](receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, which is cancelled when the reader hangs up. Raises ConnectionLost then.

    The request's body has been read to its end. `work` raises nothing of its own.
    """
    async with asyncio.TaskGroup() as group:
        job = group.create_task(work)
        watch = group.create_task(_until_hung_up(receive))
        watch.add_done_callback(lambda done: None if done.cancelled() else job.cancel())
        job.add_done_callback(lambda _: watch.cancel())
    if job.cancelled():
        raise ConnectionLost("The reader hung up.")
    return job.result()


async def _until_hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue


class BodySender:
    """Sends one response in chunks, each with a deadline. Raises ConnectionLost if the reader does not take it."""

    def __init__(self, send: Send, *, send_timeout_s: float) -> None:
        self._send = send
        self._send_timeout_s = send_timeout_s

    async def start(self, headers: Mapping[str, str]) -> None:
        raw = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
        await self._put({"type": "http.response.start", "status": 200, "headers": raw})

    async def chunk(self, data: bytes) -> None:
        await self._put({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self) -> None:
        await self._put({"type": "http.response.body", "body": b"", "more_body": False})

    async def _put(self, message: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(self._send_timeout_s):
                await self._send(message)
        except (TimeoutError, OSError) as error:
            raise ConnectionLost("The reader takes nothing.") from error
