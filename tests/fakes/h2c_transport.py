"""A duplex HTTP/2 transport for the smithy SDKs over plain TCP, by prior knowledge; small, and independent of ours.

One connection per transport. A stream that is reset, or a connection that ends, raises OSError.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any, Literal, cast

import h2.config
import h2.connection
import h2.events
from smithy_core.aio.types import AsyncBytesReader
from smithy_http import Field, Fields
from smithy_http.exceptions import SmithyHTTPError


class _Stream:
    def __init__(self) -> None:
        self.head: asyncio.Future[list[tuple[str, str]]] = asyncio.get_running_loop().create_future()
        self.body: asyncio.Queue[bytes | OSError] = asyncio.Queue()
        self.room = asyncio.Event()

    def fail(self, error: OSError) -> None:
        if not self.head.done():
            self.head.set_exception(error)
        self.body.put_nowait(error)
        self.room.set()


class H2cResponse:
    reason = None

    def __init__(self, transport: "H2cTransport", head: list[tuple[str, str]], stream: _Stream) -> None:
        self.status = int(dict(head)[":status"])
        self.fields = Fields([Field(name=name, values=[value]) for name, value in head if name[0] != ":"])
        self._stream = stream
        self._transport = transport

    @property
    def body(self) -> AsyncIterable[bytes]:
        return self._chunks()

    async def _chunks(self) -> AsyncGenerator[bytes]:
        while piece := await self._stream.body.get():
            if isinstance(piece, OSError):
                raise piece
            yield piece

    async def consume_body_async(self) -> bytes:
        return b"".join([piece async for piece in self._chunks()])


class H2cTransport(asyncio.Protocol):
    SUPPORTS_DUPLEX_STREAMING: Literal[True] = True
    TIMEOUT_EXCEPTIONS = (TimeoutError,)

    def __init__(self) -> None:
        self._h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
        self._streams: dict[int, _Stream] = {}
        self._senders: set[asyncio.Task[None]] = set()
        self.transport: asyncio.Transport | None = None

    def __deepcopy__(self, memo: Any) -> "H2cTransport":
        return self

    async def send(self, request: Any, *, request_config: Any = None) -> H2cResponse:
        if self.transport is None:
            await self._connect(request.destination.host, request.destination.port)
        destination = request.destination
        headers = [(":method", request.method), (":scheme", "http"), (":authority", destination.netloc)]
        headers.append((":path", destination.path + (f"?{destination.query}" if destination.query else "")))
        headers += [(field.name.lower(), value) for field in request.fields for value in field.values]
        stream_id = self._h2.get_next_available_stream_id()
        stream = self._streams[stream_id] = _Stream()
        self._h2.send_headers(stream_id, [(name, value) for name, value in headers if name != "host"])
        self._flush()
        sender = asyncio.get_running_loop().create_task(self._upload(stream_id, stream, request.body))
        self._senders.add(sender)
        sender.add_done_callback(self._senders.discard)
        try:
            return H2cResponse(self, await stream.head, stream)
        except OSError as error:
            raise SmithyHTTPError(str(error)) from error

    async def _connect(self, host: str, port: int) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, host, port)
        self._h2.initiate_connection()
        self._h2.increment_flow_control_window(2**24)
        self._flush()

    async def _upload(self, stream_id: int, stream: _Stream, body: Any) -> None:
        source = body if isinstance(body, AsyncIterable) else AsyncBytesReader(body)
        with contextlib.suppress(h2.exceptions.ProtocolError):
            async for piece in source:
                rest = memoryview(bytes(piece))
                while rest:
                    room = min(self._h2.local_flow_control_window(stream_id), self._h2.max_outbound_frame_size)
                    if room <= 0:
                        stream.room.clear()
                        await stream.room.wait()
                        continue
                    self._h2.send_data(stream_id, bytes(rest[:room]))
                    rest = rest[room:]
                    self._flush()
            self._h2.end_stream(stream_id)
            self._flush()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        for happened in self._h2.receive_data(data):
            stream = self._streams.get(getattr(happened, "stream_id", 0) or 0)
            match happened:
                case h2.events.ResponseReceived(headers=headers) if stream is not None:
                    stream.head.set_result([(str(name), str(value)) for name, value in headers or ()])
                case h2.events.DataReceived(data=piece, flow_controlled_length=cost, stream_id=int(id)) if stream:
                    stream.body.put_nowait(bytes(piece or b""))
                    self._h2.acknowledge_received_data(cost or 0, id)
                case h2.events.StreamEnded() if stream is not None:
                    stream.body.put_nowait(b"")
                case h2.events.StreamReset() if stream is not None:
                    stream.fail(ConnectionResetError("the stream was reset"))
                case h2.events.WindowUpdated() | h2.events.RemoteSettingsChanged():
                    for waiting in self._streams.values():
                        waiting.room.set()
                case _:
                    pass
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        for stream in self._streams.values():
            stream.fail(ConnectionResetError("the connection ended"))
        self._streams.clear()
        self.transport = None
        self._h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))

    def _flush(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(self._h2.data_to_send())

    async def close(self) -> None:
        for sender in self._senders:
            sender.cancel()
        if self.transport is not None:
            self.transport.close()
