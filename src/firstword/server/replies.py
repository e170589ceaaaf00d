"""HTTP errors: the status of each code, and the two JSON forms, ours and, below `/v1/`, OpenAI's.

{"code": …, "message": …, "retryable": …, "field": … (400: what is wrong), "request_id": … (where there is one)}
{"error": {"message": …, "type": "invalid_request_error" | "server_error", "param": the field or null, "code": …}}
"""

from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import JSONResponse

from firstword.errors import FirstwordError

__all__ = ["RETRY_AFTER_S", "error_at", "error_reply", "openai_error", "openai_error_reply", "status_of"]

RETRY_AFTER_S: Final = 1
_STATUS: Final = {
    "request_stale": 408,
    "body_timeout": 408,
    "text_too_long": 413,
    "body_too_long": 413,
    "bad_content_type": 415,
    "overloaded": 503,
    "going_away": 503,
    "engine_failed": 500,
    "internal": 500,
    "unauthorized": 401,
    "not_found": 404,
    "method_not_allowed": 405,
}


def status_of(code: str) -> int:
    return _STATUS.get(code, 400)


def error_reply(error: FirstwordError, *, field: str | None = None, request_id: str | None = None) -> JSONResponse:
    """The answer that tells this error."""
    status = status_of(error.code)
    body: dict[str, Any] = {"code": error.code, "message": error.one_line(), "retryable": error.retryable}
    if field is not None:
        body["field"] = field
    if request_id is not None:
        body["request_id"] = request_id
    return JSONResponse(body, status_code=status, headers=_headers(status))


def openai_error_reply(error: FirstwordError, *, field: str | None = None) -> JSONResponse:
    """The answer that tells this error to a client of OpenAI's interface."""
    status = status_of(error.code)
    return JSONResponse({"error": openai_error(error, field=field)}, status_code=status, headers=_headers(status))


def openai_error(error: FirstwordError, *, field: str | None = None) -> dict[str, Any]:
    kind = "server_error" if status_of(error.code) >= 500 else "invalid_request_error"
    return {"message": error.one_line(), "type": kind, "param": field, "code": error.code}


def error_at(path: str, error: FirstwordError, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer that tells this error at this path, with `headers` of its own."""
    reply = openai_error_reply(error) if path.startswith("/v1/") else error_reply(error)
    reply.headers.update(headers or {})
    return reply


def _headers(status: int) -> dict[str, str]:
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status == 503 else {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return headers
