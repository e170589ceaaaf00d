"""Faults on demand: which there are, how they are asked for, and how a call suffers one.

`NAME[:AFTER][*TIMES][@OPERATION]`: AFTER counts the messages that still get through (default 1), TIMES the calls that
suffer it before things work again (default: all), OPERATION one of `operations.OPERATIONS` (default: every one to which
the fault can happen). Services know nothing of this: they write to a `FaultyExchange` as to any other. `router` stands
above.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from firstword.emulator import eventstream
from firstword.emulator.http.exchange import Exchange, Headers, Request
from firstword.emulator.operations import OPERATIONS, Operation
from firstword.errors import ConnectionLost, EmulatedError, UsageError

__all__ = ["FAULTS", "Fault", "FaultPlan", "FaultyExchange", "parse_plan", "refuse"]

# Before the answer begins: status, error type, message.
_REFUSALS = {
    "throttle": (429, "ThrottlingException", "Too many requests, please wait before trying again."),
    "access-denied": (403, "AccessDeniedException", "The caller is not authorized to perform this operation."),
    "expired-token": (403, "ExpiredTokenException", "The security token included in the request is expired"),
    "unavailable": (503, "ServiceUnavailable", "The service is unavailable."),
}

FAULTS = {
    "throttle": "429 ThrottlingException",
    "access-denied": "403 AccessDeniedException",
    "expired-token": "403 ExpiredTokenException",
    "unavailable": "503, the service's own error type",
    "no-answer": "nothing comes, not even a status, until the caller leaves",
    "reset-before-headers": "RST_STREAM (HTTP/1.1: TCP reset) instead of a status",
    "drop-before-headers": "TCP reset of the whole connection instead of a status",
    "reset-mid-stream": "RST_STREAM (HTTP/1.1: TCP reset) after AFTER messages",
    "drop-mid-stream": "TCP reset of the whole connection after AFTER messages",
    "end-early": "a clean end of the stream after AFTER messages",
    "truncate": "the message after AFTER is cut in half, then a clean end",
    "corrupt": "one byte of the message after AFTER is wrong",
    "stall": "silence after AFTER messages, until the caller leaves",
    "stream-error": "the model's in-stream error after AFTER messages",
    "stream-throttle": "the in-stream throttlingException after AFTER messages (Bedrock)",
    "stream-failure": "the platform's in-stream error after AFTER messages",
    "refuse-tls": "the TLS handshake is refused",
}
_IN_STREAM = {"stream-error", "stream-throttle", "stream-failure"}
_SPEC = re.compile(r"(?P<name>[a-z-]+)(:(?P<after>\d+))?(\*(?P<times>\d+))?(@(?P<operation>[a-z-]+))?")


@dataclass(kw_only=True)
class Fault:
    """One fault and how often it will still happen (`left`; None: always)."""

    name: str
    after: int = 1
    left: int | None = None
    operation: str | None = None

    @classmethod
    def parse(cls, spec: str) -> "Fault":
        """Raises UsageError that names what there is."""
        found = _SPEC.fullmatch(spec)
        if found is None or found["name"] not in FAULTS:
            raise UsageError(
                f"There is no fault {spec!r}.", hint=f"NAME[:AFTER][*TIMES][@OPERATION]: {', '.join(FAULTS)}."
            )
        if found["operation"] is not None and found["operation"] not in OPERATIONS:
            raise UsageError(f"There is no operation {found['operation']!r}.", hint=f"One of {', '.join(OPERATIONS)}.")
        return cls(
            name=found["name"],
            after=int(found["after"] or 1),
            left=None if found["times"] is None else int(found["times"]),
            operation=found["operation"],
        )

    def hits(self, operation: Operation | None) -> bool:
        """Whether the next call of `operation` (None: a TLS handshake) suffers it."""
        if self.left == 0 or (operation is None) != (self.name == "refuse-tls"):
            return False
        if operation is None:
            return True
        if self.name in _IN_STREAM and self.name not in operation.in_stream:
            return False
        return self.operation in (None, operation.name)


@dataclass(kw_only=True)
class FaultPlan:
    """The faults in force; `add` at any time."""

    faults: list[Fault] = field(default_factory=list)

    def add(self, spec: str) -> None:
        self.faults.append(Fault.parse(spec))

    def take(self, operation: Operation | None) -> Fault | None:
        """The fault that a call must suffer now, counted; the first that applies."""
        for fault in self.faults:
            if fault.hits(operation):
                if fault.left is not None:
                    fault.left -= 1
                return fault
        return None


async def refuse(fault: Fault, operation: Operation, exchange: Exchange) -> bool:
    """Let the call suffer `fault` if that comes before its answer; whether it did.

    Raises EmulatedError where AWS would answer with an error.
    """
    match fault.name:
        case "no-answer":
            await exchange.gone()
        case "reset-before-headers":
            exchange.reset()
        case "drop-before-headers":
            exchange.drop()
        case name if name in _REFUSALS:
            status, code, message = _REFUSALS[name]
            raise EmulatedError(message, code=operation.unavailable if status == 503 else code, status=status)
        case _:
            return False
    return True


class FaultyExchange:
    """An Exchange whose answer breaks after `fault.after` messages."""

    def __init__(self, exchange: Exchange, fault: Fault, operation: Operation) -> None:
        self._inner = exchange
        self._fault = fault
        self._operation = operation
        self._sent = 0

    @property
    def request(self) -> Request:
        return self._inner.request

    @property
    def duplex(self) -> bool:
        return self._inner.duplex

    @property
    def started(self) -> bool:
        return self._inner.started

    async def receive(self) -> bytes:
        return await self._inner.receive()

    async def start(self, status: int, headers: Headers) -> None:
        await self._inner.start(status, headers)
        if self._fault.after == 0:
            await self._break(b"")

    async def send(self, data: bytes) -> None:
        if self._sent >= self._fault.after:
            await self._break(data)
        self._sent += 1
        await self._inner.send(data)

    async def _break(self, data: bytes) -> None:
        match self._fault.name:
            case "reset-mid-stream":
                self._inner.reset()
            case "drop-mid-stream":
                self._inner.drop()
            case "end-early":
                await self._inner.finish()
            case "truncate":
                await self._inner.send(data[: len(data) // 2])
                await self._inner.finish()
            case "corrupt":
                await self._inner.send(data[:-5] + bytes(((data[-5] if data else 0) ^ 0xFF,)) + data[-4:])
                await self._inner.finish()
            case "stall":
                await self._inner.gone()
            case name:
                kind, members = self._operation.in_stream[name]
                await self._inner.send(eventstream.encode(eventstream.exception(kind, members)))
                await self._inner.finish()
        raise ConnectionLost(f"The fault {self._fault.name} was asked for.")

    async def finish(self) -> None:
        await self._inner.finish()

    def reset(self) -> None:
        self._inner.reset()

    def drop(self) -> None:
        self._inner.drop()

    async def gone(self) -> None:
        await self._inner.gone()


def parse_plan(specs: Sequence[str]) -> FaultPlan:
    """A plan of the faults in `specs`. Raises UsageError."""
    return FaultPlan(faults=[Fault.parse(spec) for spec in specs])
