"""An ASGI application on a TCP port: bound before anyone is told, stopped in order.

Every HTTP process of ours that is started by another one says `listening on http://HOST:PORT` on stdout once it
answers; here is where it says so. Knows nothing of what is served. Above it: the shells that serve something.
"""

import asyncio
import contextlib
import errno
import logging
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import uvicorn

from firstword.errors import UsageError

__all__ = ["check_address_free", "listening", "serve", "serve_until_stopped"]

_STARTUP_TIMEOUT_S: Final = 300.0
"""Under emulation the imports of an agent alone take minutes."""
_BACKLOG: Final = 1024
_KEEP_ALIVE_S: Final = 75
"""Beyond the 5 s for which HTTP clients keep an idle connection: else both give it up at once and a request is lost."""


def _is_no_cut_answer(record: logging.LogRecord) -> bool:
    """False for the traceback of an answer cut at the end of the drain: uvicorn has said so one line before."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


class _Server(uvicorn.Server):
    """Leaves signals to its caller, and says when it has started."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit:  # an application that gave up is told by us, and ends no loop
            self.should_exit = True
            return
        self.up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def listening(
    app: Any, *, host: str = "127.0.0.1", port: int = 0, drain_s: float = 1.0, **options: Any
) -> AsyncIterator[str]:
    """Serve `app` while the context is open, on the running loop; gives its URL.

    On exit no new connection is taken, and what runs may finish for `drain_s`. `options` go to uvicorn. Raises
    UsageError if the address cannot be had.
    """
    settings = {
        "log_config": None,
        "access_log": False,
        "timeout_graceful_shutdown": max(1, round(drain_s)),
        "timeout_keep_alive": _KEEP_ALIVE_S,
    }
    logging.getLogger("uvicorn.error").addFilter(_is_no_cut_answer)  # once, however often it is added
    with contextlib.closing(_bind(host, port)) as listener:
        server = _Server(uvicorn.Config(app, **{**settings, "ws": "websockets-sansio", **options}))
        serving = asyncio.create_task(server.serve(sockets=[listener]), name="uvicorn")
        try:
            await _started(server, serving)
            yield _url(listener, host)
        finally:
            server.should_exit = True
            with contextlib.suppress(asyncio.CancelledError):
                await serving


async def _started(server: _Server, serving: asyncio.Task[None]) -> None:
    up = asyncio.create_task(server.up.wait())
    try:
        await asyncio.wait({serving, up}, timeout=_STARTUP_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        up.cancel()
    if server.up.is_set():
        return
    within = "" if serving.done() else f" within {_STARTUP_TIMEOUT_S:g} s"
    serving.cancel()
    raise UsageError(f"The application did not start{within}.", hint="Its log says why.")


def serve(app: Any, *, host: str, port: int, drain_s: float = 1.0, **options: Any) -> None:
    """Serve `app` until SIGTERM or SIGINT; prints where it listens."""
    asyncio.run(serve_until_stopped(app, host=host, port=port, drain_s=drain_s, **options))


async def serve_until_stopped(app: Any, **options: Any) -> None:
    """`serve` on the running loop; options as `listening` takes them."""
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with listening(app, **options) as url:
        print(f"listening on {url}", flush=True)
        await stop.wait()


def check_address_free(host: str, port: int) -> None:
    """Raises UsageError if the address cannot be had now: for a caller with slow work to do before `listening`."""
    _bind(host, port).close()


def _bind(host: str, port: int) -> socket.socket:
    """A bound, listening socket.

    It names its protocol, because asyncio switches Nagle's algorithm off only on sockets that do: without that, each
    small frame behind another waits for the peer's delayed acknowledgement, 40 ms.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, OverflowError) as error:
        raise UsageError(f"{host} is no address of this machine.", hint="Name another host.") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"Port {port} on {host} is in use.", hint="Stop what holds it, or give --port 0."
            ) from error
        raise UsageError(f"{host}:{port} cannot be listened on.", hint="Name another port, or 0 for any.") from error
    return listener


def _url(listener: socket.socket, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"
