"""A caller of SageMaker's bidirectional stream: the real SDK, over the transport that a URL asks for.

`https` takes the SDK's own native transport (CRT), `http` ours. Every wait is bounded.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from aws_sdk_sagemaker_runtime_http2.client import AsyncSageMakerRuntimeHTTP2Client
from aws_sdk_sagemaker_runtime_http2.config import AsyncSageMakerRuntimeHTTP2Config
from aws_sdk_sagemaker_runtime_http2.models import (
    InvokeEndpointWithBidirectionalStreamInput,
    RequestPayloadPart,
    RequestStreamEventPayloadPart,
)
from smithy_http.aio.crt import AWSCRTHTTPClient

from firstword.client.sagemaker.duplex import DuplexTransport

WAIT_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Part:
    """A response part, as the SDK gives it."""

    data: bytes
    kind: str
    state: str


class Session:
    """One open stream."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.output: Any = None
        self._events: Any = None

    async def opened(self, wait_s: float = WAIT_S) -> "Session":
        self.output, self._events = await asyncio.wait_for(self.stream.await_output(), wait_s)
        return self

    async def send(self, data: bytes, kind: str | None = None, state: str | None = None) -> None:
        part = RequestPayloadPart(bytes_=data, data_type=kind, completion_state=state)
        await asyncio.wait_for(self.stream.input_stream.send(RequestStreamEventPayloadPart(value=part)), WAIT_S)

    async def receive(self, wait_s: float = WAIT_S) -> Part | None:
        """The next part; None at the end of the stream."""
        event = await asyncio.wait_for(self._events.receive(), wait_s)
        if event is None:
            return None
        value = event.value
        return Part(data=value.bytes_ or b"", kind=value.data_type or "", state=value.completion_state or "")

    async def end_input(self) -> None:
        await asyncio.wait_for(self.stream.input_stream.close(), WAIT_S)


class Caller:
    """One SDK client, which keeps one connection."""

    def __init__(self, client: AsyncSageMakerRuntimeHTTP2Client, transport: Any) -> None:
        self._client = client
        self._transport = transport

    async def start(self, endpoint: str = "echo", **options: str) -> Session:
        """A stream whose answer has not been waited for."""
        request = InvokeEndpointWithBidirectionalStreamInput(endpoint_name=endpoint, **options)
        return Session(await self._client.invoke_endpoint_with_bidirectional_stream(request))

    async def hang_up(self) -> None:
        """End the connection, with all that is on it."""
        await self._transport.close()

    async def open(self, endpoint: str = "echo", **options: str) -> Session:
        return await (await self.start(endpoint, **options)).opened()


@contextlib.asynccontextmanager
async def sagemaker_caller(
    url: str, key_id: str = "AKIAFIRSTWORDLOCAL01", key: str = "local-only"
) -> AsyncIterator[Caller]:
    """The SDK's client for the endpoint `url`. For `https`, SSL_CERT_FILE must name the bundle."""
    transport: Any = AWSCRTHTTPClient() if url.startswith("https") else DuplexTransport(connect_timeout_s=WAIT_S)
    config = await AsyncSageMakerRuntimeHTTP2Config.resolve(
        region="us-east-1",
        endpoint_uri=url,
        transport=transport,
        aws_access_key_id=key_id,
        aws_secret_access_key=key,
    )
    async with AsyncSageMakerRuntimeHTTP2Client(config=config) as client:
        try:
            yield Caller(client, transport)
        finally:
            await transport.close()
