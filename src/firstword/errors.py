"""Every error firstword raises on purpose, as one tree.

    FirstwordError              code, message, hint, retryable
    ├── UsageError              the caller asked for something that cannot be: exit 2
    │   └── ConfigError         a setting is missing or has a value that means nothing
    ├── AssetError              weights or voices: missing, corrupt, unreachable
    │   ├── AssetMissing
    │   ├── AssetCorrupt
    │   └── AssetSourceError    the place they come from did not deliver
    ├── SpeechError             a request the speech side refuses or cannot finish; `code` travels on the wire
    │   ├── RequestRefused      the peer's mistake: bad voice, bad speed, text too long, overloaded
    │   └── EngineFailed        ours: inference raised
    ├── OutputError             a file that was asked for cannot be written
    ├── CodecError              bytes that are not what they claim, or a codec that is missing
    │   └── UnknownFormat       a format, suffix or sample rate that does not exist: exit 2
    ├── TransportError          the way to the peer broke
    │   ├── ConnectFailed       it never stood
    │   ├── ConnectionLost      it ended before the peer said it was done
    │   └── TransportTimeout    nothing came within the deadline
    ├── ProtocolError           the peer spoke, and it was not the protocol
    ├── RemoteError             the peer reported an error of its own; carries its code
    ├── EmulatedError           what the emulator answers in AWS's place: a status and an error type
    ├── AgentError              the model or the agent failed
    ├── StackError              a process of the local stack did not start, or died
    └── InfraError              a deploy step failed
        └── Interrupted         somebody stopped a deploy step; says what stands: exit 130

Knows nothing of the rest of the package; everything may import it. A message says what was wrong and where; `hint`
says what to do. Neither ever holds what a user said, nor a bare exception text.
"""

from collections.abc import Mapping
from typing import ClassVar

__all__ = [
    "AgentError",
    "AssetCorrupt",
    "AssetError",
    "AssetMissing",
    "AssetSourceError",
    "CodecError",
    "ConfigError",
    "ConnectFailed",
    "ConnectionLost",
    "EmulatedError",
    "EngineFailed",
    "FirstwordError",
    "InfraError",
    "Interrupted",
    "OutputError",
    "ProtocolError",
    "RemoteError",
    "RequestRefused",
    "SpeechError",
    "StackError",
    "TransportError",
    "TransportTimeout",
    "UnknownFormat",
    "UsageError",
    "first_cause",
]


class FirstwordError(Exception):
    """Base of the tree.

    `code` is a stable string that programs may match on; `exit_code` is what a command line exits with.
    """

    default_code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, code: str | None = None, hint: str = "", retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.hint = hint
        self.retryable = retryable

    def one_line(self) -> str:
        """The message and its hint on one line, as a command line prints it."""
        text = f"{self.message} {self.hint}" if self.hint else self.message
        return " ".join(text.split())


class UsageError(FirstwordError):
    default_code = "usage"
    exit_code = 2


class ConfigError(UsageError):
    default_code = "bad_config"


class AssetError(FirstwordError):
    default_code = "asset"


class AssetMissing(AssetError):
    default_code = "asset_missing"


class AssetCorrupt(AssetError):
    default_code = "asset_corrupt"


class AssetSourceError(AssetError):
    default_code = "asset_source"


class SpeechError(FirstwordError):
    """`terminal` tells whether the request `request_id` is over (it then gets no other terminal message)."""

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        hint: str = "",
        retryable: bool = False,
        terminal: bool = True,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint, retryable=retryable)
        self.terminal = terminal
        self.request_id = request_id


class RequestRefused(SpeechError):
    default_code = "bad_message"


class EngineFailed(SpeechError):
    default_code = "engine_failed"


class CodecError(FirstwordError):
    default_code = "codec"


class OutputError(FirstwordError):
    default_code = "output"


class UnknownFormat(CodecError):
    default_code = "bad_format"
    exit_code = 2


class TransportError(FirstwordError):
    default_code = "transport"


class ConnectFailed(TransportError):
    default_code = "connect_failed"


class ConnectionLost(TransportError):
    default_code = "connection_lost"


class TransportTimeout(TransportError):
    default_code = "timeout"


class ProtocolError(FirstwordError):
    default_code = "protocol"


class RemoteError(FirstwordError):
    default_code = "remote"


class EmulatedError(FirstwordError):
    """`code` is AWS's error type, `status` the HTTP status, `members` what the error carries beside its message."""

    def __init__(
        self, message: str, *, code: str, status: int, members: Mapping[str, object] | None = None, hint: str = ""
    ) -> None:
        super().__init__(message, code=code, hint=hint)
        self.status = status
        self.members = dict(members or {})


class AgentError(FirstwordError):
    default_code = "agent"


class StackError(FirstwordError):
    default_code = "stack"


class InfraError(FirstwordError):
    default_code = "infra"


class Interrupted(InfraError):
    """Stopped by hand. The message says what stands now, the hint how to go on."""

    default_code = "interrupted"
    exit_code = 130


def first_cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The exception that a task group's failure is about: the first of ours in it, else the first of all.

    For callers of a task group who are owed one error, not a group: `raise first_cause(group) from None`.
    """
    leaves = _leaves(group)
    return next((leaf for leaf in leaves if isinstance(leaf, FirstwordError)), leaves[0])


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    found: list[BaseException] = []
    for member in group.exceptions:
        found += _leaves(member) if isinstance(member, BaseExceptionGroup) else [member]
    return found
