"""A client's end of one HTTP/2 connection: requests whose bodies go out while their answers come in.

Speaks TLS with ALPN, or plain text by prior knowledge. A reset, a lost connection and a refused request are told at
once, each as an OSError. Knows HTTP/2 and nothing of AWS. Above it: `duplex`, which gives it to the AWS SDK.
"""

import asyncio
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from typing import Final

from h2 import events
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.exceptions import H2Error
from h2.settings import SettingCodes

__all__ = ["Http2Connection", "Http2Stream", "open_http2"]

type Header = tuple[str, str]

_STREAM_WINDOW: Final = 1024 * 1024
_CONNECTION_WINDOW: Final = 16 * 1024 * 1024


async def open_http2(host: str, port: int, tls: ssl.SSLContext | None) -> "Http2Connection":
    """Raises OSError (ssl.SSLError among them). The caller sets the deadline."""
    loop = asyncio.get_running_loop()
    name = host if tls is not None else None
    transport, connection = await loop.create_connection(Http2Connection, host, port, ssl=tls, server_hostname=name)
    secured = transport.get_extra_info("ssl_object")
    if secured is not None and secured.selected_alpn_protocol() != "h2":
        transport.abort()
        raise ConnectionError("the server does not speak HTTP/2")
    return connection


class Http2Connection(asyncio.Protocol):
    """Many streams over one socket, within the windows that both ends grant."""

    def __init__(self) -> None:
        self._h2 = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        self._transport: asyncio.Transport | None = None
        self._streams: dict[int, Http2Stream] = {}
        self._room = asyncio.Event()
        self._writable = True
        self._leaving = False
        self._lost: OSError | None = None

    @property
    def usable(self) -> bool:
        """New requests may be made on it."""
        return self._lost is None and not self._leaving

    def request(self, headers: Sequence[Header], body: AsyncIterable[bytes]) -> "Http2Stream":
        """Begin a request; its body goes out as it comes. Raises OSError if the connection has been lost."""
        if self._lost is not None:
            raise self._lost
        stream_id = self._h2.get_next_available_stream_id()
        self._h2.send_headers(stream_id, list(headers))
        stream = self._streams[stream_id] = Http2Stream(self, stream_id)
        self._flush()
        stream.upload(body)
        return stream

    async def aclose(self) -> None:
        """End every stream and let go of the socket."""
        for stream in list(self._streams.values()):
            await stream.aclose()
        if self._transport is not None and self._lost is None:
            self._h2.close_connection()
            self._flush()
            self._transport.close()
        self._fail(ConnectionError("the connection was closed"))

    # For streams

    async def send(self, stream_id: int, data: bytes) -> None:
        """Raises OSError when the connection or the stream has gone."""
        view = memoryview(data)
        while view:
            room = min(self._window(stream_id), self._h2.max_outbound_frame_size)
            if room <= 0 or not self._writable:
                self._room.clear()
                await self._room.wait()
                continue
            self._h2.send_data(stream_id, bytes(view[:room]))
            view = view[room:]
            self._flush()

    def end(self, stream_id: int) -> None:
        if self._lost is None and stream_id in self._streams:
            self._h2.end_stream(stream_id)
            self._flush()

    def consumed(self, stream_id: int, amount: int) -> None:
        """That much of an answer has been taken: the peer may send as much again."""
        if self._lost is None and amount:
            self._h2.acknowledge_received_data(amount, stream_id)
            self._flush()

    def forget(self, stream_id: int, *, reset: bool) -> None:
        if self._streams.pop(stream_id, None) is not None and reset and self._lost is None:
            self._h2.reset_stream(stream_id, ErrorCodes.CANCEL)
            self._flush()

    def _window(self, stream_id: int) -> int:
        if self._lost is not None:
            raise self._lost
        if stream_id not in self._streams:
            raise ConnectionError("the stream has ended")
        return self._h2.local_flow_control_window(stream_id)

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # create_connection makes no other
        self._transport = transport
        self._h2.initiate_connection()
        self._h2.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: _STREAM_WINDOW})
        self._h2.increment_flow_control_window(_CONNECTION_WINDOW)
        self._flush()

    def data_received(self, data: bytes) -> None:
        try:
            happened = self._h2.receive_data(data)
        except H2Error:
            self._flush()
            self._fail(ConnectionError("the server broke the HTTP/2 protocol"))
            return
        for event in happened:
            self._take(event)
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(error if isinstance(error, OSError) else ConnectionResetError("the server closed the connection"))

    def pause_writing(self) -> None:
        self._writable = False

    def resume_writing(self) -> None:
        self._writable = True
        self._room.set()

    def _take(self, event: events.Event) -> None:
        match event:
            case events.ConnectionTerminated():
                self._leaving = True
            case events.WindowUpdated() | events.RemoteSettingsChanged():
                self._room.set()
            case events.ResponseReceived() | events.DataReceived() | events.StreamEnded() | events.StreamReset() if (
                event.stream_id in self._streams
            ):
                self._streams[event.stream_id].take(event)
            case events.DataReceived():
                self._h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case _:
                return

    def _flush(self) -> None:
        data = self._h2.data_to_send()
        if data and self._transport is not None and self._lost is None:
            self._transport.write(data)

    def _fail(self, error: OSError) -> None:
        if self._lost is None:
            self._lost = error
            self._room.set()
            for stream in list(self._streams.values()):
                stream.fail(error)
            if self._transport is not None:
                self._transport.abort()


class Http2Stream:
    """One request and its answer. Owe it `aclose`."""

    def __init__(self, connection: Http2Connection, stream_id: int) -> None:
        self._connection = connection
        self._id = stream_id
        self._head: asyncio.Future[list[Header]] = asyncio.get_running_loop().create_future()
        self._chunks: asyncio.Queue[tuple[bytes, int] | OSError | None] = asyncio.Queue()
        self._upload: asyncio.Task[None] | None = None
        self._over = False

    def upload(self, body: AsyncIterable[bytes]) -> None:
        self._upload = asyncio.create_task(self._send(body), name="firstword http2 upload")

    async def head(self) -> list[Header]:
        """The answer's headers, `:status` first. Raises OSError if the stream breaks before they come."""
        return await asyncio.shield(self._head)

    async def body(self) -> AsyncIterator[bytes]:
        """The answer as it comes, to its end. Raises OSError if the stream breaks before that."""
        while (item := await self._chunks.get()) is not None:
            if isinstance(item, OSError):
                raise item
            data, amount = item
            self._connection.consumed(self._id, amount)
            if data:
                yield data

    async def aclose(self) -> None:
        """End the request; if it is not over the peer is told by a reset."""
        self._connection.forget(self._id, reset=not self._over)
        self.fail(ConnectionError("the stream was closed"))
        if self._upload is not None:
            self._upload.cancel()
            await asyncio.gather(self._upload, return_exceptions=True)

    def take(
        self, event: events.ResponseReceived | events.DataReceived | events.StreamEnded | events.StreamReset
    ) -> None:
        match event:
            case events.ResponseReceived():
                if not self._head.done():
                    self._head.set_result([(str(name), str(value)) for name, value in event.headers or ()])
            case events.DataReceived():
                self._chunks.put_nowait((event.data or b"", event.flow_controlled_length or 0))
            case events.StreamEnded():
                self._end(None)
            case events.StreamReset():
                if self._over:
                    self._connection.forget(self._id, reset=False)
                else:
                    self.fail(ConnectionResetError(f"the server reset the stream (code {int(event.error_code or 0)})"))

    def fail(self, error: OSError) -> None:
        self._connection.forget(self._id, reset=False)
        if not self._over:
            self._end(error)

    def _end(self, error: OSError | None) -> None:
        self._over = True
        self._chunks.put_nowait(error)
        if not self._head.done():
            self._head.set_exception(error or ConnectionError("the server ended the stream without an answer"))
            self._head.exception()  # whoever asks for the head gets it; nobody may

    async def _send(self, body: AsyncIterable[bytes]) -> None:
        try:
            async for chunk in body:
                await self._connection.send(self._id, bytes(chunk))
            self._connection.end(self._id)
        except (OSError, H2Error):
            return  # whoever reads the answer is told
