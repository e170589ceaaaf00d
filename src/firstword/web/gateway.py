"""The gateway as an ASGI application: the page, its settings, and two doors to the agent (SSE and WebSocket).

Credentials for the agent never leave this process. Limits on what a page may send, and who may ask at all, are here;
what is said is not looked into. Below it: `access`, `relay`. Above it: `firstword web`.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
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

from firstword.client.agent import Door
from firstword.config import WebSettings
from firstword.errors import FirstwordError, first_cause
from firstword.web.access import COOKIE, HEADERS, Access
from firstword.web.relay import Relay

__all__ = ["PAGE", "create_gateway"]

PAGE: Final = Path(__file__).parent / "page"
_CONVERSATION: Final = "x-firstword-conversation"
_ID_CHARS: Final = range(33, 129)
_REASON_BYTES: Final = 120
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

_log = logging.getLogger(__name__)


def create_gateway(relay: Relay, access: Access, settings: WebSettings, voices: tuple[str, ...]) -> Starlette:
    """The application. `voices` are what the page offers."""
    gateway = _Gateway(relay, access, settings, voices)
    routes = [
        Route("/api/config", gateway.config),
        Route("/api/answer", gateway.answer, methods=["POST"]),
        Route("/api/cancel", gateway.cancel, methods=["POST"]),
        WebSocketRoute("/api/ws", gateway.socket),
        Mount("/", StaticFiles(directory=PAGE, html=True)),
    ]

    return Starlette(routes=routes, middleware=[Middleware(_Doorkeeper, access=access)])


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
    def __init__(self, relay: Relay, access: Access, settings: WebSettings, voices: tuple[str, ...]) -> None:
        self._relay = relay
        self._access = access
        self._settings = settings
        self._voices = voices

    async def config(self, request: Request) -> Response:  # noqa: ARG002
        return JSONResponse({"voices": self._voices, "default_voice": self._settings.default_voice})

    async def answer(self, request: Request) -> Response:
        """The agent's events. The status is the agent's readiness; what fails later is told in the stream."""
        payload, conversation = await self._body(request), request.headers.get(_CONVERSATION, "")
        if isinstance(payload, Response):
            return payload
        if len(conversation) not in _ID_CHARS:
            return _problem(HTTPStatus.BAD_REQUEST, f"The header {_CONVERSATION} must hold 33 to 128 characters.")
        events = self._relay.events(payload, conversation)
        try:
            first = await anext(events, b"")
        except FirstwordError as error:
            return _problem(HTTPStatus.BAD_GATEWAY, _told(error))

        async def stream() -> AsyncIterator[bytes]:
            try:
                yield first
                async for piece in events:
                    yield piece
            except FirstwordError:
                _log.warning("an agent's answer broke off")  # the page sees the stream end without its end event

        return StreamingResponse(stream(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def cancel(self, request: Request) -> Response:
        payload, conversation = await self._body(request), request.headers.get(_CONVERSATION, "")
        if isinstance(payload, Response):
            return payload
        try:
            async with asyncio.timeout(self._settings.connect_timeout_s):
                told = b"".join([piece async for piece in self._relay.events(payload, conversation)])
        except FirstwordError as error:
            return _problem(HTTPStatus.BAD_GATEWAY, _told(error))
        except TimeoutError:
            return _problem(HTTPStatus.GATEWAY_TIMEOUT, "The agent did not acknowledge in time.")
        return Response(told, media_type="text/event-stream")

    async def socket(self, websocket: WebSocket) -> None:
        conversation = websocket.query_params.get("conversation", "")
        await websocket.accept()
        if len(conversation) not in _ID_CHARS:
            await websocket.close(1008, "The conversation must have 33 to 128 characters.")
            return
        async with aclosing(self._relay.socket(conversation)) as agent:
            why = await _join(websocket, agent, self._settings.max_body_bytes)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await websocket.close(1013 if why else 1000, why)

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


async def _join(page: WebSocket, agent: Door, max_bytes: int) -> str:
    """Carry what comes both ways until either side ends; why the agent could not be used, or nothing."""
    why = ""
    try:
        async with asyncio.TaskGroup() as ways:
            first = await _payload(page, max_bytes)
            ways.create_task(_to_page(agent, first, page))
            while True:
                await agent.tell(await _payload(page, max_bytes))
    except* _PageGone:
        pass
    except* FirstwordError as group:
        why = _told(first_cause(group)).encode()[:_REASON_BYTES].decode(errors="ignore")
    return why


class _PageGone(Exception):
    """The page has left, or sent what it may not: raised so that the other direction ends too."""


async def _payload(page: WebSocket, max_bytes: int) -> bytes:
    message = await page.receive()
    if message["type"] == "websocket.disconnect":
        raise _PageGone
    frame = message.get("bytes") or (message.get("text") or "").encode()
    if len(frame) > max_bytes:
        raise _PageGone
    return frame


async def _to_page(agent: Door, payload: bytes, page: WebSocket) -> None:
    async with aclosing(agent.ask(payload)) as items:
        async for item in items:
            try:
                await (page.send_text(item) if isinstance(item, str) else page.send_bytes(item))
            except (RuntimeError, WebSocketDisconnect) as error:
                raise _PageGone from error


def _told(error: BaseException) -> str:
    told = error.one_line() if isinstance(error, FirstwordError) else "It failed."
    return f"The agent cannot be used: {told}"


def _problem(status: HTTPStatus, message: str) -> Response:
    return JSONResponse({"message": message}, status_code=status)
