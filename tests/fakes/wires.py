"""Every transport of the client, each with a peer at its other end that a test writes as one coroutine.

`wire(name, handler, settings)` gives what the client dials. The SageMaker kinds go through the emulator, and so through
the real SDK: over our own HTTP/2 in plain text and in TLS, and over the SDK's CRT in TLS.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace

import pytest
from websockets.asyncio.server import ServerConnection, serve

from fakes.patient import patient
from fakes.speech_peer import PeerEnd
from firstword.client.part import Options
from firstword.client.sagemaker.transport import endpoint_dial
from firstword.client.transport import Dial, MemoryTransport, Transport
from firstword.client.websocket import WebSocketTransport, dial_websocket
from firstword.config import ClientSettings
from firstword.emulator.emulator import Behind, run_emulator
from firstword.emulator.faults import FaultPlan

SAGEMAKER = ("sagemaker over h2c", "sagemaker over TLS", "sagemaker over CRT")
WIRES = ("memory", "websocket", *SAGEMAKER)
SETTINGS = ClientSettings(
    connect_timeout_s=5.0,
    receive_timeout_s=5.0,
    send_timeout_s=5.0,
    close_timeout_s=1.0,
    cancel_timeout_s=1.0,
    reconnect_delay_s=0.0,
)

type Handler = Callable[[PeerEnd], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Wire:
    """`faults` is what the emulator makes go wrong, where there is one."""

    dial: Dial
    faults: FaultPlan
    settings: ClientSettings


class SocketEnd(WebSocketTransport):
    """A server's end of a WebSocket."""

    async def drained(self) -> None:
        await self._socket.ping()

    def lose(self) -> None:
        self._socket.transport.abort()


@contextlib.asynccontextmanager
async def wire(
    name: str, handler: Handler, monkeypatch: pytest.MonkeyPatch, settings: ClientSettings = SETTINGS
) -> AsyncIterator[Wire]:
    if name == "memory":
        async with _memory(handler, settings) as ready:
            yield ready
        return
    async with container(handler) as url:
        if name == "websocket":
            yield Wire(dial=lambda: dial_websocket(url, settings), faults=FaultPlan(), settings=settings)
            return
        http = "crt" if name.endswith("CRT") else "own"
        chosen = replace(settings, sagemaker_http=http)
        emulated = patient(h2="h2c" if name.endswith("h2c") else "tls")
        async with run_emulator(emulated, Behind(endpoints={"voice": url})) as emulator:
            for variable, value in emulator.exports.items():
                monkeypatch.setenv(variable, value)
            dial = endpoint_dial("voice", Options(voice="af_heart", speed=1.5), chosen)
            yield Wire(dial=dial, faults=emulator.faults, settings=chosen)


@contextlib.asynccontextmanager
async def container(handler: Handler) -> AsyncIterator[str]:
    """A WebSocket server; its URL."""

    async def accept(socket: ServerConnection) -> None:
        await handler(SocketEnd(socket, SETTINGS))

    async with serve(accept, "127.0.0.1", 0, compression=None, close_timeout=1.0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"http://127.0.0.1:{port}"


@contextlib.asynccontextmanager
async def _memory(handler: Handler, settings: ClientSettings) -> AsyncIterator[Wire]:
    tasks: list[asyncio.Task[None]] = []

    async def dial() -> Transport:
        ours, theirs = MemoryTransport.pair()

        async def run() -> None:
            await handler(theirs)
            await theirs.aclose()

        tasks.append(asyncio.create_task(run()))
        return ours

    try:
        yield Wire(dial=dial, faults=FaultPlan(), settings=settings)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
