"""From a request to its service: routes, faults, signatures, and AWS's way to say no.

Everything the emulator serves passes through `Router.serve`; services below, `emulator` above.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from firstword.config import EmulatorSettings
from firstword.emulator.faults import FaultPlan, FaultyExchange, refuse
from firstword.emulator.http.exchange import Exchange
from firstword.emulator.operations import Operation, find_operation
from firstword.emulator.signatures import EventVerifier, RequestVerifier
from firstword.errors import ConnectionLost, EmulatedError, TransportTimeout

__all__ = ["Call", "Router", "Service"]

_log = logging.getLogger(__name__)
_BODY_S = 60.0


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call of an operation: its path parameter, its whole body (empty for a duplex one), where the answer goes."""

    operation: Operation
    resource: str
    body: bytes
    exchange: Exchange
    verifier: EventVerifier | None = None


type Service = Callable[[Call], Awaitable[None]]


class Router:
    """Serves exchanges with the services it is given, by operation name."""

    def __init__(self, services: Mapping[str, Service], settings: EmulatorSettings, faults: FaultPlan) -> None:
        self._services = services
        self._settings = settings
        self._faults = faults
        self._signatures = RequestVerifier(
            access_key_id=settings.access_key_id, secret_access_key=settings.secret_access_key
        )

    async def serve(self, exchange: Exchange) -> None:
        """Answer one request, whatever happens; the only place that catches everything, and logs it."""
        operation: Operation | None = None
        try:
            operation, resource = self._find(exchange)
            await self._call(operation, resource, exchange)
        except EmulatedError as error:
            _log.info("refused", extra={"type": error.code, "status": error.status})
            await _answer(exchange, error, operation)
        except (ConnectionLost, TransportTimeout) as error:
            _log.debug("caller left", extra={"reason": error.message})
        except Exception:
            _log.exception("a call failed")
            await _answer(exchange, EmulatedError("Internal failure.", code="InternalFailure", status=500), operation)

    def _find(self, exchange: Exchange) -> tuple[Operation, str]:
        found = find_operation(exchange.request.method, exchange.request.path)
        if found is None or found[0].name not in self._services:
            message = "The emulator has no such operation, or was started without what stands behind it."
            raise EmulatedError(message, code="UnknownOperationException", status=404)
        return found

    async def _call(self, operation: Operation, resource: str, exchange: Exchange) -> None:
        fault = self._faults.take(operation)
        if fault is not None:
            if await refuse(fault, operation, exchange):
                return
            exchange = FaultyExchange(exchange, fault, operation)
        streamed = operation.name == "bidirectional"
        body = b"" if streamed else await _read_body(exchange, self._longest_body(operation))
        verifier = None
        if self._settings.verify_signatures:
            verifier = self._signatures.check(exchange.request, body, datetime.now(UTC), operation.signing_name)
        call = Call(operation=operation, resource=resource, body=body, exchange=exchange, verifier=verifier)
        await self._services[operation.name](call)

    def _longest_body(self, operation: Operation) -> int:
        is_agent = operation.name == "agent"
        return self._settings.max_agent_payload_bytes if is_agent else self._settings.max_body_bytes


async def _read_body(exchange: Exchange, longest: int) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_S):
            while data := await exchange.receive():
                body += data
                if len(body) > longest:
                    message = f"The request body is longer than {longest} bytes."
                    raise EmulatedError(message, code="RequestEntityTooLargeException", status=413)
    except TimeoutError as error:
        raise EmulatedError("The body did not arrive.", code="RequestTimeoutException", status=408) from error
    return bytes(body)


async def _answer(exchange: Exchange, error: EmulatedError, operation: Operation | None) -> None:
    if exchange.started:
        exchange.reset()
        return
    key = operation.message_key if operation is not None else "message"
    body = json.dumps({key: error.message, **error.members}).encode()
    headers = [
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("x-amzn-errortype", error.code),
        ("x-amzn-requestid", str(uuid4())),
    ]
    try:
        await exchange.start(error.status, headers)
        await exchange.send(body)
        await exchange.finish()
    except ConnectionLost:
        _log.debug("caller left before its refusal")
