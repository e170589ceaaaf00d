"""The exchange, over both versions of HTTP, with clients that are not ours."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest

from firstword.emulator.http.exchange import Exchange
from firstword.emulator.http.http1 import Http1Connection
from firstword.emulator.http.http2 import Http2Connection
from firstword.emulator.listeners import listen
from firstword.errors import ConnectionLost

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("version", ["1.1", "2"])]
BIG = bytes(range(256)) * 16_384

type Handler = Callable[[Exchange], Awaitable[None]]


@asynccontextmanager
async def _served(version: str, handler: Handler) -> AsyncIterator[httpx.AsyncClient]:
    async with asyncio.TaskGroup() as tasks:

        def serve(exchange: Exchange) -> None:
            tasks.create_task(_run(handler, exchange))

        connection = Http1Connection if version == "1.1" else Http2Connection
        async with (
            listen(lambda: connection(serve), "127.0.0.1", 0, rtt_ms=0) as port,
            httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}", http1=version == "1.1", http2=version == "2", trust_env=False
            ) as client,
        ):
            yield client


async def _run(handler: Handler, exchange: Exchange) -> None:
    try:
        await handler(exchange)
    except ConnectionLost:
        return


async def _echo(exchange: Exchange) -> None:
    await exchange.start(200, [("content-type", "x/y")])
    body = b""
    while data := await exchange.receive():
        body += data
    await exchange.send(body)
    await exchange.finish()


async def test_bodies_of_any_size_go_both_ways_and_the_connection_is_kept(version: str) -> None:
    async with _served(version, _echo) as client:
        for body in (b"", b"x", BIG):
            answer = await client.post("/a?b=%20c", content=body)
            assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, body, "x/y")
            assert answer.http_version == f"HTTP/{version}"


async def test_the_request_is_seen_as_it_stood_on_the_wire(version: str) -> None:
    seen = []

    async def handler(exchange: Exchange) -> None:
        request = exchange.request
        seen.append(
            (request.method, request.path, request.query, request.header("x-two"), bool(request.header("host")))
        )
        await exchange.start(204, [])
        await exchange.finish()

    async with _served(version, handler) as client:
        await client.put("/a%2Fb?c=%20d", headers=[("X-Two", "1"), ("x-two", "2")])
    assert seen == [("PUT", "/a%2Fb", "c=%20d", "1,2", True)]


async def test_an_answer_before_the_body_was_read_leaves_the_next_request_working(version: str) -> None:
    async def handler(exchange: Exchange) -> None:
        await exchange.start(413, [])
        await exchange.finish()

    async with _served(version, handler) as client:
        for _ in range(3):
            try:
                answer = await client.post("/", content=BIG)
            except httpx.TransportError:
                # HTTP/1.1 can only close while the caller is still sending.
                assert version == "1.1"
            else:
                assert answer.status_code == 413


async def test_a_reset_is_an_error_to_the_caller_and_not_to_the_next_call(version: str) -> None:
    async def handler(exchange: Exchange) -> None:
        if exchange.request.path == "/reset":
            await exchange.start(200, [])
            await exchange.send(b"half")
            exchange.reset()
        else:
            await _echo(exchange)

    async with _served(version, handler) as client:
        with pytest.raises(httpx.TransportError):
            await client.post("/reset")
        assert (await client.post("/", content=b"x")).content == b"x"


async def test_a_caller_that_leaves_is_noticed_by_whoever_waits_for_it(version: str) -> None:
    left = asyncio.Event()

    async def handler(exchange: Exchange) -> None:
        await exchange.start(200, [])
        await exchange.gone()
        left.set()

    async with _served(version, handler) as client:
        async with client.stream("POST", "/"):
            await client.aclose()
        await asyncio.wait_for(left.wait(), 5)


async def test_a_caller_that_does_not_read_stops_the_sender(version: str) -> None:
    sent = 0
    full = asyncio.Event()

    async def handler(exchange: Exchange) -> None:
        nonlocal sent
        await exchange.start(200, [])
        for _ in range(200):
            try:
                async with asyncio.timeout(0.2):
                    await exchange.send(BIG)
            except TimeoutError:
                full.set()
                return
            sent += len(BIG)

    async with _served(version, handler) as client, client.stream("POST", "/"):
        await asyncio.wait_for(full.wait(), 20)
    assert sent < 200 * len(BIG)
