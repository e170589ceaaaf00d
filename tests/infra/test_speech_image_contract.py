"""The protocol's contract against the booted image: over WebSocket, and as SageMaker carries it."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import httpx
import pytest

from contract.test_session_contract import *  # noqa: F403  # the suite, run on the peers below
from contract.wire import SessionWire, SpeechPeer, UrlPeer
from fakes.containers import Image, run_container
from fakes.patient import patient
from firstword.client.part import Options
from firstword.client.sagemaker.transport import SageMakerTransport, dial_endpoint
from firstword.config import ClientSettings
from firstword.emulator.emulator import Behind, run_emulator
from firstword.errors import TransportError

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timeout(900)]


class EndpointPeer:
    """The container as an endpoint of the emulator; its HTTP side is the container's own."""

    def __init__(self, url: str) -> None:
        self._direct = UrlPeer(url)

    def http(self) -> AbstractAsyncContextManager[httpx.AsyncClient]:
        return self._direct.http()

    @asynccontextmanager
    async def session(self) -> AsyncIterator[SessionWire]:
        transport = await dial_endpoint("voice", Options(), ClientSettings(), region="us-east-1")
        try:
            yield _EndpointWire(transport)
        finally:
            await transport.aclose()


class _EndpointWire:
    def __init__(self, transport: SageMakerTransport) -> None:
        self._transport = transport

    async def send(self, frame: str | bytes) -> None:
        await self._transport.send(frame)

    async def receive(self) -> str | bytes | None:
        try:
            return await self._transport.receive()
        except TransportError:
            return None


@pytest.fixture(scope="module", params=["websocket", "endpoint"])
async def speech(anyio_backend: str, request: pytest.FixtureRequest, speech_image: Image) -> AsyncIterator[SpeechPeer]:
    with (
        run_container(speech_image, variables={"FIRSTWORD_VOICE_ENGINE": "tone"}) as container,
        pytest.MonkeyPatch.context() as monkeypatch,
    ):
        if request.param == "websocket":
            yield UrlPeer(container.url)
            return
        async with run_emulator(patient(h2="h2c"), Behind(endpoints={"voice": container.url})) as emulator:
            for name in ("AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME_HTTP2", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
                monkeypatch.setenv(name, emulator.exports[name])
            yield EndpointPeer(container.url)
