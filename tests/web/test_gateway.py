"""The gateway against a small agent of our own making: what passes, what is refused, what is said when it breaks."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from firstword.config import WebSettings
from firstword.listen import listening
from firstword.protocol.sse import SseReader
from firstword.web.access import LOOPBACK, Access
from firstword.web.gateway import create_gateway
from firstword.web.relay import Relay

CONVERSATION = "c" * 36
SETTINGS = WebSettings(connect_timeout_s=5.0, agent_timeout_s=5.0, max_body_bytes=2000)


async def _invocations(request: Request) -> Response:
    """Says back who asked what, or breaks as the prompt says."""
    payload = await request.json()
    session = request.headers["x-amzn-bedrock-agentcore-runtime-session-id"]
    if payload["prompt"] == "refuse":
        return Response(status_code=500)

    async def events() -> AsyncIterator[bytes]:
        yield f"data: {json.dumps({'session': session, 'prompt': payload['prompt']})}\n\n".encode()
        if payload["prompt"] == "break":
            raise ConnectionResetError
        yield b'data: {"type": "agent_end"}\n\n'

    return StreamingResponse(events(), media_type="text/event-stream")


async def _ws(websocket: WebSocket) -> None:
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text.upper())
        await websocket.send_bytes(b"{\x00\x01\x02")
    await websocket.close()


AGENT = Starlette(routes=[Route("/invocations", _invocations, methods=["POST"]), WebSocketRoute("/ws", _ws)])


@contextlib.asynccontextmanager
async def _gateway(agent: str | None = None, keys: tuple[str, ...] = ()) -> AsyncIterator[httpx.AsyncClient]:
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(listening(AGENT)) if agent is None else agent
        app = create_gateway(Relay(url, SETTINGS), Access(hosts=LOOPBACK, keys=keys), SETTINGS, ("af_heart",))
        base = await stack.enter_async_context(listening(app))
        yield await stack.enter_async_context(httpx.AsyncClient(base_url=base, trust_env=False, timeout=20))


async def _ask(client: httpx.AsyncClient, prompt: str, **headers: str) -> httpx.Response:
    told = {"x-firstword-conversation": CONVERSATION, **headers}
    return await client.post("/api/answer", json={"prompt": prompt}, headers=told)


def test_the_page_comes_with_a_policy_that_forbids_inline_script() -> None:
    async def story() -> None:
        async with _gateway() as client:
            page = await client.get("/")
            assert page.status_code == 200
            assert "script-src 'self'" in page.headers["content-security-policy"]
            assert "unsafe-inline" not in page.headers["content-security-policy"]
            assert page.headers["x-content-type-options"] == "nosniff"
            assert (await client.get("/player/worklet.js")).headers["content-type"].startswith("text/javascript")
            assert (await client.get("/api/config")).json() == {"voices": ["af_heart"], "default_voice": "af_heart"}

    asyncio.run(story())


def test_an_answer_passes_as_it_is_with_the_conversation_as_the_runtimes_session() -> None:
    async def story() -> None:
        async with _gateway() as client:
            answer = await _ask(client, "Grüße 🎈")
            events = SseReader().feed(answer.content)
            first, last = [json.loads(event.data) for event in events]
            assert [event.id for event in events] == ["1", "2"]
            assert first == {"session": CONVERSATION, "prompt": "Grüße 🎈"}
            assert last["type"] == "agent_end"

    asyncio.run(story())


def test_an_answer_that_breaks_off_ends_the_stream_and_the_next_one_works() -> None:
    async def story() -> None:
        async with _gateway() as client:
            assert "agent_end" not in (await _ask(client, "break")).text
            assert "agent_end" in (await _ask(client, "again")).text

    asyncio.run(story())


@pytest.mark.parametrize(("prompt", "agent"), [("refuse", None), ("hello", "http://127.0.0.1:9")])
def test_an_agent_that_refuses_or_is_down_is_a_502_that_says_so(prompt: str, agent: str | None) -> None:
    async def story() -> None:
        async with _gateway(agent) as client:
            answer = await _ask(client, prompt)
            assert answer.status_code == 502
            assert "agent" in answer.json()["message"]

    asyncio.run(story())


def test_frames_pass_both_ways_and_keep_their_kind() -> None:
    async def story() -> None:
        async with _gateway() as client:
            url = str(client.base_url).replace("http", "ws") + f"/api/ws?conversation={CONVERSATION}"
            async with connect(url, proxy=None) as socket, asyncio.timeout(10):
                await socket.send("hello")
                assert [await socket.recv(), await socket.recv()] == ["HELLO", b"{\x00\x01\x02"]

    asyncio.run(story())


def _socket_url(client: httpx.AsyncClient, more: str = "") -> str:
    return str(client.base_url).replace("http", "ws") + f"/api/ws?conversation={CONVERSATION}{more}"


def test_a_socket_that_was_lost_is_taken_up_where_it_was() -> None:
    async def story() -> None:
        async with _gateway() as client, asyncio.timeout(20):
            async with connect(_socket_url(client), proxy=None) as lost:
                await lost.send("one")
                assert await lost.recv() == "ONE"
                lost.transport.abort()
            async with connect(_socket_url(client, "&received=1"), proxy=None) as again:
                assert await again.recv() == b"{\x00\x01\x02"
                await again.send("two")
                assert await again.recv() == "TWO"

    asyncio.run(story())


@pytest.mark.parametrize("received", [0, 7])
def test_a_socket_that_cannot_be_taken_up_is_closed_with_a_code_of_its_own(received: int) -> None:
    async def story() -> None:
        async with (
            asyncio.timeout(20),
            _gateway() as client,
            connect(_socket_url(client, f"&received={received}"), proxy=None) as socket,
        ):
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert (socket.close_code, "taken up" in (socket.close_reason or "")) == (4410, True)

    asyncio.run(story())


def test_a_page_that_goes_away_stops_the_agents_side() -> None:
    async def story() -> None:
        async with _gateway() as client, asyncio.timeout(20):
            async with connect(_socket_url(client), proxy=None) as socket:
                await socket.send("one")
                await socket.recv()
            async with connect(_socket_url(client, "&received=1"), proxy=None) as again:
                with pytest.raises(ConnectionClosed):
                    _ = [item async for item in again if item == "never"] or await again.recv()

    asyncio.run(story())


def test_a_frame_that_is_too_long_closes_the_socket_with_the_limit() -> None:
    async def story() -> None:
        async with (
            asyncio.timeout(20),
            _gateway() as client,
            connect(_socket_url(client), proxy=None) as socket,
        ):
            await socket.send("x" * 2001)
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert (socket.close_code, socket.close_reason) == (1009, "More than 2000 bytes.")

    asyncio.run(story())


def test_an_answer_is_given_again_after_the_last_event_the_page_had() -> None:
    async def story() -> None:
        async with _gateway() as client:
            whole = SseReader().feed((await _ask(client, "again")).content)
            rest = SseReader().feed((await _ask(client, "again", **{"last-event-id": "1"})).content)
            assert [(event.id, event.data) for event in rest] == [(event.id, event.data) for event in whole[1:]]
            gone = await _ask(client, "again", **{"last-event-id": "9"})
            assert gone.status_code == 410
            assert "taken up" in gone.json()["message"]

    asyncio.run(story())


def test_a_socket_says_why_when_the_agent_is_down() -> None:
    async def story() -> None:
        async with _gateway("http://127.0.0.1:9") as client:
            url = str(client.base_url).replace("http", "ws") + f"/api/ws?conversation={CONVERSATION}"
            async with connect(url, proxy=None) as socket, asyncio.timeout(10):
                await socket.send("{}")
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert socket.close_reason is not None
                assert "agent" in socket.close_reason

    asyncio.run(story())


def test_other_sites_and_other_names_are_refused_on_both_doors() -> None:
    async def story() -> None:
        async with _gateway() as client:
            assert (await _ask(client, "x", origin="https://evil.example")).status_code == 403
            assert (await client.get("/", headers={"host": "evil.example"})).status_code == 421
            url = str(client.base_url).replace("http", "ws") + f"/api/ws?conversation={CONVERSATION}"
            with pytest.raises(InvalidStatus):
                async with connect(url, proxy=None, origin="https://evil.example"):  # type: ignore[arg-type]
                    pass

    asyncio.run(story())


def test_a_key_opens_the_page_once_and_is_then_in_a_cookie_no_script_can_read() -> None:
    async def story() -> None:
        async with _gateway(keys=("k1",)) as client:
            assert (await client.get("/")).status_code == 401
            assert (await client.get("/?key=wrong")).status_code == 401
            entered = await client.get("/?key=k1")
            assert entered.status_code == 303
            assert "HttpOnly" in entered.headers["set-cookie"]
            assert (await client.get("/")).status_code == 200

    asyncio.run(story())


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{}" + b" " * 3000, {"content-type": "application/json"}, 413),
        (b"prompt=x", {"content-type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"content-type": "application/json", "x-firstword-conversation": "short"}, 400),
    ],
)
def test_what_is_too_long_or_of_another_kind_is_refused(body: bytes, headers: dict[str, str], status: int) -> None:
    async def story() -> None:
        async with _gateway() as client:
            answer = await client.post(
                "/api/answer", content=body, headers={"x-firstword-conversation": CONVERSATION, **headers}
            )
            assert answer.status_code == status
            assert answer.json()["message"]

    asyncio.run(story())
