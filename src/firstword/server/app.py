"""The routes of the speech server as one ASGI application."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from firstword.errors import RequestRefused
from firstword.server.bidirectional import bidirectional
from firstword.server.invocations import InvocationsDialect
from firstword.server.keys import KeyGuard
from firstword.server.openai import OpenAiDialect, list_models, list_voices, retrieve_model
from firstword.server.ping import metrics, ping
from firstword.server.posts import SpeechPost
from firstword.server.replies import error_at
from firstword.server.serving import Serving

__all__ = ["create_app"]

_CODES = {404: "not_found", 405: "method_not_allowed"}


def create_app(serving: Serving, *, keys: Sequence[str] = ()) -> Starlette:
    """The application; its lifespan loads the voice. With `keys`, every route but `/ping` asks for one."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with serving.running():
            yield

    app = Starlette(
        routes=[
            Route("/ping", ping, methods=["GET"]),
            Route("/metrics", metrics, methods=["GET"]),
            Route("/invocations", SpeechPost(serving, InvocationsDialect()), methods=["POST"]),
            Route("/v1/audio/speech", SpeechPost(serving, OpenAiDialect()), methods=["POST"]),
            Route("/v1/audio/voices", list_voices, methods=["GET"]),
            Route("/v1/models", list_models, methods=["GET"]),
            Route("/v1/models/{model:path}", retrieve_model, methods=["GET"]),
            WebSocketRoute("/invocations-bidirectional-stream", bidirectional),
        ],
        middleware=[Middleware(KeyGuard, keys=keys)] if keys else [],
        exception_handlers={HTTPException: _http_error},
        lifespan=lifespan,
    )
    app.state.serving = serving
    return app


async def _http_error(request: Request, error: Exception) -> Response:
    """404 and 405 in the form of every other error."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    message = f"{request.method} {request.url.path} is not served here."
    return error_at(request.url.path, RequestRefused(message, code=_CODES.get(status, "internal")), headers)
