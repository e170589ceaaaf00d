"""Our HTTP/2 connection as a transport of the AWS SDK for Python.

The SDK's own CRT transport cannot speak plain-text HTTP/2, hangs when a stream is reset before its headers and takes a
broken stream for a clean end; this one tells all of them. Below it `http2`; above it `transport`.
"""

import asyncio
import ssl
from collections.abc import AsyncIterable
from typing import Any, Final, Literal

from smithy_core.aio.utils import read_streaming_blob_async
from smithy_http import Field, Fields
from smithy_http.aio.interfaces import HTTPRequest

from firstword.client.sagemaker.http2 import Http2Connection, Http2Stream, open_http2

__all__ = ["DuplexTransport"]

_PORTS: Final = {"http": 80, "https": 443}


class DuplexTransport:
    """One connection for every stream of one client. Owe it `close`."""

    TIMEOUT_EXCEPTIONS: tuple[type[Exception], ...] = (TimeoutError,)
    SUPPORTS_DUPLEX_STREAMING: Literal[True] = True

    def __init__(self, *, connect_timeout_s: float) -> None:
        self._connect_timeout_s = connect_timeout_s
        self._connection: Http2Connection | None = None
        self._connecting = asyncio.Lock()

    async def send(self, request: HTTPRequest, *, request_config: object | None = None) -> "DuplexResponse":  # noqa: ARG002
        """Begin the request; returns when the answer's headers are there. Raises OSError."""
        url = request.destination
        connection = await self._connected(url.scheme or "https", url.host, url.port)
        path = f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
        headers = [(":method", request.method), (":scheme", url.scheme or "https"), (":authority", url.netloc)]
        headers.append((":path", path))
        headers += [
            (field.name.lower(), value)
            for field in request.fields.entries.values()
            if field.name.lower() != "host"
            for value in field.values
        ]
        stream = connection.request(headers, _chunks(request))
        try:
            head = await stream.head()
        except BaseException:
            await stream.aclose()
            raise
        return DuplexResponse(head, stream)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.aclose()

    async def _connected(self, scheme: str, host: str, port: int | None) -> Http2Connection:
        async with self._connecting:
            if self._connection is None or not self._connection.usable:
                tls = await asyncio.to_thread(_tls_context) if scheme == "https" else None
                async with asyncio.timeout(self._connect_timeout_s):
                    self._connection = await open_http2(host, port or _PORTS[scheme], tls)
            return self._connection

    def __deepcopy__(self, memo: dict[int, Any]) -> "DuplexTransport":
        """The SDK copies its configuration; a connection is not copied with it."""
        return self


class DuplexResponse:
    """An answer as the SDK reads it."""

    def __init__(self, head: list[tuple[str, str]], stream: Http2Stream) -> None:
        self._stream = stream
        self._status = int(dict(head)[":status"])
        self._fields = Fields([Field(name=name, values=[value]) for name, value in head if not name.startswith(":")])

    @property
    def status(self) -> int:
        return self._status

    @property
    def fields(self) -> Fields:
        return self._fields

    @property
    def reason(self) -> str | None:
        return None

    @property
    def body(self) -> AsyncIterable[bytes]:
        return self._stream.body()

    async def consume_body_async(self) -> bytes:
        return await read_streaming_blob_async(self.body)

    def consume_body(self) -> bytes:
        raise TypeError("the body of a stream is read asynchronously")


def _chunks(request: HTTPRequest) -> AsyncIterable[bytes]:
    body = request.body
    if isinstance(body, AsyncIterable):
        return body
    return _whole(request)


async def _whole(request: HTTPRequest) -> AsyncIterable[bytes]:
    yield await request.consume_body_async()


def _tls_context() -> ssl.SSLContext:
    """The system's trust store, or SSL_CERT_FILE; reading it blocks for milliseconds."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2"])
    return context
