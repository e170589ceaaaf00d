"""What the servers do to a TCP socket that asyncio has no word for."""

import asyncio
import contextlib
import socket
import struct

__all__ = ["abort", "quick_ack"]

_QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)


def quick_ack(transport: asyncio.BaseTransport) -> None:
    """Acknowledge at once what was just read.

    The SDK's native HTTP client leaves Nagle's algorithm on, and with a delayed acknowledgement each stream would open
    about 40 ms late. Linux forgets the option, so it is set after every read; elsewhere this does nothing.
    """
    raw = transport.get_extra_info("socket")
    if _QUICK_ACK is not None and raw is not None:
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)


def abort(transport: asyncio.Transport) -> None:
    """Close with a TCP reset, losing what was not sent."""
    raw = transport.get_extra_info("socket")
    if raw is not None:
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
