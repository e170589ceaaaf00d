"""HTTP to what stands behind the emulator: one client for all, and answers piece by piece as they arrive.

Deadlines are the services' own, so the client has none but for connecting.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator

import httpx

from firstword.errors import RemoteError

__all__ = ["open_client", "pieces"]

_CONNECT_S = 5.0


def open_client() -> httpx.AsyncClient:
    """A client that takes no settings from the environment and adds no encoding of its own."""
    return httpx.AsyncClient(
        trust_env=False,
        timeout=httpx.Timeout(None, connect=_CONNECT_S),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
        headers={"accept-encoding": "identity", "user-agent": "firstword-emulator"},
    )


async def pieces(response: httpx.Response, *, idle_s: float | None = None) -> AsyncGenerator[bytes]:
    """The body as it arrives, and one empty piece whenever nothing has followed the last for `idle_s`.

    Raises RemoteError if it breaks off. The caller closes the iterator.
    """
    body = response.aiter_raw()
    arriving: asyncio.Task[bytes] | None = None
    patience_s = idle_s
    try:
        while True:
            arriving = arriving or asyncio.ensure_future(_next(body))
            done, _ = await asyncio.wait({arriving}, timeout=patience_s)
            if not done:
                patience_s = None
                yield b""
                continue
            piece, arriving, patience_s = arriving.result(), None, idle_s
            if not piece:
                return
            yield piece
    except httpx.HTTPError as error:
        raise RemoteError("The answer broke off.", code="broken_off") from error
    finally:
        if arriving is not None:
            arriving.cancel()
            with contextlib.suppress(asyncio.CancelledError, httpx.HTTPError):
                await arriving


async def _next(body: AsyncIterator[bytes]) -> bytes:
    async for piece in body:
        if piece:
            return piece
    return b""
