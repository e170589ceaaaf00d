"""HTTP/1.1 on `h11`: keep-alive, chunked answers, one request after the other on a connection.

A body that is not read stops the sender (the transport's reads pause); an answer that is not read stops `send`.
Callbacks only; each request is served by a task of whoever passed `serve`.
"""

import asyncio
import logging
from typing import cast

import h11

from firstword.emulator.http.exchange import Headers, Inbox, Request, Serve
from firstword.emulator.http.socket import abort, quick_ack
from firstword.errors import ConnectionLost, TransportTimeout

__all__ = ["Http1Connection"]

_log = logging.getLogger(__name__)
_MAX_UNREAD = 1024 * 1024
_STALL_S = 120.0


class Http1Connection(asyncio.Protocol):
    """One caller's connection."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self.h11 = h11.Connection(h11.SERVER)
        self.transport: asyncio.Transport
        self.writable = asyncio.Event()
        self._exchange: _Http1Exchange | None = None
        self._unread = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.writable.set()

    def data_received(self, data: bytes) -> None:
        quick_ack(self.transport)
        self.h11.receive_data(data)
        self._pump()

    def _pump(self) -> None:
        try:
            while (happened := self.h11.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                self._handle(happened)
                if isinstance(happened, h11.ConnectionClosed):
                    break
        except h11.RemoteProtocolError as error:
            _log.warning("not HTTP/1.1", extra={"reason": str(error)})
            if self._exchange is not None:
                self._exchange.inbox.lose()
            elif self.h11.our_state is h11.IDLE or self.h11.our_state is h11.SEND_RESPONSE:
                refusal = h11.Response(status_code=error.error_status_hint, headers=[("connection", "close")])
                self.write(refusal)
            self.transport.close()

    def _handle(self, happened: h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]) -> None:
        match happened:
            case h11.Request(method=method, target=target, headers=headers):
                plain = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
                request = Request(method=method.decode(), target=target.decode("latin-1"), headers=plain)
                self._exchange = _Http1Exchange(self, request)
                self._serve(self._exchange)
            case h11.Data(data=data) if self._exchange is not None:
                self._unread += len(data)
                if self._unread > _MAX_UNREAD:
                    self.transport.pause_reading()
                self._exchange.inbox.put(bytes(data), len(data))
            case h11.EndOfMessage() if self._exchange is not None:
                self._exchange.inbox.end()
            case _:
                pass

    def taken(self, cost: int) -> None:
        self._unread -= cost
        if self._unread <= _MAX_UNREAD and not self.transport.is_closing():
            self.transport.resume_reading()

    def write(self, message: h11.Event) -> None:
        data = self.h11.send(message)
        if data and not self.transport.is_closing():
            self.transport.write(data)

    def answered(self) -> None:
        """The exchange ended properly: take the next request, or close."""
        self._exchange = None
        if self.h11.our_state is h11.DONE and self.h11.their_state is h11.DONE:
            self.h11.start_next_cycle()
            self._pump()
        else:
            self.transport.close()

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    def connection_lost(self, _exc: Exception | None) -> None:
        self.writable.set()
        if self._exchange is not None:
            self._exchange.inbox.lose()


class _Http1Exchange:
    """One request on a connection as an Exchange."""

    duplex = False

    def __init__(self, connection: Http1Connection, request: Request) -> None:
        self._connection = connection
        self._request = request
        self.inbox = Inbox(connection.taken)
        self.started = False

    @property
    def request(self) -> Request:
        return self._request

    async def receive(self) -> bytes:
        if self._connection.h11.they_are_waiting_for_100_continue:
            self._write(h11.InformationalResponse(status_code=100, headers=[]))
        return await self.inbox.take()

    async def start(self, status: int, headers: Headers) -> None:
        self._write(h11.Response(status_code=status, headers=list(headers)))
        self.started = True

    async def send(self, data: bytes) -> None:
        self._write(h11.Data(data=data))
        try:
            async with asyncio.timeout(_STALL_S):
                await self._connection.writable.wait()
        except TimeoutError as error:
            self.drop()
            raise TransportTimeout(f"The caller took no data for {_STALL_S:.0f} s.") from error

    async def finish(self) -> None:
        self._write(h11.EndOfMessage())
        self.inbox.discard()
        self._connection.answered()

    def reset(self) -> None:
        self.drop()

    def drop(self) -> None:
        abort(self._connection.transport)

    async def gone(self) -> None:
        await self.inbox.lost.wait()

    def _write(self, message: h11.Event) -> None:
        if self.inbox.lost.is_set() or self._connection.transport.is_closing():
            raise ConnectionLost("The caller has gone.")
        self._connection.write(message)
