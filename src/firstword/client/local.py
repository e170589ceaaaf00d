"""A speech server of this program's own, for a `say` that was told of none.

Started on first use as a process (`firstword serve`), shared by every thread, stopped when the program ends, however it
ends. It is reached by its command line and its URL only: nothing of the server is imported here. A program that wants
more control runs `firstword.stack`. Above it: `simple`.
"""

import atexit
import contextlib
import subprocess
import sys
import threading
from collections import deque
from typing import IO, Final

from firstword.config import StackSettings
from firstword.errors import ConnectFailed

__all__ = ["local_url"]

# `child` ends with its standard input, so the server cannot outlive this program even if that is killed.
_COMMAND: Final = ("-m", "firstword.stack.child", "firstword.cli", "serve", "--port", "0")
_LISTENING: Final = "listening on "
_lock = threading.Lock()
_running: list["_LocalServer"] = []


def local_url(settings: StackSettings | None = None) -> str:
    """The URL of this program's speech server, started if it does not run. Raises ConnectFailed.

    The first start of all fetches the weights, which may take minutes.
    """
    with _lock:
        if _running and _running[0].alive:
            return _running[0].url
        _running.clear()
        server = _LocalServer(settings or StackSettings.load())
        atexit.register(server.stop)
        _running.append(server)
        return server.url


class _LocalServer:
    def __init__(self, settings: StackSettings) -> None:
        self._grace_s = settings.stop_grace_s
        self._said: deque[str] = deque(maxlen=20)
        self._ready = threading.Event()
        self.url = ""
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self._reader = threading.Thread(
            target=self._read, args=(self._process.stdout,), name="firstword server", daemon=True
        )
        self._reader.start()
        if not self._ready.wait(settings.ready_timeout_s) or not self.url:
            self.stop()
            last = next((line for line in reversed(self._said) if line), "It printed nothing.")
            raise ConnectFailed("The speech server did not start.", hint=last)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        """End the process and wait until it has."""
        self._process.terminate()
        try:
            self._process.wait(self._grace_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(self._grace_s)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _read(self, output: IO[str] | None) -> None:
        """Drain what it prints for as long as it lives: a full pipe would stop it."""
        for line in output or ():
            self._said.append(line.strip())
            if line.startswith(_LISTENING) and not self.url:
                self.url = line.removeprefix(_LISTENING).strip()
                self._ready.set()
        self._ready.set()
