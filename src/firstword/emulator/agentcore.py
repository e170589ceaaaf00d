"""AgentCore's InvokeAgentRuntime in front of one local agent: POST to its `/invocations`, the answer as it comes.

Every runtime ARN leads to the same agent. As on AgentCore, the agent never learns that a caller left: its answer is
read to the end, for nobody.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from firstword.config import EmulatorSettings
from firstword.emulator.http.exchange import Exchange, Request
from firstword.emulator.upstream import pieces
from firstword.errors import ConnectionLost, EmulatedError, RemoteError, TransportTimeout

__all__ = ["AgentRuntime"]

_log = logging.getLogger(__name__)
_SESSION = "x-amzn-bedrock-agentcore-runtime-session-id"
_CUSTOM = "x-amzn-bedrock-agentcore-runtime-custom-"
_PASSED_ON = (
    "content-type",
    "accept",
    "x-amzn-bedrock-agentcore-runtime-user-id",
    "mcp-session-id",
    "mcp-protocol-version",
    "traceparent",
    "tracestate",
    "baggage",
)


@dataclass(frozen=True, kw_only=True)
class AgentRuntime:
    """The one runtime there is."""

    client: httpx.AsyncClient
    url: str
    settings: EmulatorSettings

    async def invoke(self, exchange: Exchange, body: bytes) -> None:
        """Raises EmulatedError for what AWS answers with an error."""
        session = exchange.request.header(_SESSION) or str(uuid4())
        if not 33 <= len(session) <= 256:
            message = f"runtimeSessionId must be 33 to 256 characters long; it has {len(session)}."
            raise EmulatedError(message, code="ValidationException", status=400)
        url = f"{self.url.rstrip('/')}/invocations"
        headers = _agent_headers(exchange.request) | {_SESSION: session}
        try:
            async with (
                asyncio.timeout(self.settings.agent_timeout_s),
                self.client.stream("POST", url, content=body, headers=headers) as answer,
            ):
                await _relay(exchange, answer, session)
        except (TimeoutError, httpx.HTTPError, RemoteError) as error:
            if not exchange.started:
                raise _failed("The runtime did not answer.") from error
            _log.warning("agent's answer broke off", extra={"reason": type(error).__name__})
            exchange.reset()


async def _relay(exchange: Exchange, answer: httpx.Response, session: str) -> None:
    if answer.is_error:
        await answer.aread()
        raise _failed(
            f"Received error ({answer.status_code}) from runtime. Please check its logs for more information."
        )
    headers = [("content-type", answer.headers.get("content-type", "application/json")), (_SESSION, session)]
    heard = await _told(exchange.start(answer.status_code, headers))
    async with contextlib.aclosing(pieces(answer)) as arriving:
        async for piece in arriving:
            heard = heard and await _told(exchange.send(piece))
    if heard:
        await exchange.finish()


async def _told(telling: Coroutine[Any, Any, None]) -> bool:
    """Whether the caller was still there."""
    try:
        await telling
    except (ConnectionLost, TransportTimeout):
        _log.info("agent's caller left; the agent is not told")
        return False
    return True


def _agent_headers(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.headers if name in _PASSED_ON or name.startswith(_CUSTOM)}


def _failed(message: str) -> EmulatedError:
    return EmulatedError(message, code="RuntimeClientError", status=424)
