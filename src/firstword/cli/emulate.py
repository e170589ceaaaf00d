"""`firstword emulate`: AWS on a laptop, until interrupted."""

import asyncio
import shlex
import signal
from typing import Annotated

import typer

from firstword.config import EmulatorSettings
from firstword.emulator.emulator import Behind, run_emulator
from firstword.emulator.faults import parse_plan
from firstword.errors import UsageError

__all__ = ["emulate"]


def emulate(
    endpoint: Annotated[list[str] | None, typer.Option(metavar="NAME=URL", help="A container; repeatable.")] = None,
    http_port: Annotated[int | None, typer.Option(help="Port of the HTTP/1.1 listener; 0 picks one.")] = None,
    h2_port: Annotated[int | None, typer.Option(help="Port of the HTTP/2 listener; 0 picks one.")] = None,
    h2: Annotated[str | None, typer.Option(help="tls | h2c")] = None,
    bedrock: Annotated[str | None, typer.Option(metavar="URL", help="An OpenAI-compatible server.")] = None,
    agent: Annotated[str | None, typer.Option(metavar="URL", help="An agent, as AgentCore runs it.")] = None,
    region: Annotated[str | None, typer.Option(help="The region to claim.")] = None,
    rtt_ms: Annotated[float | None, typer.Option(help="Network delay added, there and back.")] = None,
    chunk_seed: Annotated[int | None, typer.Option(help="Where response streams are cut.")] = None,
    fault: Annotated[
        list[str] | None, typer.Option(metavar="NAME[:AFTER][*TIMES][@OPERATION]", help="A fault; repeatable.")
    ] = None,
    verify_signatures: Annotated[bool | None, typer.Option(help="Check SigV4 signatures.")] = None,
    session_limit_s: Annotated[float | None, typer.Option(help="Longest bidirectional session.")] = None,
    invoke_timeout_s: Annotated[float | None, typer.Option(help="Longest InvokeEndpoint.")] = None,
    stream_timeout_s: Annotated[float | None, typer.Option(help="Longest response stream.")] = None,
    max_body_bytes: Annotated[int | None, typer.Option(help="Longest request body.")] = None,
    ping_interval_s: Annotated[float | None, typer.Option(help="How often a container is pinged.")] = None,
    ping_misses: Annotated[int | None, typer.Option(help="Unanswered pings that end a session.")] = None,
    ignore_data_type: Annotated[
        bool | None, typer.Option(help="Hand every part to the container as a binary frame.")
    ] = None,
    close_on_input_end: Annotated[
        bool | None, typer.Option(help="Close the container's WebSocket when the caller ends its input.")
    ] = None,
) -> None:
    """Stand in for SageMaker Runtime, Bedrock and AgentCore: `eval` what this prints, and AWS SDKs talk to it."""
    settings = EmulatorSettings.load(
        http_port=http_port,
        h2_port=h2_port,
        h2=h2,
        region=region,
        rtt_ms=rtt_ms,
        chunk_seed=chunk_seed,
        verify_signatures=verify_signatures,
        session_limit_s=session_limit_s,
        invoke_timeout_s=invoke_timeout_s,
        stream_timeout_s=stream_timeout_s,
        max_body_bytes=max_body_bytes,
        ping_interval_s=ping_interval_s,
        ping_misses=ping_misses,
        ignore_data_type=ignore_data_type,
        close_on_input_end=close_on_input_end,
    )
    behind = Behind(endpoints=dict(map(_pair, endpoint or [])), bedrock_url=bedrock, agent_url=agent)
    asyncio.run(_until_stopped(settings, behind, fault or []))


def _pair(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if not name or not url.startswith(("http://", "https://")):
        raise UsageError(f"--endpoint is {text!r}.", hint="Give NAME=URL, for example speech=http://127.0.0.1:8080.")
    return name, url


async def _until_stopped(settings: EmulatorSettings, behind: Behind, faults: list[str]) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with run_emulator(settings, behind, parse_plan(faults)) as emulator:
        for name, value in emulator.exports.items():
            print(f"export {name}={shlex.quote(value)}")
        print("ready", flush=True)
        await stopped.wait()
