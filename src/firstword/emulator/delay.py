"""A stretch of network: a TCP relay that holds every byte back for half a round trip, each way.

Order is kept and throughput is not limited. The first bytes of a caller wait one round trip more, as they would for
TCP's own handshake. A connection that ends, or is reset, does so on the other side after the same delay.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import cast

from firstword.emulator.http.socket import abort

__all__ = ["delayed_server"]

_MAX_IN_FLIGHT = 64 * 1024 * 1024
_HIGH_WATER = 1024 * 1024


async def delayed_server(host: str, port: int, target: tuple[str, int], rtt_s: float) -> asyncio.Server:
    """A listener at `host:port` whose bytes reach `target` after half of `rtt_s`, and come back likewise."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _Leg(rtt_s / 2, first_delay_s=rtt_s * 1.5, target=target), host, port)


class _Leg(asyncio.Protocol):
    """One side of a relayed connection; what it reads is written, late, by its `far` side."""

    def __init__(self, delay_s: float, *, first_delay_s: float, target: tuple[str, int] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._delay_s = delay_s
        self._not_before = self._loop.time() + first_delay_s
        self._target = target
        self._dialling: asyncio.Task[None] | None = None
        self._due: deque[tuple[float, Callable[[], None], int]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = 0
        self._blocked = False
        self.far: _Leg | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(high=_HIGH_WATER)
        if self._target is not None:
            self._dialling = self._loop.create_task(self._dial(self._target))

    async def _dial(self, target: tuple[str, int]) -> None:
        far = _Leg(self._delay_s, first_delay_s=0.0)
        far.far = self
        try:
            await self._loop.create_connection(lambda: far, *target)
        except OSError:
            if self.transport is not None:
                abort(self.transport)
            return
        self.far = far
        self._release()

    def data_received(self, data: bytes) -> None:
        self._later(lambda: self._write(data), len(data))

    def eof_received(self) -> bool:
        self._later(self._write_eof, 0)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._later(lambda: self._close(reset=exc is not None), 0)

    def pause_writing(self) -> None:
        self._block_far(True)

    def resume_writing(self) -> None:
        self._block_far(False)

    def _block_far(self, blocked: bool) -> None:
        if self.far is not None:
            self.far._blocked = blocked
            self.far._regulate()

    def _later(self, action: Callable[[], None], size: int) -> None:
        self._in_flight += size
        when = max(self._loop.time() + self._delay_s, self._not_before)
        self._due.append((when, action, size))
        self._regulate()
        self._arm()

    def _arm(self) -> None:
        if self._timer is None and self._due and self.far is not None:
            self._timer = self._loop.call_at(self._due[0][0], self._release)

    def _release(self) -> None:
        self._timer = None
        while self._due and self._due[0][0] <= self._loop.time() and self.far is not None:
            _, action, size = self._due.popleft()
            self._in_flight -= size
            action()
        self._regulate()
        self._arm()

    def _regulate(self) -> None:
        if self.transport is None or self.transport.is_closing():
            return
        if self._blocked or self._in_flight > _MAX_IN_FLIGHT:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def _far_transport(self) -> asyncio.Transport | None:
        transport = self.far.transport if self.far is not None else None
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
