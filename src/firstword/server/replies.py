"""HTTP errors: one JSON form for all of them, and the status of each code.

{"code": …, "message": …, "retryable": …, "field": … (400: what is wrong), "request_id": … (where there is one)}
"""

from typing import Any, Final

from starlette.responses import JSONResponse

from firstword.errors import FirstwordError

__all__ = ["RETRY_AFTER_S", "error_reply", "status_of"]

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
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status == 503 else {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(body, status_code=status, headers=headers)
