"""HTTP that is odd, broken or slow: told what is wrong, and nobody else notices."""

import asyncio
import socket
from contextlib import ExitStack

import httpx
import pytest

from fakes.speech_server import RunningServer, speech_server

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

ROUTES = {"/invocations": {"text": "Hi."}, "/v1/audio/speech": {"input": "Hi."}}


async def _connect(server: RunningServer) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = server.url.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))


def _client(server: RunningServer) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.url, timeout=20.0, trust_env=False)


async def test_head_has_the_head_of_get_and_where_there_is_no_get_it_is_405() -> None:
    async with speech_server() as server, _client(server) as client:
        for path in ("/ping", "/metrics", "/v1/models", "/v1/audio/voices"):
            head, got = await client.head(path), await client.get(path)
            assert (head.status_code, head.content) == (200, b"")
            assert head.headers["content-type"] == got.headers["content-type"]
        for path in ROUTES:
            head = await client.head(path)
            assert (head.status_code, head.headers["allow"], head.content) == (405, "POST", b"")


@pytest.mark.parametrize(("path", "body"), ROUTES.items())
async def test_accept_changes_nothing(path: str, body: dict[str, str]) -> None:
    async with speech_server() as server, _client(server) as client:
        plain = await client.post(path, json=body)
        for accept in ("text/html", "image/png;q=0.1", "", "nonsense"):
            reply = await client.post(path, json=body, headers={"Accept": accept})
            assert (reply.status_code, reply.headers["content-type"]) == (200, plain.headers["content-type"])


async def test_headers_beyond_64_kib_are_refused() -> None:
    async with speech_server() as server, _client(server) as client:
        reader, writer = await _connect(server)
        writer.write(b"GET /ping HTTP/1.1\r\nHost: x\r\nX-Much: " + b"x" * 200_000 + b"\r\n\r\n")
        assert (await reader.readline()).split()[1] == b"400"
        writer.close()
        assert (await client.get("/ping", headers={"X-Some": "x" * 8_000})).status_code == 200


@pytest.mark.parametrize("path", ROUTES)
async def test_a_body_cut_short_takes_no_place(path: str) -> None:
    async with speech_server(max_sessions=1) as server, _client(server) as client:
        for _ in range(5):
            _, writer = await _connect(server)
            writer.write(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n".encode() + b'{"text": "Hi')
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        assert (await client.post(path, json=ROUTES[path])).status_code == 200
        assert server.serving.admission.taken == 0


async def test_a_thousand_connections_that_never_end_their_request_hold_up_nobody() -> None:
    async with speech_server(max_sessions=2) as server, _client(server) as client:
        host, port = server.url.removeprefix("http://").split(":")
        with ExitStack() as opened:
            for number in range(1_000):
                slow = opened.enter_context(socket.create_connection((host, int(port))))
                head = b"POST /invocations HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
                slow.sendall(head + (b"\r\n{" if number % 2 else b"X-Half: "))
            assert (await client.post("/invocations", json={"text": "Hi."})).status_code == 200
            assert (await client.get("/ping")).status_code == 200
