"""The two listeners, as AWS has two: HTTP/1.1, and HTTP/2 in TLS or plain; each behind a delay if one is asked for.

Knows sockets and TLS, no service. `emulator` stands above.
"""

import asyncio
import contextlib
import ssl
import weakref
from collections.abc import AsyncIterator, Callable

from firstword.emulator.delay import delayed_server
from firstword.emulator.faults import FaultPlan
from firstword.errors import UsageError

__all__ = ["listen", "refusing_tls"]


@contextlib.asynccontextmanager
async def listen(
    make_connection: Callable[[], asyncio.Protocol],
    host: str,
    port: int,
    *,
    rtt_ms: float,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[int]:
    """Serve connections while the context lasts; the port that callers connect to. Raises UsageError if it is taken."""
    loop = asyncio.get_running_loop()
    servers: list[asyncio.Server] = []
    open_connections: weakref.WeakSet[asyncio.Protocol] = weakref.WeakSet()

    def connection() -> asyncio.Protocol:
        made = make_connection()
        open_connections.add(made)
        return made

    try:
        inner_port = 0 if rtt_ms > 0 else port
        servers.append(await loop.create_server(connection, host, inner_port, ssl=tls, backlog=1024))
        if rtt_ms > 0:
            servers.append(await delayed_server(host, port, (host, _port(servers[0])), rtt_ms / 1000))
        yield _port(servers[-1])
    except OSError as error:
        raise UsageError(f"Cannot listen on {host}:{port}.", hint="Choose another port, or 0 to pick one.") from error
    finally:
        for server in servers:
            server.close()
        for made in open_connections:
            if (transport := getattr(made, "transport", None)) is not None:
                transport.abort()


def _port(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


def refusing_tls(context: ssl.SSLContext, faults: FaultPlan) -> ssl.SSLContext:
    """`context`, refusing the handshakes that `faults` says to."""

    def decide(*_: object) -> int | None:
        return ssl.ALERT_DESCRIPTION_HANDSHAKE_FAILURE if faults.take(None) else None

    context.sni_callback = decide
    return context
