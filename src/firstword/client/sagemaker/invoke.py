"""One-shot calls of a SageMaker endpoint through boto3: InvokeEndpoint, and InvokeEndpointWithResponseStream.

boto3 blocks, so a thread of its own reads; pieces come cut as SageMaker cuts them. Above it: `client.invocation`.
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import closing
from typing import Any

from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    EventStreamError,
    HTTPClientError,
    NoCredentialsError,
    ReadTimeoutError,
)
from urllib3.exceptions import HTTPError
from urllib3.exceptions import ReadTimeoutError as UrllibReadTimeout

from firstword.client.http import remote_failure
from firstword.client.sagemaker.failures import refused
from firstword.client.sagemaker.identity import boto_session, find_region, no_credentials
from firstword.client.threads import from_thread
from firstword.config import ClientSettings
from firstword.errors import ConfigError, ConnectFailed, ConnectionLost, FirstwordError, TransportTimeout

__all__ = ["boto_config", "boto_failure", "endpoint_answer", "read_failure"]


async def endpoint_answer(
    endpoint: str, body: bytes, settings: ClientSettings, *, region: str | None, streamed: bool
) -> AsyncGenerator[bytes]:
    """The answer to a JSON body, whole or as it comes. Raises RemoteError, a TransportError, or ConfigError."""
    session = boto_session(region)
    find_region(session)
    call = _streamed if streamed else _whole
    pieces = from_thread(call(session, endpoint, body, settings), name="firstword endpoint")
    try:
        async for piece in pieces:
            yield piece
    except (BotoCoreError, ClientError) as error:
        raise boto_failure(error, endpoint) from error
    except HTTPError as error:
        raise read_failure(error, endpoint) from error
    finally:
        await pieces.aclose()


def boto_config(settings: ClientSettings) -> Config:
    """Our deadlines, and no second try of its own: whoever calls decides."""
    return Config(
        connect_timeout=settings.connect_timeout_s,
        read_timeout=settings.receive_timeout_s,
        retries={"total_max_attempts": 1},
    )


def _whole(session: Any, endpoint: str, body: bytes, settings: ClientSettings) -> Iterator[bytes]:
    with closing(session.client("sagemaker-runtime", config=boto_config(settings))) as client:
        answer = client.invoke_endpoint(EndpointName=endpoint, Body=body, ContentType="application/json")
        with closing(answer["Body"]) as audio:
            yield audio.read()


def _streamed(session: Any, endpoint: str, body: bytes, settings: ClientSettings) -> Iterator[bytes]:
    with closing(session.client("sagemaker-runtime", config=boto_config(settings))) as client:
        answer = client.invoke_endpoint_with_response_stream(
            EndpointName=endpoint, Body=body, ContentType="application/json"
        )
        with closing(answer["Body"]) as parts:
            for part in parts:
                yield part["PayloadPart"]["Bytes"]


def boto_failure(error: BotoCoreError | ClientError, endpoint: str) -> FirstwordError:
    """What boto3 raised about an endpoint (or an agent runtime), as the error a caller gets."""
    match error:
        case EventStreamError():
            return ConnectionLost(f"The answer of {endpoint} broke off.", retryable=True)
        case ClientError():
            return _told(dict(error.response), endpoint)
        case NoCredentialsError():
            return no_credentials()
        case ReadTimeoutError():
            return TransportTimeout(f"{endpoint} sent nothing in time.", retryable=True)
        case HTTPClientError():
            return ConnectFailed(f"AWS cannot be reached for {endpoint}.", hint="Check the region.", retryable=True)
        case _:
            return ConfigError("The AWS configuration is not complete.", hint=f"{error}")


def read_failure(error: HTTPError, endpoint: str) -> FirstwordError:
    """What boto3 lets through from below while a stream is read."""
    if isinstance(error, UrllibReadTimeout):
        return TransportTimeout(f"{endpoint} sent nothing in time.", retryable=True)
    return ConnectionLost(f"The answer of {endpoint} broke off.", retryable=True)


def _told(answer: dict[str, Any], endpoint: str) -> FirstwordError:
    """A container's own error where there is one: AWS wraps it in a ModelError and keeps its status and body."""
    if answer.get("OriginalStatusCode"):
        return remote_failure(int(answer["OriginalStatusCode"]), str(answer.get("OriginalMessage", "")).encode())
    status = int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 500))
    return refused(endpoint, status, str(answer.get("Error", {}).get("Message", "")))
