"""The two listeners, as AWS has two: HTTP/1.1, and HTTP/2 in TLS or plain; each behind a delay if one is asked for.

Knows sockets and TLS, no service. `emulator` stands above.
"""

import asyncio
import contextlib
import ssl
import weakref
from collections.abc import AsyncIterator, Callable

from firstword.emulator.delay import delayed
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
    made: weakref.WeakSet[asyncio.Protocol] = weakref.WeakSet()

    def connection() -> asyncio.Protocol:
        protocol = make_connection()
        made.add(protocol)
        return protocol

    async with contextlib.AsyncExitStack() as stack:
        try:
            inner_port = 0 if rtt_ms > 0 else port
            loop = asyncio.get_running_loop()
            server = await loop.create_server(connection, host, inner_port, ssl=tls, backlog=1024)
            stack.callback(server.close)
            outer = server
            if rtt_ms > 0:
                outer = await stack.enter_async_context(delayed(host, port, (host, _port(server)), rtt_ms / 1000))
        except OSError as error:
            raise UsageError(f"Cannot listen on {host}:{port}.", hint="Choose another port, or 0 for any.") from error
        try:
            yield _port(outer)
        finally:
            for protocol in made:
                if (transport := getattr(protocol, "transport", None)) is not None:
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
