"""The seam over SageMaker's InvokeEndpointWithBidirectionalStream.

One payload part is one frame: control goes out labelled UTF8, so that a container gets it as a text frame; what comes
back is text or audio by its label, fragments joined. Deadlines on every wait, because the SDK hangs on some lost
streams. Below it the AWS SDK over CRT (https) or over `duplex` (plain http, or by setting). Above it: `connection`.
"""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Final
from urllib.parse import quote

from aws_sdk_sagemaker_runtime_http2.client import AsyncSageMakerRuntimeHTTP2Client
from aws_sdk_sagemaker_runtime_http2.config import AsyncSageMakerRuntimeHTTP2Config
from aws_sdk_sagemaker_runtime_http2.models import (
    InvokeEndpointWithBidirectionalStreamInput,
    RequestPayloadPart,
    RequestStreamEvent,
    RequestStreamEventPayloadPart,
    ResponsePayloadPart,
    ResponseStreamEvent,
    ResponseStreamEventPayloadPart,
)
from smithy_core.aio.interfaces.eventstream import EventPublisher, EventReceiver
from smithy_core.exceptions import SmithyError

from firstword.client.part import Options
from firstword.client.sagemaker.crt import CrtTransport
from firstword.client.sagemaker.duplex import DuplexTransport
from firstword.client.sagemaker.failures import connect_failure, stream_failure
from firstword.client.sagemaker.identity import BotoIdentity, boto_session, find_region
from firstword.client.transport import Dial, Frame, Transport
from firstword.config import ClientSettings, aws_endpoint_url
from firstword.errors import ConnectFailed, ConnectionLost, ProtocolError, TransportTimeout

__all__ = ["SageMakerTransport", "dial_endpoint", "endpoint_dial"]

_MAX_FRAME_BYTES: Final = 16 * 1024 * 1024
_SERVICE: Final = "SAGEMAKER_RUNTIME_HTTP2"


def endpoint_dial(endpoint: str, options: Options, settings: ClientSettings, *, region: str | None = None) -> Dial:
    """What opens a stream to the endpoint of that name."""

    async def dial() -> Transport:
        return await dial_endpoint(endpoint, options, settings, region=region)

    return dial


async def dial_endpoint(
    endpoint: str, options: Options, settings: ClientSettings, *, region: str | None = None
) -> "SageMakerTransport":
    """Open a stream. Raises ConfigError (credentials, region) or ConnectFailed, within the connect deadline."""
    session = boto_session(region)
    place = find_region(session)
    url = aws_endpoint_url(_SERVICE) or f"https://runtime.sagemaker.{place}.amazonaws.com:8443"
    http = _http(url, settings)
    config = await AsyncSageMakerRuntimeHTTP2Config.resolve(
        region=place,
        endpoint_uri=url,
        transport=http,
        aws_credentials_identity_resolver=await BotoIdentity.find(session),
    )
    client = AsyncSageMakerRuntimeHTTP2Client(config=config)
    asked = InvokeEndpointWithBidirectionalStreamInput(endpoint_name=endpoint, model_query_string=_query(options))
    try:
        async with asyncio.timeout(settings.connect_timeout_s):
            stream = await client.invoke_endpoint_with_bidirectional_stream(asked)
            _, output = await stream.await_output()
    except BaseException as error:
        await _within(http.close(), settings.close_timeout_s)
        if isinstance(error, TimeoutError):
            message = f"The SageMaker endpoint {endpoint} did not answer within {settings.connect_timeout_s:g} s."
            raise ConnectFailed(message, hint="Is it InService, in this region?", retryable=True) from error
        if isinstance(error, SmithyError | OSError):
            raise connect_failure(error, endpoint) from error
        raise
    return SageMakerTransport(http, stream.input_stream, output, settings)


def _http(url: str, settings: ClientSettings) -> DuplexTransport | CrtTransport:
    if url.startswith("http://") or settings.sagemaker_http == "own":
        return DuplexTransport(connect_timeout_s=settings.connect_timeout_s)
    return CrtTransport()


def _query(options: Options) -> str | None:
    """The session's defaults, for a container that wants them before the first message."""
    speed = None if options.speed is None else f"{options.speed:g}"
    fields = {"voice": options.voice, "speed": speed, "language": options.language}
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items() if value) or None


class SageMakerTransport:
    """One bidirectional stream; owns the client it runs on."""

    def __init__(
        self,
        http: DuplexTransport | CrtTransport,
        requests: EventPublisher[RequestStreamEvent],
        responses: EventReceiver[ResponseStreamEvent],
        settings: ClientSettings,
    ) -> None:
        self._http = http
        self._requests = requests
        self._responses = responses
        self._settings = settings
        self._sending = asyncio.Lock()
        self._broken = False
        self._receiving: asyncio.Task[ResponseStreamEvent | None] | None = None

    async def send(self, frame: Frame) -> None:
        label, data = ("UTF8", frame.encode()) if isinstance(frame, str) else ("BINARY", frame)
        part = RequestPayloadPart(bytes_=data, data_type=label, completion_state="COMPLETE")
        async with self._sending:
            if self._broken:
                raise ConnectionLost("The stream is broken.", retryable=True)
            # Each part's signature covers the one before: a send that was cut off leaves nothing to go on from.
            self._broken = True
            try:
                async with asyncio.timeout(self._settings.send_timeout_s):
                    await self._requests.send(RequestStreamEventPayloadPart(value=part))
            except TimeoutError as error:
                message = f"SageMaker took no frame for {self._settings.send_timeout_s:g} s."
                raise TransportTimeout(message, retryable=True) from error
            except (SmithyError, OSError) as error:
                raise stream_failure(error) from error
            self._broken = False

    async def receive(self) -> Frame:
        label, data = None, bytearray()
        while True:
            part = await self._part()
            label = label or part.data_type
            data += part.bytes_ or b""
            if len(data) > _MAX_FRAME_BYTES:
                raise ProtocolError(f"One frame is longer than {_MAX_FRAME_BYTES} bytes.")
            if part.completion_state != "PARTIAL":
                break
        if label != "UTF8":
            return bytes(data)
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise ProtocolError("A frame labelled UTF8 is not UTF-8.") from error

    async def _part(self) -> ResponsePayloadPart:
        while True:
            if self._receiving is None:
                self._receiving = asyncio.create_task(self._responses.receive(), name="firstword sagemaker receive")
            try:
                # CRT answers into what it was asked with, even if nobody waits there any more: never cancelled.
                event = await asyncio.shield(self._receiving)
            except (SmithyError, OSError) as error:
                raise stream_failure(error) from error
            finally:
                if self._receiving.done():
                    self._receiving = None
            if event is None:
                raise ConnectionLost("The stream ended.", retryable=True)
            if isinstance(event, ResponseStreamEventPayloadPart):
                return event.value

    async def aclose(self) -> None:
        self._broken = True
        timeout_s = self._settings.close_timeout_s
        await _within(self._requests.close(), timeout_s)
        if self._receiving is not None:
            await asyncio.wait({self._receiving}, timeout=timeout_s)
        await _within(self._responses.close(), timeout_s)
        await _within(self._http.close(), timeout_s)
        if self._receiving is not None:
            self._receiving.cancel()
            await asyncio.gather(self._receiving, return_exceptions=True)


async def _within(closing: Awaitable[None], timeout_s: float) -> None:
    """The stream is over either way: what goes wrong in letting it go changes nothing."""
    with contextlib.suppress(TimeoutError, SmithyError, OSError):
        await asyncio.wait_for(closing, timeout_s)
