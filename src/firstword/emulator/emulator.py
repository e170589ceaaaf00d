"""The emulator whole: its listeners, the services behind them, and the environment that points AWS tools at it."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from firstword.config import EmulatorSettings
from firstword.emulator.agentcore import AgentRuntime
from firstword.emulator.bedrock.service import BedrockRuntime
from firstword.emulator.certificate import Certificate, make_certificate
from firstword.emulator.faults import FaultPlan
from firstword.emulator.http.exchange import Exchange, Serve
from firstword.emulator.http.http1 import Http1Connection
from firstword.emulator.http.http2 import Http2Connection
from firstword.emulator.listeners import listen, refusing_tls
from firstword.emulator.router import Router, Service
from firstword.emulator.sagemaker.bidirectional import serve_bidirectional
from firstword.emulator.sagemaker.endpoints import Endpoints
from firstword.emulator.sagemaker.invocations import Invocations
from firstword.emulator.upstream import open_client
from firstword.errors import UsageError

__all__ = ["Behind", "Emulator", "run_emulator"]


@dataclass(frozen=True, kw_only=True)
class Behind:
    """What stands behind the emulator: containers by endpoint name, an OpenAI-compatible server, an agent."""

    endpoints: Mapping[str, str]
    bedrock_url: str | None = None
    agent_url: str | None = None


@dataclass(frozen=True, kw_only=True)
class Emulator:
    """A running emulator. `exports` is the environment for its callers; `faults` may be added to at any time."""

    http_url: str
    h2_url: str
    exports: Mapping[str, str]
    faults: FaultPlan


@contextlib.asynccontextmanager
async def run_emulator(
    settings: EmulatorSettings, behind: Behind, faults: FaultPlan | None = None
) -> AsyncIterator[Emulator]:
    """An emulator that serves while the context lasts. Raises UsageError for settings that cannot be."""
    if settings.h2 not in ("tls", "h2c"):
        raise UsageError(f"--h2 is {settings.h2!r}.", hint="It is tls or h2c.")
    plan = faults or FaultPlan()
    async with contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(open_client())
        router = Router(_services(client, settings, behind), settings, plan)
        serve = await stack.enter_async_context(_calls(router))
        certificate = _certificate(stack, settings)
        tls = refusing_tls(certificate.server_context(), plan) if certificate else None
        http_port = await stack.enter_async_context(
            listen(lambda: Http1Connection(serve), settings.host, settings.http_port, rtt_ms=settings.rtt_ms)
        )
        h2_port = await stack.enter_async_context(
            listen(lambda: Http2Connection(serve), settings.host, settings.h2_port, rtt_ms=settings.rtt_ms, tls=tls)
        )
        http_url = f"http://{settings.host}:{http_port}"
        h2_url = f"{'https' if tls else 'http'}://{settings.host}:{h2_port}"
        yield Emulator(
            http_url=http_url, h2_url=h2_url, exports=_exports(settings, http_url, h2_url, certificate), faults=plan
        )


def _services(client: httpx.AsyncClient, settings: EmulatorSettings, behind: Behind) -> Mapping[str, Service]:
    endpoints = Endpoints(behind.endpoints, settings.region)
    invocations = Invocations(client=client, endpoints=endpoints, settings=settings)
    services: dict[str, Service] = {
        "invoke": lambda call: invocations.invoke(call.exchange, call.resource, call.body),
        "response-stream": lambda call: invocations.stream(call.exchange, call.resource, call.body),
        "bidirectional": lambda call: serve_bidirectional(
            call.exchange, call.resource, endpoints, settings, call.verifier
        ),
    }
    if behind.bedrock_url is not None:
        bedrock = BedrockRuntime(client=client, url=behind.bedrock_url, settings=settings)
        services["converse"] = lambda call: bedrock.converse(call.exchange, call.resource, call.body)
        services["converse-stream"] = lambda call: bedrock.stream(call.exchange, call.resource, call.body)
    if behind.agent_url is not None:
        agent = AgentRuntime(client=client, url=behind.agent_url, settings=settings)
        services["agent"] = lambda call: agent.invoke(call.exchange, call.body)
    return services


@contextlib.asynccontextmanager
async def _calls(router: Router) -> AsyncIterator[Serve]:
    """Serves each exchange in a task of its own, and ends them all when the context ends.

    Not a TaskGroup: that would wrap whatever the body of `run_emulator` raises, and a call never raises.
    """
    running: set[asyncio.Task[None]] = set()

    def serve(exchange: Exchange) -> None:
        task = asyncio.get_running_loop().create_task(router.serve(exchange))
        running.add(task)
        task.add_done_callback(running.discard)

    try:
        yield serve
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _certificate(stack: contextlib.AsyncExitStack, settings: EmulatorSettings) -> Certificate | None:
    if settings.h2 == "h2c":
        return None
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="firstword-emulator-"))
    return make_certificate(Path(folder), {settings.host, "127.0.0.1", "localhost", "::1"})


def _exports(
    settings: EmulatorSettings, http_url: str, h2_url: str, certificate: Certificate | None
) -> Mapping[str, str]:
    exports = {
        "AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME": http_url,
        "AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME_HTTP2": h2_url,
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": http_url,
        "AWS_ENDPOINT_URL_BEDROCK_AGENTCORE": http_url,
        "AWS_REGION": settings.region,
        "AWS_DEFAULT_REGION": settings.region,
        "AWS_ACCESS_KEY_ID": settings.access_key_id,
        "AWS_SECRET_ACCESS_KEY": settings.secret_access_key,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    if certificate is not None:
        exports["SSL_CERT_FILE"] = str(certificate.bundle)
    return exports
