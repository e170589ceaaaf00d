"""One POST whose answer is read as it comes; what the HTTP library and the server report, as this package's errors.

Knows no routes. Above it: `invocation` and the reader of agents.
"""

import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from urllib.parse import urlsplit

import httpx
import msgspec

from firstword.client.address import is_loopback
from firstword.config import ClientSettings
from firstword.errors import ConnectFailed, ConnectionLost, FirstwordError, RemoteError, TransportTimeout

__all__ = ["post", "remote_failure"]


@asynccontextmanager
async def post(
    url: str, body: bytes, settings: ClientSettings, *, headers: Mapping[str, str] | None = None
) -> AsyncIterator[AsyncIterator[bytes]]:
    """The body of a JSON request's answer, each piece as it arrives.

    Raises ConnectFailed, TransportTimeout or ConnectionLost for the way, and RemoteError with the server's own code
    for what it answers instead of 2xx.
    """
    timeout = httpx.Timeout(settings.receive_timeout_s, connect=settings.connect_timeout_s)
    sent = {"content-type": "application/json", **(headers or {})}
    try:
        async with (
            httpx.AsyncClient(timeout=timeout, verify=_tls(url), trust_env=not is_loopback(url)) as client,
            client.stream("POST", url, content=body, headers=sent) as response,
        ):
            if not response.is_success:
                raise remote_failure(response.status_code, await response.aread())
            yield response.aiter_raw()
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise _failure(error, urlsplit(url).netloc.rpartition("@")[2], settings) from error


def _tls(url: str) -> ssl.SSLContext:
    """Without it every client loads the system's certificates anew: 20 ms of the event loop, for plain HTTP too."""
    return _trusted(from_environment=not is_loopback(url)) if url.startswith("https:") else _unused()


@cache
def _trusted(*, from_environment: bool) -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=from_environment)


@cache
def _unused() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _failure(error: Exception, where: str, settings: ClientSettings) -> FirstwordError:
    match error:
        case httpx.ConnectTimeout():
            message = f"{where} did not answer within {settings.connect_timeout_s:g} s."
            return ConnectFailed(message, retryable=True)
        case httpx.TimeoutException():
            return TransportTimeout(f"{where} sent nothing for {settings.receive_timeout_s:g} s.", retryable=True)
        case httpx.ConnectError():
            return ConnectFailed(f"Cannot reach {where}.", hint="Is it running?", retryable=True)
        case _:
            return ConnectionLost(f"{where} ended the answer before it was whole.", retryable=True)


class _Told(msgspec.Struct):
    """How our servers tell an error."""

    code: str
    message: str
    retryable: bool = False


def remote_failure(status: int, body: bytes) -> RemoteError:
    """The error that an answer with this status tells."""
    try:
        told = msgspec.json.decode(body, type=_Told)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        retryable = status in (429, 503)
        return RemoteError(f"The server answers {status}.", code=f"http_{status}", retryable=retryable)
    return RemoteError(f"The server reports: {told.message}", code=told.code, retryable=told.retryable)
