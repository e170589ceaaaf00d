"""HTTP/2 on `h2`: one connection, many streams, flow control in both directions.

Bodies are acknowledged when they are read, so a slow reader slows its own sender only. Data that arrives after an
answer ended is swallowed and acknowledged: an SDK goes on sending for a while, and the other streams of the connection
must not notice. Callbacks only; each stream is served by a task of whoever passed `serve`.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import cast

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

from firstword.emulator.http.exchange import Headers, Inbox, Request, Serve
from firstword.emulator.http.socket import abort, quick_ack
from firstword.errors import ConnectionLost, TransportTimeout

__all__ = ["Http2Connection"]

_log = logging.getLogger(__name__)
_STREAM_WINDOW = 1024 * 1024
_CONNECTION_WINDOW = 64 * 1024 * 1024
_MAX_STREAMS = 1024
_GRACE_S = 5.0
_STALL_S = 120.0


class Http2Connection(asyncio.Protocol):
    """One caller's connection, from the preface to its end."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._exchanges: dict[int, _Http2Exchange] = {}
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.transport: asyncio.Transport
        self.may_write = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.h2.initiate_connection()
        # Only after initiate_connection: a window set before it would never be announced.
        self.h2.update_settings(
            {
                h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: _STREAM_WINDOW,
                h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: _MAX_STREAMS,
            }
        )
        self.h2.increment_flow_control_window(_CONNECTION_WINDOW)
        self.flush()

    def data_received(self, data: bytes) -> None:
        quick_ack(self.transport)
        try:
            events = self.h2.receive_data(data)
        except h2.exceptions.ProtocolError as error:
            _log.warning("not HTTP/2, or broken HTTP/2", extra={"reason": str(error)})
            self.flush()
            self.transport.close()
            return
        for happened in events:
            self._handle(happened)
        self.flush()

    def _handle(self, happened: h2.events.Event) -> None:
        match happened:
            case h2.events.RequestReceived(stream_id=int(stream_id), headers=headers):
                request = _request([(str(name), str(value)) for name, value in headers or ()])
                self._exchanges[stream_id] = opened = _Http2Exchange(self, stream_id, request)
                self._serve(opened)
            case h2.events.DataReceived(stream_id=int(stream_id), data=data, flow_controlled_length=cost):
                exchange = self._exchanges.get(stream_id)
                if exchange is None or exchange.over:
                    self.h2.acknowledge_received_data(cost or 0, stream_id)
                else:
                    exchange.inbox.put(bytes(data or b""), cost or 0)
            case h2.events.StreamEnded(stream_id=int(stream_id)):
                if exchange := self._exchanges.get(stream_id):
                    exchange.end_of_request()
            case h2.events.StreamReset(stream_id=int(stream_id)):
                if exchange := self._exchanges.pop(stream_id, None):
                    exchange.lose()
            case h2.events.WindowUpdated() | h2.events.RemoteSettingsChanged():
                self._wake()
            case h2.events.ConnectionTerminated():
                self.transport.close()
            case _:
                pass

    def flush(self) -> None:
        data = self.h2.data_to_send()
        if data and not self.transport.is_closing():
            self.transport.write(data)

    def forget(self, stream_id: int) -> None:
        self._exchanges.pop(stream_id, None)

    def pause_writing(self) -> None:
        self.may_write = False

    def resume_writing(self) -> None:
        self.may_write = True
        self._wake()

    def _wake(self) -> None:
        for exchange in self._exchanges.values():
            exchange.writable.set()

    def connection_lost(self, _exc: Exception | None) -> None:
        for exchange in self._exchanges.values():
            exchange.lose()
        self._exchanges.clear()


def _request(headers: list[tuple[str, str]]) -> Request:
    pseudo = {name: value for name, value in headers if name.startswith(":")}
    plain = [(name, value) for name, value in headers if not name.startswith(":")]
    if ":authority" in pseudo and not any(name == "host" for name, _ in plain):
        plain.append(("host", pseudo[":authority"]))
    return Request(method=pseudo[":method"], target=pseudo[":path"], headers=plain)


def _send_data(connection: h2.connection.H2Connection, *, stream_id: int, data: bytes) -> None:
    connection.send_data(stream_id, data)


class _Http2Exchange:
    """One stream as an Exchange."""

    duplex = True

    def __init__(self, connection: Http2Connection, stream_id: int, request: Request) -> None:
        self._connection = connection
        self._stream_id = stream_id
        self._request = request
        self._request_ended = False
        self._grace: asyncio.TimerHandle | None = None
        self.inbox = Inbox(self._acknowledge)
        self.writable = asyncio.Event()
        self.started = False
        self.over = False

    @property
    def request(self) -> Request:
        return self._request

    async def receive(self) -> bytes:
        return await self.inbox.take()

    async def start(self, status: int, headers: Headers) -> None:
        self._do(lambda h2: h2.send_headers(self._stream_id, [(":status", str(status)), *headers]))
        self.started = True

    async def send(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            room = await self._room()
            piece, rest = rest[:room], rest[room:]
            self._do(partial(_send_data, stream_id=self._stream_id, data=bytes(piece)))

    async def finish(self) -> None:
        self._do(lambda h2: h2.end_stream(self._stream_id))
        self.over = True
        self.inbox.discard()
        if self._request_ended:
            self._connection.forget(self._stream_id)
        else:
            self._grace = asyncio.get_running_loop().call_later(_GRACE_S, self._end_grace)

    def reset(self) -> None:
        self._reset(h2.errors.ErrorCodes.INTERNAL_ERROR)

    def drop(self) -> None:
        self.over = True
        abort(self._connection.transport)

    async def gone(self) -> None:
        await self.inbox.lost.wait()

    def end_of_request(self) -> None:
        self._request_ended = True
        self.inbox.end()
        if self.over:
            self._cancel_grace()
            self._connection.forget(self._stream_id)

    def lose(self) -> None:
        self._cancel_grace()
        self.inbox.discard()
        self.inbox.lose()
        self.writable.set()

    async def _room(self) -> int:
        """How many bytes may be sent now; waits until there is room."""
        if room := self._room_now():
            return room
        try:
            async with asyncio.timeout(_STALL_S):
                while not (room := self._room_now()):
                    self.writable.clear()
                    await self.writable.wait()
                return room
        except TimeoutError as error:
            self.reset()
            raise TransportTimeout(f"The caller took no data for {_STALL_S:.0f} s.") from error

    def _room_now(self) -> int:
        connection = self._connection
        if self.inbox.lost.is_set():
            raise ConnectionLost("The caller has gone.")
        try:
            window = connection.h2.local_flow_control_window(self._stream_id)
        except h2.exceptions.StreamClosedError as error:
            raise ConnectionLost("The caller's stream is closed.") from error
        return min(window, connection.h2.max_outbound_frame_size) if connection.may_write and window > 0 else 0

    def _do(self, action: Callable[[h2.connection.H2Connection], None]) -> None:
        if self.inbox.lost.is_set():
            raise ConnectionLost("The caller has gone.")
        try:
            action(self._connection.h2)
        except h2.exceptions.ProtocolError as error:
            raise ConnectionLost("The caller's stream is closed.") from error
        self._connection.flush()

    def _acknowledge(self, cost: int) -> None:
        self._connection.h2.acknowledge_received_data(cost, self._stream_id)
        self._connection.flush()

    def _reset(self, code: h2.errors.ErrorCodes) -> None:
        self.over = True
        self._cancel_grace()
        self.inbox.discard()
        try:
            self._connection.h2.reset_stream(self._stream_id, code)
        except h2.exceptions.ProtocolError:
            return
        finally:
            self._connection.forget(self._stream_id)
        self._connection.flush()

    def _end_grace(self) -> None:
        self._reset(h2.errors.ErrorCodes.NO_ERROR)

    def _cancel_grace(self) -> None:
        if self._grace is not None:
            self._grace.cancel()
