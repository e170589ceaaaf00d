"""The address of a server, checked and turned into the one of a route. Above it: every way to a server by URL."""

from typing import Final, Literal
from urllib.parse import SplitResult, urlsplit

from firstword.errors import UsageError

__all__ = ["check_address", "is_loopback", "route_url"]

_SECURE: Final = {"http": False, "ws": False, "https": True, "wss": True}
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}


def route_url(url: str, scheme: Literal["http", "ws"], path: str, *, own_path: bool = False) -> str:
    """A route of the server at this `http(s)` or `ws(s)` URL, secured as that is.

    A path of the URL's own goes before the route's, or with `own_path` stands in its place. Raises UsageError for
    what is no address.
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in _SECURE and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known:
        hint = "Use http(s)://HOST:PORT, or endpoint:NAME for a SageMaker endpoint."
        raise UsageError(f"{url!r} is no address of a server.", hint=hint)
    own = parts.path.rstrip("/")
    place = own if own_path and own else own + path
    return SplitResult(scheme + "s" * _SECURE[parts.scheme], parts.netloc, place, parts.query, "").geturl()


def check_address(address: str) -> None:
    """Raises UsageError unless this is the URL of a server or `endpoint:NAME`."""
    if not address.removeprefix("endpoint:") or not address.startswith("endpoint:"):
        route_url(address, "ws", "")


def is_loopback(url: str) -> bool:
    """The server is on this machine: no proxy leads there."""
    return urlsplit(url).hostname in _LOOPBACK
