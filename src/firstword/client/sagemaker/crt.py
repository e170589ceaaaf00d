"""The SDK's CRT transport, as it has to be treated: one connection for its client, and uploads that end in silence.

CRT sends a request's body in a task that nobody owns; it fails whenever the server ends a stream first, which a voice
that has said `closed` always does, and asyncio then prints a traceback. Here the tasks are owned. Above: `transport`.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from smithy_core.aio.interfaces import StreamingBlob
from smithy_http.aio.crt import AWSCRTHTTPClient

__all__ = ["CrtTransport"]


class CrtTransport(AWSCRTHTTPClient):
    """Owe it `close`."""

    def __init__(self) -> None:
        super().__init__()
        self._uploads: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """End what is still being sent, and the connection. The caller sets the deadline."""
        uploads = list(self._uploads)
        for upload in uploads:
            upload.cancel()
        await asyncio.gather(*uploads, return_exceptions=True)
        await super().close()

    async def _create_body_generator(self, body: StreamingBlob) -> AsyncGenerator[bytes]:
        # Runs inside the task in question, which CRT keeps to itself.
        upload = asyncio.current_task()
        if upload is not None:
            self._uploads.add(upload)
            upload.add_done_callback(self._sent)
        async for chunk in super()._create_body_generator(body):
            yield chunk

    def _sent(self, upload: asyncio.Task[Any]) -> None:
        self._uploads.discard(upload)
        if not upload.cancelled():
            upload.exception()  # whoever reads the answer has been told

    def __deepcopy__(self, memo: dict[int, Any]) -> "CrtTransport":
        """The SDK copies its configuration; the copy would have connections that nobody closes."""
        return self
