"""The server as a process: its socket, its signals, its end.

It listens before the voice is loaded, so `/ping` can say 503 meanwhile, and announces itself when it can speak. On
SIGTERM or SIGINT it drains and then returns; a second signal ends it at once.
"""

import asyncio
import errno
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from firstword.config import ServerSettings
from firstword.errors import UsageError, first_cause
from firstword.kokoro.synthesizer import Synthesizer
from firstword.server.app import create_app
from firstword.server.keys import read_keys
from firstword.server.serving import Serving

__all__ = ["ListeningServer", "listening", "serve"]

_BACKLOG = 2048
_MAX_HEADER_BYTES = 64 * 1024
_KEEP_ALIVE_S = 75
"""Longer than a load balancer's 60 s, so that it is never the server that closes a connection just being reused."""


def serve(
    settings: ServerSettings,
    load: Callable[[], Synthesizer],
    *,
    default_voice: str,
    announce: Callable[[str], None],
) -> None:
    """Serve until told to stop. `announce` gets `http://HOST:PORT` once the server can speak.

    Raises UsageError if the address cannot be had, or would be open to others without a key; and whatever kept the
    voice from loading, unless the settings say to stay up with it.
    """
    keys = read_keys(settings.api_key_file) if settings.api_key_file else ()
    if not keys and not settings.allow_no_key and not _is_loopback(settings.host):
        raise UsageError(
            f"Without a key the server listens on this machine only, not on {settings.host}.",
            hint="Give --api-key-file, or --allow-no-key if something in front of it asks for keys.",
        )
    try:
        asyncio.run(_serve(settings, load, keys, default_voice, announce))
    except BaseExceptionGroup as group:
        raise first_cause(group) from None


async def _serve(
    settings: ServerSettings,
    load: Callable[[], Synthesizer],
    keys: tuple[str, ...],
    default_voice: str,
    announce: Callable[[str], None],
) -> None:
    serving = Serving(settings, load, default_voice=default_voice)
    async with listening(serving, keys=keys, signals=True) as server, asyncio.TaskGroup() as group:
        stopping = group.create_task(server.stopping.wait())
        loading = group.create_task(serving.loaded.wait())
        await asyncio.wait([stopping, loading], return_when=asyncio.FIRST_COMPLETED)
        loading.cancel()
        if serving.failure is None and not stopping.done():
            announce(server.url)
            await stopping
            await serving.drain()
        elif settings.stay_failed:
            await stopping
        stopping.cancel()
    if serving.failure is not None and not settings.stay_failed:
        raise serving.failure


@asynccontextmanager
async def listening(
    serving: Serving, *, keys: Sequence[str] = (), signals: bool = False
) -> AsyncIterator["ListeningServer"]:
    """A server that listens while the block runs; the voice loads meanwhile. Raises UsageError.

    With `signals` it owns SIGTERM and SIGINT of the process: they set `stopping`.
    """
    opened = _listen(serving.settings)
    server = ListeningServer(create_app(serving, keys=keys), serving.settings, _url(opened), signals=signals)
    failure: Exception | None = None
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[opened]))
        try:
            yield server
        except Exception as error:  # kept until the server has ended in order, which the group would cut short
            failure = error
        finally:
            server.should_exit = True
    if failure is not None:
        raise failure


class ListeningServer(uvicorn.Server):
    """`stopping` is set by the first signal; a second one gives up waiting for readers."""

    def __init__(self, app: Starlette, settings: ServerSettings, url: str, *, signals: bool) -> None:
        super().__init__(_uvicorn_config(app, settings))
        self.url = url
        self.stopping = asyncio.Event()
        self._signals = signals
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        if self._signals:
            with super().capture_signals():
                yield
        else:
            yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.stopping.is_set():
            self.force_exit = self.should_exit = True
        self._loop.call_soon_threadsafe(self.stopping.set)


def _uvicorn_config(app: Starlette, settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        backlog=_BACKLOG,
        # The HTTP parser that bounds what headers may take.
        http="h11",
        h11_max_incomplete_event_size=_MAX_HEADER_BYTES,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=5,
        ws="websockets-sansio",
        ws_max_size=settings.max_message_bytes,
        ws_per_message_deflate=False,
    )


def _listen(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio switches Nagle's algorithm off only on sockets that do: small frames one
    # behind another would each wait 40 ms for the peer's delayed acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Inherited by every connection: one whose reader takes nothing for so long is dropped by the kernel, and the
        # last of what was written to it does not stay in memory until the peer goes away.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(settings.send_timeout_s * 1000))
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"Port {settings.port} on {settings.host} is in use.", hint="Stop what holds it, or give --port 0."
            ) from error
        raise UsageError(f"Cannot listen on {settings.host}:{settings.port}.") from error
    # From here on a peer is queued, not refused, even before the application runs.
    listening.listen(_BACKLOG)
    return listening


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
