"""Bearer keys: read from a file, compared in constant time, asked for before anything else happens.

`/ping` is open: a load balancer has no key. Nothing here says which of several keys was used.
"""

import hmac
from collections.abc import Sequence
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from firstword.errors import ConfigError, RequestRefused
from firstword.server.replies import error_at

__all__ = ["KeyGuard", "read_keys"]

_OPEN_PATHS = ("/ping",)
_POLICY_VIOLATION = 1008


def read_keys(path: str) -> tuple[str, ...]:
    """The keys in a file, one a line; blank lines and lines that begin with # are none. Raises ConfigError."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The key file {path} cannot be read.") from error
    keys = tuple(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))
    if not keys:
        raise ConfigError(f"The key file {path} holds no key.", hint="Write one key a line.")
    return keys


class KeyGuard:
    """ASGI middleware: lets through what carries one of the keys."""

    def __init__(self, app: ASGIApp, keys: Sequence[str]) -> None:
        self._app = app
        self._keys = [key.encode() for key in keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"] in _OPEN_PATHS or self._holds(Headers(scope=scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(code=_POLICY_VIOLATION, reason="unauthorized")(scope, receive, send)
        else:
            refusal = RequestRefused("A valid key is needed.", code="unauthorized", hint="Send it as a bearer token.")
            await error_at(scope["path"], refusal)(scope, receive, send)

    def _holds(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        # Every key is compared, so that the time taken does not tell which one came close.
        matches = [hmac.compare_digest(given.strip().encode(), key) for key in self._keys]
        return scheme.lower() == "bearer" and any(matches)
