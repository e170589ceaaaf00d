"""Who may use the gateway: the address it is asked by, the page that asks, and a key beyond loopback. Pure.

A page of another site must not reach a gateway on this machine: requests carry an `Origin` that has to be our own, and
a `Host` that is one we listen on (a name that resolves to loopback is not enough). Above it: `gateway`.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from firstword.errors import ConfigError

__all__ = ["COOKIE", "HEADERS", "LOOPBACK", "Access", "read_keys"]

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
COOKIE: Final = "firstword_key"
HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
    "cache-control": "no-cache",
}


@dataclass(frozen=True, kw_only=True)
class Access:
    """`hosts` are the names the gateway may be addressed by; no `keys` means that none is asked for."""

    hosts: Sequence[str]
    keys: Sequence[str] = ()

    def host_allowed(self, host_header: str) -> bool:
        name = urlsplit(f"//{host_header}").hostname
        return name is not None and name in self.hosts

    def origin_allowed(self, origin: str | None, host_header: str) -> bool:
        """An absent origin is no browser's page. Programs send none, and have no one's cookies to abuse."""
        return origin is None or urlsplit(origin).netloc == host_header

    def holds_key(self, headers: Mapping[str, str]) -> bool:
        """Whether a request carries a key, as a bearer token or in the cookie that `/?key=…` set."""
        if not self.keys:
            return True
        scheme, _, token = headers.get("authorization", "").partition(" ")
        bearer = token if scheme.lower() == "bearer" else ""
        return self.is_key(bearer) or self.is_key(_cookie(headers.get("cookie", "")))

    def is_key(self, offered: str) -> bool:
        """Compared with every key, in constant time each."""
        found = [hmac.compare_digest(offered.encode(), key.encode()) for key in self.keys]
        return any(found)


def read_keys(path: str | None) -> tuple[str, ...]:
    """Keys of a file, one a line. Raises ConfigError if it cannot be read or holds none."""
    if path is None:
        return ()
    try:
        keys = tuple(line.strip() for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip())
    except OSError as error:
        raise ConfigError(f"The key file {path} cannot be read: {error.strerror}.") from error
    if not keys:
        raise ConfigError(f"The key file {path} holds no key.", hint="Put one key on each line.")
    return keys


def _cookie(header: str) -> str:
    try:
        jar = SimpleCookie(header)
    except CookieError:
        return ""
    return jar[COOKIE].value if COOKIE in jar else ""
