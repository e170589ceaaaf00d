"""One request and its answer: what a service sees of HTTP, whichever version carries it.

`Exchange` is the seam; `http1` and `http2` implement it with the `Inbox` below.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from firstword.errors import ConnectionLost

__all__ = ["Exchange", "Headers", "Inbox", "Request", "Serve"]

type Headers = Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Request:
    """Method, target as it stood on the wire (still percent-encoded), headers with lower-case names."""

    method: str
    target: str
    headers: Headers

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    def header(self, name: str) -> str:
        """All values of a header, joined by commas; empty if there is none."""
        return ",".join(value for key, value in self.headers if key == name)


class Exchange(Protocol):
    """A caller's request, open until it is finished, reset or dropped.

    Everything that waits raises ConnectionLost once the caller is gone. Whoever serves it must end it in one of the
    three ways; only one task reads and only one writes.
    """

    @property
    def request(self) -> Request: ...

    @property
    def duplex(self) -> bool:
        """Whether the answer may be sent while the request is still arriving."""
        ...

    @property
    def started(self) -> bool:
        """Whether the status has been sent."""
        ...

    async def receive(self) -> bytes:
        """The next bytes of the body; empty at its end."""
        ...

    async def start(self, status: int, headers: Headers) -> None: ...

    async def send(self, data: bytes) -> None: ...

    async def finish(self) -> None:
        """The proper end of the answer."""
        ...

    def reset(self) -> None:
        """End this exchange alone, improperly."""
        ...

    def drop(self) -> None:
        """Abort the caller's connection, with everything on it."""
        ...

    async def gone(self) -> None:
        """Return once the caller has left."""
        ...


type Serve = Callable[[Exchange], None]


class Inbox:
    """Body bytes from a connection's callbacks to the task that serves the request.

    Not bounded here: the connection bounds it, by flow control (HTTP/2) or by pausing its reads (HTTP/1.1), with the
    help of `taken`, which is told how many bytes have been read.
    """

    def __init__(self, taken: Callable[[int], None]) -> None:
        self._taken = taken
        self._pieces: deque[tuple[bytes, int]] = deque()
        self._changed = asyncio.Event()
        self._ended = False
        self.lost = asyncio.Event()

    def put(self, data: bytes, cost: int) -> None:
        """`cost` is what the transport charges for `data`."""
        self._pieces.append((data, cost))
        self._changed.set()

    def end(self) -> None:
        self._ended = True
        self._changed.set()

    def lose(self) -> None:
        self.lost.set()
        self._changed.set()

    async def take(self) -> bytes:
        """Everything that has arrived, waiting for at least one byte; empty at the end."""
        while not self._pieces:
            if self.lost.is_set():
                raise ConnectionLost("The caller has gone.")
            if self._ended:
                return b""
            self._changed.clear()
            await self._changed.wait()
        data = b"".join(piece for piece, _ in self._pieces)
        self.discard()
        return data

    def discard(self) -> None:
        """Count what nobody will read as read, so that its room is given back."""
        cost = sum(cost for _, cost in self._pieces)
        self._pieces.clear()
        if cost:
            self._taken(cost)
