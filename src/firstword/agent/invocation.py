"""One complete `/invocations` call: a text in, all its audio back, over HTTP or SageMaker's InvokeEndpoint.

Only mode `whole` makes it; what streams goes through the client library. Above it: `voice`.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import boto3
import httpx
import msgspec
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError

from firstword.config import ClientSettings
from firstword.errors import ConfigError, ConnectFailed, RemoteError, TransportTimeout, UsageError

__all__ = ["invoke"]

_ENDPOINT: Final = "endpoint:"


async def invoke(address: str, body: Mapping[str, Any], *, region: str | None = None) -> bytes:
    """The response's bytes. Raises RemoteError with the server's own code, a TransportError, or ConfigError."""
    settings = ClientSettings.load()
    payload = msgspec.json.encode(body)
    if address.startswith(_ENDPOINT):
        return await asyncio.to_thread(_endpoint, address.removeprefix(_ENDPOINT), payload, region, settings)
    return await _http(address, payload, settings)


async def _http(url: str, payload: bytes, settings: ClientSettings) -> bytes:
    address = url.replace("ws://", "http://", 1).replace("wss://", "https://", 1).rstrip("/")
    headers = {"content-type": "application/json"}
    if settings.api_key:
        headers["authorization"] = f"Bearer {settings.api_key}"
    timeout = httpx.Timeout(settings.receive_timeout_s, connect=settings.connect_timeout_s)
    try:
        async with httpx.AsyncClient(timeout=timeout) as client:
            response = await client.post(f"{address}/invocations", content=payload, headers=headers)
    except httpx.TimeoutException as error:
        raise TransportTimeout("The speech server took too long.", retryable=True) from error
    except httpx.InvalidURL as error:
        raise UsageError(f"{url!r} is not the URL of a speech server.") from error
    except httpx.HTTPError as error:
        raise ConnectFailed(f"The speech server at {url} cannot be reached.", retryable=True) from error
    if response.is_success:
        return response.content
    raise _remote(response.content)


def _endpoint(name: str, payload: bytes, region: str | None, settings: ClientSettings) -> bytes:
    config = Config(
        connect_timeout=settings.connect_timeout_s,
        read_timeout=settings.receive_timeout_s,
        retries={"total_max_attempts": 1},
    )
    try:
        runtime = boto3.client("sagemaker-runtime", region_name=region, config=config)
        answer = runtime.invoke_endpoint(EndpointName=name, Body=payload, ContentType="application/json")
        audio: bytes = answer["Body"].read()
    except ClientError as error:
        told: Mapping[str, Any] = {**error.response}
        if "OriginalMessage" in told:
            raise _remote(str(told["OriginalMessage"]).encode()) from error
        code = error.response.get("Error", {}).get("Code", "unknown")
        raise RemoteError(f"SageMaker refused the call ({code}).", code="endpoint_refused") from error
    except HTTPClientError as error:
        raise ConnectFailed("SageMaker cannot be reached.", retryable=True) from error
    except BotoCoreError as error:
        raise ConfigError("The AWS configuration is not complete.", hint="Set region and credentials.") from error
    return audio


def _remote(body: bytes) -> RemoteError:
    try:
        told = msgspec.json.decode(body, type=_Told)
    except msgspec.DecodeError:
        return RemoteError("The speech server failed.", code="speech_failed")
    return RemoteError(told.message, code=told.code, retryable=told.retryable)


class _Told(msgspec.Struct):
    code: str
    message: str = "The speech server refused the request."
    retryable: bool = False
