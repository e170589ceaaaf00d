"""What a language model's failure means to the caller: foreign exceptions in, one AgentError with a stable code out.

Codes: model_unavailable (it does not answer), model_throttled, model_denied (credentials, permission), model_unknown
(no such model), context_too_long, model_failed (anything else it did). Above it: `reply`.
"""

from typing import Final

import httpx
import openai
import urllib3
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    NoRegionError,
    ReadTimeoutError,
)
from strands.types.exceptions import ContextWindowOverflowException, EventLoopException, ModelThrottledException

from firstword.errors import AgentError

__all__ = ["MODEL_EXCEPTIONS", "model_error"]

MODEL_EXCEPTIONS: Final = (
    openai.OpenAIError,
    httpx.HTTPError,
    BotoCoreError,
    ClientError,
    ContextWindowOverflowException,
    EventLoopException,
    ModelThrottledException,
    urllib3.exceptions.HTTPError,  # what botocore lets through when a stream breaks
)
_BY_AWS_CODE: Final = {
    "AccessDeniedException": "model_denied",
    "ExpiredTokenException": "model_denied",
    "UnrecognizedClientException": "model_denied",
    "ThrottlingException": "model_throttled",
    "ServiceQuotaExceededException": "model_throttled",
    "ServiceUnavailableException": "model_unavailable",
    "ModelNotReadyException": "model_unavailable",
    "ResourceNotFoundException": "model_unknown",
}
_BY_STATUS: Final = {401: "model_denied", 403: "model_denied", 404: "model_unknown", 503: "model_unavailable"}
_WORDS: Final = {
    "model_unavailable": "The language model cannot be reached.",
    "model_throttled": "The language model is busy.",
    "model_denied": "The language model refused our credentials.",
    "model_unknown": "There is no such language model.",
    "context_too_long": "The conversation is too long for the language model.",
    "model_failed": "The language model failed.",
}
_HINTS: Final = {
    "model_unavailable": "Check --model and that its server runs.",
    "model_throttled": "Try again later.",
    "model_denied": "Check the credentials, the region and that the account may use this model.",
    "model_unknown": "Check the model's id and the region.",
}
_RETRYABLE: Final = {"model_unavailable", "model_throttled"}


def model_error(error: BaseException) -> AgentError:
    code = _code(error)
    return AgentError(_WORDS[code], code=code, hint=_HINTS.get(code, ""), retryable=code in _RETRYABLE)


def _code(error: BaseException) -> str:
    match error:
        case EventLoopException():
            return _code(error.original_exception)
        case ModelThrottledException() | openai.RateLimitError():
            return "model_throttled"
        case ContextWindowOverflowException():
            return "context_too_long"
        case NoCredentialsError() | NoRegionError():
            return "model_denied"
        case ClientError():
            return _BY_AWS_CODE.get(error.response.get("Error", {}).get("Code", ""), "model_failed")
        case openai.APIStatusError():
            return _BY_STATUS.get(error.status_code, "model_failed")
        case (
            openai.APIConnectionError() | EndpointConnectionError() | ConnectTimeoutError() | ReadTimeoutError()
            | httpx.TimeoutException() | httpx.ConnectError()
        ):  # fmt: skip
            return "model_unavailable"
    return "model_failed"
