"""What the AWS SDKs raise, as this package's errors, each with what to do about it.

Above it: `transport` and `invoke`.
"""

import re
from typing import Final

from aws_sdk_sagemaker_runtime_http2.models import (
    InputValidationError,
    InternalServerError,
    InternalStreamFailure,
    ModelError,
    ModelStreamError,
    ServiceUnavailableError,
)

from firstword.client.faults import reason_of
from firstword.errors import ConnectFailed, ConnectionLost, FirstwordError

__all__ = ["connect_failure", "refused", "stream_failure"]

_PERMISSIONS: Final = (
    "Renew the credentials if they have expired; their identity needs sagemaker:InvokeEndpoint and "
    "sagemaker:InvokeEndpointWithBidirectionalStream on the endpoint."
)


def connect_failure(error: BaseException, endpoint: str) -> FirstwordError:
    """Why a stream to the endpoint could not be opened."""
    cause = error
    while cause is not None and not isinstance(cause, FirstwordError | OSError):
        cause = cause.__cause__ if isinstance(cause.__cause__, BaseException) else None  # type: ignore[assignment]
    if isinstance(cause, FirstwordError):
        return cause
    where = f"the SageMaker endpoint {endpoint}"
    match error:
        case InputValidationError():
            return refused(endpoint, 400, error.message or "")
        case ModelError():
            return _container(where, error.original_status_code, error.original_message or error.message or "")
        case InternalServerError() | ServiceUnavailableError():
            return ConnectFailed(f"SageMaker cannot serve {where} now.", hint="Try again.", retryable=True)
        case _ if found := re.search(r"\b(4\d\d|5\d\d)\b", str(error)):
            return refused(endpoint, int(found[0]), "")
        case _:
            reason = reason_of(cause) if isinstance(cause, OSError) else type(error).__name__
            return ConnectFailed(f"Cannot reach {where}: {reason}.", hint="Check the region.", retryable=True)


def refused(endpoint: str, status: int, message: str) -> ConnectFailed:
    """SageMaker itself refused, with that status."""
    where = f"the SageMaker endpoint {endpoint}"
    match status:
        case 400 | 404:
            hint = "Check its name and region (`speech-infra status`), and that it is InService."
            return ConnectFailed(
                f"SageMaker does not take {where}: {message.rstrip('.')}.", code="no_endpoint", hint=hint
            )
        case 401 | 403:
            return ConnectFailed(f"AWS refuses access to {where}.", code="unauthorized", hint=_PERMISSIONS)
        case 429:
            return ConnectFailed(f"SageMaker throttles {where}.", code="throttled", retryable=True)
        case _:
            return ConnectFailed(f"SageMaker answers {status} for {where}.", retryable=status >= 500)


def _container(where: str, status: int | None, message: str) -> ConnectFailed:
    if status in (429, 503):
        hint = "Try again, or scale it out."
        return ConnectFailed(f"The container of {where} is full.", code="overloaded", hint=hint, retryable=True)
    text = f"The container of {where} answers {status}: {message.rstrip('.')}."
    return ConnectFailed(text, code="model_error", hint="Its log says more.", retryable=(status or 0) >= 500)


def stream_failure(error: BaseException) -> ConnectionLost:
    """Why an open stream ended."""
    match error:
        case ModelStreamError():
            said = f"code {error.error_code}: {(error.message or 'no reason given').rstrip('.')}"
            return ConnectionLost(f"The container ended the session ({said}).", retryable=True)
        case InternalStreamFailure():
            return ConnectionLost("SageMaker reports a failure of the stream.", retryable=True)
        case _:
            reason = error.__cause__ or error
            return ConnectionLost(f"The stream broke: {type(reason).__name__}.", retryable=True)
