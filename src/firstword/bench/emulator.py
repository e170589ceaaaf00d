"""What the emulator adds to a WebSocket: time per frame, time to open a stream, and whether it holds out.

The container is an echo in a process of its own, as is the emulator; the caller is the AWS SDK over its native
transport (TLS) and over ours. A direct WebSocket to the same echo is measured in the same rounds.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from aws_sdk_sagemaker_runtime_http2.client import AsyncSageMakerRuntimeHTTP2Client
from aws_sdk_sagemaker_runtime_http2.config import AsyncSageMakerRuntimeHTTP2Config
from aws_sdk_sagemaker_runtime_http2.models import (
    InvokeEndpointWithBidirectionalStreamInput,
    RequestPayloadPart,
    RequestStreamEventPayloadPart,
)
from websockets.asyncio.client import connect

from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, summarize
from firstword.client.sagemaker.crt import CrtTransport
from firstword.client.sagemaker.duplex import DuplexTransport
from firstword.stack.launcher import Emulator, Stack
from firstword.stack.process import Ready

__all__ = ["EmulatorCost", "Route", "Soak", "run", "soak"]

_WAIT_S = 10.0
_ENDPOINT = "echo"
_FRAME = bytes(300)
_SOAK_FRAME_BYTES = 960
_SOAK_PERIOD_S = 0.02
# TLS mode of the emulator and the caller's transport.
_ROUTES = {"tls, native transport": ("tls", True), "tls, our transport": ("tls", False), "h2c": ("h2c", False)}


@dataclass(frozen=True, kw_only=True)
class Route:
    """`added_p50_ms`: a frame there and back, less the same over the direct WebSocket, medians."""

    route: str
    frame_ms: Summary
    added_p50_ms: float
    warm_open_ms: Summary


@dataclass(frozen=True, kw_only=True)
class EmulatorCost:
    direct_frame_ms: Summary
    routes: tuple[Route, ...]


@dataclass(frozen=True, kw_only=True)
class Soak:
    """Frames there and back on streams of one connection; `wrong` is lost, crossed over or out of order."""

    streams: int
    seconds: float
    frames: int
    wrong: int
    frame_ms_p50: float
    frame_ms_p95: float
    processes_mb: tuple[float, ...]


async def run(trials: int, progress: Callable[[str], None], opens: int = 30) -> EmulatorCost:
    """A frame by every route in each of `trials` rounds, and `opens` streams opened on each warm connection."""
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(_echo())
        direct = await stack.enter_async_context(connect(url.replace("http", "ws"), compression=None))
        callers = {name: await stack.enter_async_context(_caller(url, *how)) for name, how in _ROUTES.items()}
        sessions = {name: await _opened(caller) for name, caller in callers.items()}
        echoes: dict[str, Callable[[], Awaitable[bytes]]] = {"direct": partial(_direct, direct)}
        echoes |= {name: partial(session.echo, _FRAME) for name, session in sessions.items()}
        times: dict[str, list[float]] = {name: [] for name in echoes}
        progress("frames")
        for name, counts in interleaved(list(echoes), trials):
            took = await _timed(echoes[name])
            if counts:
                times[name].append(took)
        frames = {name: summarize(taken) for name, taken in times.items()}
        opened = {}
        for name, caller in callers.items():
            progress(f"opening streams: {name}")
            opened[name] = summarize([await _timed(partial(_opened, caller)) for _ in range(opens)])
        return EmulatorCost(
            direct_frame_ms=frames["direct"],
            routes=tuple(
                Route(
                    route=name,
                    frame_ms=frames[name],
                    added_p50_ms=frames[name].median - frames["direct"].median,
                    warm_open_ms=opened[name],
                )
                for name in _ROUTES
            ),
        )


async def soak(seconds: float, progress: Callable[[str], None], streams: int = 50) -> Soak:
    """Audio-sized frames every 20 ms on every stream, each answered before the next, for `seconds`."""
    async with _echo() as url, _caller(url, "tls", True) as caller:
        sessions = [await _opened(caller) for _ in range(streams)]
        until = time.monotonic() + seconds
        memory = [_children_mb()]
        talks: list[asyncio.Task[tuple[list[float], int]]] = []
        async with asyncio.TaskGroup() as tasks:
            talks = [tasks.create_task(_talk(session, number, until)) for number, session in enumerate(sessions)]
            while time.monotonic() < until:
                await asyncio.sleep(max(1.0, seconds / 10))
                memory.append(_children_mb())
                progress(f"{until - time.monotonic():.0f} s left")
        times = sorted(took for talk in talks for took in talk.result()[0])
        return Soak(
            streams=streams,
            seconds=seconds,
            frames=len(times),
            wrong=sum(talk.result()[1] for talk in talks),
            frame_ms_p50=times[len(times) // 2],
            frame_ms_p95=times[len(times) * 95 // 100],
            processes_mb=tuple(memory),
        )


async def _talk(session: "_Session", number: int, until: float) -> tuple[list[float], int]:
    times, wrong, turn = [], 0, 0
    while time.monotonic() < until:
        began = time.monotonic()
        frame = (number << 32 | turn).to_bytes(8) * (_SOAK_FRAME_BYTES // 8)
        wrong += await session.echo(frame) != frame
        turn += 1
        took = time.monotonic() - began
        times.append(took * 1000)
        await asyncio.sleep(max(0.0, _SOAK_PERIOD_S - took))
    return times, wrong


class _Session:
    """A stream of the SDK, frame by frame."""

    def __init__(self, stream: Any, output: Any) -> None:
        self._stream = stream
        self._output = output

    async def echo(self, frame: bytes) -> bytes:
        part = RequestPayloadPart(bytes_=frame, data_type="BINARY", completion_state="COMPLETE")
        async with asyncio.timeout(_WAIT_S):
            await self._stream.input_stream.send(RequestStreamEventPayloadPart(value=part))
            event = await self._output.receive()
        return bytes(event.value.bytes_ or b"") if event is not None else b""


async def _opened(client: AsyncSageMakerRuntimeHTTP2Client) -> _Session:
    async with asyncio.timeout(_WAIT_S):
        stream = await client.invoke_endpoint_with_bidirectional_stream(
            InvokeEndpointWithBidirectionalStreamInput(endpoint_name=_ENDPOINT)
        )
        _, output = await stream.await_output()
    return _Session(stream, output)


async def _direct(socket: Any) -> bytes:
    await socket.send(_FRAME)
    return bytes(await socket.recv())


async def _timed(action: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await action()
    return (time.perf_counter() - began) * 1000


@contextlib.asynccontextmanager
async def _echo() -> AsyncIterator[str]:
    async with Stack(_EchoPart()) as stack:
        yield stack.ready(_EchoPart().title).url


@dataclass(frozen=True, kw_only=True)
class _EchoPart:
    """The container."""

    title: str = "echo"
    after: Sequence[str] = ()
    environ: Mapping[str, str] = field(default_factory=dict)

    def argv(self, _ready: Mapping[str, Ready], /) -> Sequence[str]:
        return ("firstword.bench.echo",)


@dataclass(frozen=True, kw_only=True)
class _EmulatorPart:
    """The emulator in front of the echo."""

    url: str
    h2: str
    title: str = Emulator().title
    after: Sequence[str] = ()
    environ: Mapping[str, str] = field(default_factory=dict)

    def argv(self, _ready: Mapping[str, Ready], /) -> Sequence[str]:
        return ("firstword.cli", "emulate", "--endpoint", f"{_ENDPOINT}={self.url}", "--h2", self.h2)


@contextlib.asynccontextmanager
async def _caller(url: str, h2: str, native: bool) -> AsyncIterator[AsyncSageMakerRuntimeHTTP2Client]:
    async with Stack(_EmulatorPart(url=url, h2=h2)) as stack, _environment(stack.exports):
        transport = CrtTransport() if native else DuplexTransport(connect_timeout_s=_WAIT_S)
        config = await AsyncSageMakerRuntimeHTTP2Config.resolve(transport=transport)
        async with AsyncSageMakerRuntimeHTTP2Client(config=config) as client:
            try:
                yield client
            finally:
                await transport.close()


@contextlib.asynccontextmanager
async def _environment(exports: Mapping[str, str]) -> AsyncIterator[None]:
    """The exports, where the AWS SDK and TLS look for them, and afterwards what was there before."""
    before = {name: os.environ.get(name) for name in exports}
    os.environ.update(exports)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({} if value is None else {name: value})


def _children_mb() -> float:
    """Resident memory of this process's children (echo and emulator) in MB; 0 where the kernel does not tell."""
    pages = 0
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in children.read_text().split():
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
