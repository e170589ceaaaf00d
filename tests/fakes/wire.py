"""A TCP connection's way to a server on loopback, where a test can cut it: what a broken network does to a browser."""

import contextlib
import socket
import struct
import threading
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

__all__ = ["Wire"]

_ABORT = struct.pack("ii", 1, 0)


class Wire:
    """Enter it; `url` is the same server by way of here."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._server = (parts.hostname or "", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._ends: list[socket.socket] = []
        self._down = False
        self._lock = threading.Lock()

    def cut(self) -> None:
        """Every connection ends at once, as by a reset."""
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            _abort(end)

    def go_down(self) -> None:
        """Cut, and no connection can be made until `come_back`."""
        self._down = True
        self.cut()

    def come_back(self) -> None:
        self._down = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, name="wire", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._down:
                    _abort(near)
                    continue
                far = socket.create_connection(self._server)
                for end in (near, far):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with self._lock:
                    self._ends += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=_carry, args=(source, target), name="wire", daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _abort(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)
        end.shutdown(socket.SHUT_RDWR)
    end.close()
