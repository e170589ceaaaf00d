"""A stretch of network: a TCP relay that holds every byte back for half a round trip, each way.

Order is kept and throughput is not limited. The first bytes of a caller wait one round trip more, as they would for
TCP's own handshake. A connection that ends, or is reset, does so on the other side after the same delay.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import cast

from firstword.emulator.http.socket import abort

__all__ = ["delayed"]

_MAX_IN_FLIGHT = 64 * 1024 * 1024
_HIGH_WATER = 1024 * 1024


@contextlib.asynccontextmanager
async def delayed(host: str, port: int, target: tuple[str, int], rtt_s: float) -> AsyncIterator[asyncio.Server]:
    """A listener at `host:port`, while the context lasts.

    What is sent to it reaches `target` after half of `rtt_s`, and what comes back takes as long. Raises OSError if the
    port cannot be had.
    """
    loop = asyncio.get_running_loop()
    calls: set[_Call] = set()

    def call() -> asyncio.Protocol:
        made = _Call(target, rtt_s, ended=calls.discard)
        calls.add(made)
        return made.near

    server = await loop.create_server(call, host, port)
    try:
        yield server
    finally:
        server.close()
        for made in list(calls):
            await made.end()


class _Call:
    """One relayed connection: its two legs, and the task that dials the far one."""

    def __init__(self, target: tuple[str, int], rtt_s: float, ended: Callable[["_Call"], None]) -> None:
        self._target = target
        self._ended = ended
        self._open = 2
        self.near = _Leg(self, rtt_s / 2, first_delay_s=rtt_s * 1.5)
        self.far = _Leg(self, rtt_s / 2, first_delay_s=0.0)
        self._dialling: asyncio.Task[None] | None = None

    def dial(self) -> None:
        self._dialling = asyncio.get_running_loop().create_task(self._dial())

    async def _dial(self) -> None:
        try:
            await asyncio.get_running_loop().create_connection(lambda: self.far, *self._target)
        except OSError:
            self._open = 1
            self.near.abort()
            return
        self.near.connected(self.far)
        self.far.connected(self.near)

    def lost(self) -> None:
        self._open -= 1
        if not self._open:
            self._ended(self)

    async def end(self) -> None:
        if self._dialling is not None:
            self._dialling.cancel()
            await asyncio.gather(self._dialling, return_exceptions=True)
        self.near.abort()
        self.far.abort()


class _Leg(asyncio.Protocol):
    """One side of a relayed connection; what it reads is written, late, by its `_other` side."""

    def __init__(self, call: _Call, delay_s: float, *, first_delay_s: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._call = call
        self._delay_s = delay_s
        self._not_before = self._loop.time() + first_delay_s
        self._due: deque[tuple[float, Callable[[], None], int]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = 0
        self._blocked = False
        self._other: _Leg | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=_HIGH_WATER)
        if self is self._call.near:
            self._call.dial()

    def connected(self, other: "_Leg") -> None:
        """From now on what is due can be written to `other`."""
        self._other = other
        self._release()

    def abort(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            abort(self._transport)

    def data_received(self, data: bytes) -> None:
        self._later(lambda: self._write(data), len(data))

    def eof_received(self) -> bool:
        self._later(self._write_eof, 0)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._later(lambda: self._close(reset=exc is not None), 0)
        self._call.lost()

    def pause_writing(self) -> None:
        self._block_other(True)

    def resume_writing(self) -> None:
        self._block_other(False)

    def _block_other(self, blocked: bool) -> None:
        if self._other is not None:
            self._other._blocked = blocked
            self._other._regulate()

    def _later(self, action: Callable[[], None], size: int) -> None:
        self._in_flight += size
        when = max(self._loop.time() + self._delay_s, self._not_before)
        self._due.append((when, action, size))
        self._regulate()
        self._arm()

    def _arm(self) -> None:
        if self._timer is None and self._due and self._other is not None:
            self._timer = self._loop.call_at(self._due[0][0], self._release)

    def _release(self) -> None:
        self._timer = None
        while self._due and self._due[0][0] <= self._loop.time() and self._other is not None:
            _, action, size = self._due.popleft()
            self._in_flight -= size
            action()
        self._regulate()
        self._arm()

    def _regulate(self) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        if self._blocked or self._in_flight > _MAX_IN_FLIGHT:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _far_transport(self) -> asyncio.Transport | None:
        transport = self._other._transport if self._other is not None else None
        return None if transport is None or transport.is_closing() else transport

    def _write(self, data: bytes) -> None:
        if transport := self._far_transport():
            transport.write(data)

    def _write_eof(self) -> None:
        if (transport := self._far_transport()) and transport.can_write_eof():
            transport.write_eof()

    def _close(self, *, reset: bool) -> None:
        if transport := self._far_transport():
            abort(transport) if reset else transport.close()
