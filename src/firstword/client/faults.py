"""What the peer or the network reported, as the error a caller gets; known causes are named.

The frame-type fault: SageMaker delivers a client's JSON as a binary frame unless it is labelled UTF8, and a container
that reads text frames only answers every request with an error that reads `'text'` (the key it missed) while the
endpoint looks healthy. Knows no transport. Above it: `session` and the readers of other routes.
"""

import os
import socket
from typing import Final

from firstword.errors import ConnectionLost, FirstwordError, RemoteError
from firstword.protocol.messages import Error

__all__ = ["FRAME_TYPE_FAULT", "reason_of", "remote_error", "session_failure"]

FRAME_TYPE_FAULT: Final = "frame_type_fault"


def remote_error(error: Error) -> RemoteError:
    """The error to raise for what the peer reported."""
    if error.message.strip().strip("\"'") == "text":
        return RemoteError(
            "The container answers every request with the error 'text': it reads text frames only, and was sent a "
            "binary one.",
            code=FRAME_TYPE_FAULT,
            hint="Its handler must accept JSON in binary frames, or the client must label control frames UTF8; "
            "the endpoint looks healthy meanwhile.",
        )
    return RemoteError(f"The speech server reports: {error.message}", code=error.code, retryable=error.retryable)


def session_failure(error: Error) -> FirstwordError:
    """The error that ends a session: one that a new session may not meet is like a lost connection."""
    if not error.retryable:
        return remote_error(error)
    return ConnectionLost(f"The speech server reports: {error.message}", code=error.code, retryable=True)


def reason_of(error: OSError) -> str:
    """Why the network failed, in the system's words and without addresses."""
    if isinstance(error, socket.gaierror):
        return error.strerror or "the name is not known"
    return os.strerror(error.errno) if error.errno else type(error).__name__
