"""The gateway as an ASGI application: the page, its settings, and two doors to the agent (SSE and WebSocket).

Credentials for the agent never leave this process. Limits on what a page may send, and who may ask at all, are here;
what is said is not looked into. Below it: `access`, `relay`. Above it: `firstword web`.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from firstword.config import WebSettings
from firstword.errors import FirstwordError
from firstword.protocol.sse import encode_event
from firstword.web.access import COOKIE, HEADERS, Access
from firstword.web.lines import Closing, Lines, told
from firstword.web.relay import Relay
from firstword.web.spool import Item
from firstword.web.streams import GONE, Stream, Streams

__all__ = ["PAGE", "create_gateway"]

PAGE: Final = Path(__file__).parent / "page"
_CONVERSATION: Final = "x-firstword-conversation"
_ID_CHARS: Final = range(33, 129)
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

_log = logging.getLogger(__name__)


def create_gateway(relay: Relay, access: Access, settings: WebSettings, voices: tuple[str, ...]) -> Starlette:
    """The application. `voices` are what the page offers."""
    gateway = _Gateway(relay, settings, voices)
    routes = [
        Route("/api/config", gateway.config),
        Route("/api/answer", gateway.answer, methods=["POST"]),
        Route("/api/cancel", gateway.cancel, methods=["POST"]),
        WebSocketRoute("/api/ws", gateway.socket),
        Mount("/", StaticFiles(directory=PAGE, html=True)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(_Doorkeeper, access=access)], lifespan=gateway.lifespan)


class _Doorkeeper:
    """In front of everything: host, origin, key; security headers on whatever goes out."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "not allowed"})
        else:
            await refused(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._access.host_allowed(host):
            return _problem(HTTPStatus.MISDIRECTED_REQUEST, "This gateway is not addressed by that name.")
        if not self._access.origin_allowed(headers.get("origin"), host):
            return _problem(HTTPStatus.FORBIDDEN, "Pages of other sites may not use this gateway.")
        if self._access.holds_key(headers):
            return None
        if scope["type"] == "http" and (key := Request(scope).query_params.get("key")) and self._access.is_key(key):
            entered = RedirectResponse("/", status_code=HTTPStatus.SEE_OTHER)
            entered.set_cookie(COOKIE, key, httponly=True, samesite="strict", secure=scope["scheme"] == "https")
            return entered
        return _problem(HTTPStatus.UNAUTHORIZED, "This gateway asks for a key: open it once with /?key=YOUR_KEY.")


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                *message["headers"],
                *((name.encode(), value.encode()) for name, value in HEADERS.items()),
            ]
        await send(message)

    return wrapped


class _Gateway:
    def __init__(self, relay: Relay, settings: WebSettings, voices: tuple[str, ...]) -> None:
        self._relay = relay
        self._settings = settings
        self._voices = voices
        self._streams = Streams(settings.resume_s)
        self._lines = Lines(relay, self._streams, settings.max_body_bytes)

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:  # noqa: ARG002
        async with self._streams:
            yield

    async def config(self, request: Request) -> Response:  # noqa: ARG002
        return JSONResponse({"voices": self._voices, "default_voice": self._settings.default_voice})

    async def answer(self, request: Request) -> Response:
        """The agent's events. The status is the agent's readiness; what fails later is told in the stream.

        A page that lost its answer asks again with `Last-Event-ID` and gets what it has missed.
        """
        payload, conversation = await self._body(request), request.headers.get(_CONVERSATION, "")
        if isinstance(payload, Response):
            return payload
        if len(conversation) not in _ID_CHARS:
            return _problem(HTTPStatus.BAD_REQUEST, f"The header {_CONVERSATION} must hold 33 to 128 characters.")
        count = _count(request.headers.get("last-event-id"))
        try:
            items = self._stream(payload, conversation, count).read(count or 0)
            first = await anext(items, None)
        except FirstwordError as error:
            if error.code == GONE:
                return _problem(HTTPStatus.GONE, error.one_line())
            return _problem(HTTPStatus.BAD_GATEWAY, told(error))
        if first is None:
            return _problem(HTTPStatus.BAD_GATEWAY, "The agent answered nothing.")
        return StreamingResponse(
            _as_events(first, items), media_type="text/event-stream", headers={"x-accel-buffering": "no"}
        )

    async def cancel(self, request: Request) -> Response:
        payload, conversation = await self._body(request), request.headers.get(_CONVERSATION, "")
        if isinstance(payload, Response):
            return payload
        try:
            async with asyncio.timeout(self._settings.connect_timeout_s):
                items = [item async for item in self._relay.events(payload, conversation)]
        except FirstwordError as error:
            return _problem(HTTPStatus.BAD_GATEWAY, told(error))
        except TimeoutError:
            return _problem(HTTPStatus.GATEWAY_TIMEOUT, "The agent did not acknowledge in time.")
        return Response(b"".join(encode_event(str(item)) for item in items), media_type="text/event-stream")

    async def socket(self, websocket: WebSocket) -> None:
        """A page's standing connection; with `received` (how much it has) it takes a lost one up again."""
        conversation = websocket.query_params.get("conversation", "")
        count = _count(websocket.query_params.get("received"))
        await websocket.accept()
        if len(conversation) in _ID_CHARS:
            closing = await self._lines.serve(websocket, conversation, count)
        else:
            closing = Closing(code=1008, why="The conversation must have 33 to 128 characters.")
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await websocket.close(closing.code, closing.why)

    def _stream(self, payload: bytes, conversation: str, count: int | None) -> Stream:
        key = ("sse", conversation)
        if count is None:
            return self._streams.begin(key, self._relay.events(payload, conversation))
        return self._streams.resume(key, count)

    async def _body(self, request: Request) -> bytes | Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON.")
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > self._settings.max_body_bytes:
                return _problem(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"More than {self._settings.max_body_bytes} bytes."
                )
        return bytes(body)


async def _as_events(first: tuple[int, Item], items: AsyncGenerator[tuple[int, Item]]) -> AsyncIterator[bytes]:
    """Each with its number as `id`. A stream that broke ends without its last event, which tells the page."""
    number, item = first
    try:
        async with aclosing(items):
            yield encode_event(str(item), id=str(number))
            async for number, item in items:
                yield encode_event(str(item), id=str(number))
    except FirstwordError:
        _log.warning("an agent's answer broke off")


def _count(told: str | None) -> int | None:
    """How many items a page says it has; None if it asks anew."""
    return int(told) if told is not None and told.isascii() and told.isdigit() else None


def _problem(status: HTTPStatus, message: str) -> Response:
    return JSONResponse({"message": message}, status_code=status)
