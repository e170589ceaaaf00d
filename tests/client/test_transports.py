"""One contract for every way to a speech server, and what each makes of a way that breaks.

Each story runs in a loop of its own: the SDK's CRT transport leaves failed tasks behind when a server ends a stream.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from fakes.speech_peer import PeerEnd, SpeechPeer, spoken
from fakes.wires import SAGEMAKER, SETTINGS, WIRES, Handler, Wire, wire
from firstword.client import AudioChunk, Connection
from firstword.client.part import Options
from firstword.client.pauses import pause_after
from firstword.client.session import Session
from firstword.client.transport import Frame
from firstword.client.websocket import dial_websocket, websocket_url
from firstword.config import ClientSettings
from firstword.errors import ConnectFailed, ConnectionLost, TransportError, TransportTimeout, UsageError

TEXT = "One is here. Two is longer than one. Three ends it."
PIECES = ["One is here.", "Two is longer than one.", "Three ends it."]
AUDIO = pause_after(".").join(spoken(piece) for piece in PIECES)

type Story = Callable[[Wire], Awaitable[None]]
type Run = Callable[..., None]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a story over a wire whose other end is a handler."""

    def run(name: str, handler: Handler, story: Story, settings: ClientSettings = SETTINGS) -> None:
        async def whole() -> None:
            async with asyncio.timeout(30), wire(name, handler, monkeypatch, settings) as ready:
                await story(ready)

        asyncio.run(whole())

    return run


async def echo(end: PeerEnd) -> None:
    """Gives back every frame until one says to stop."""
    while (frame := await end.receive()) != "stop":
        await end.send(frame)


@pytest.mark.parametrize("name", WIRES)
def test_text_stays_text_and_binary_binary_in_order_at_any_size(name: str, run: Run) -> None:
    frames: list[Frame] = ["{}", b"{", b'{"type":"ping"}', "grüße 你好", b"\x00\xff" * 8192, "x" * 300_000, b"end"]

    async def story(wire: Wire) -> None:
        transport = await wire.dial()
        for frame in frames:
            await transport.send(frame)
        assert [await transport.receive() for _ in frames] == frames
        await transport.aclose()

    run(name, echo, story)


@pytest.mark.parametrize("name", WIRES)
def test_what_was_sent_before_the_end_arrives_before_the_end_is_told(name: str, run: Run) -> None:
    async def story(wire: Wire) -> None:
        transport = await wire.dial()
        for frame in ("one", "two", "stop"):
            await transport.send(frame)
        assert [await transport.receive(), await transport.receive()] == ["one", "two"]
        with pytest.raises(ConnectionLost):
            await transport.receive()
        await transport.aclose()

    run(name, echo, story)


@pytest.mark.parametrize("name", WIRES)
def test_after_closing_nothing_can_be_sent_and_closing_again_is_nothing(name: str, run: Run) -> None:
    async def story(wire: Wire) -> None:
        transport = await wire.dial()
        await transport.aclose()
        await transport.aclose()
        with pytest.raises(TransportError):
            await transport.send("late")

    run(name, echo, story)


@pytest.mark.parametrize("name", WIRES)
def test_an_answer_is_the_same_over_every_wire(name: str, run: Run) -> None:
    peer = SpeechPeer()

    async def story(wire: Wire) -> None:
        async with connection(wire) as speech:
            assert await heard(speech) == AUDIO
            assert await heard(speech) == AUDIO
        assert peer.sessions == 1

    run(name, peer.serve, story)


@pytest.mark.parametrize("name", WIRES)
def test_an_answer_survives_a_session_that_is_lost_in_the_middle(name: str, run: Run) -> None:
    peer = SpeechPeer(lose_after={1: 9600})

    async def story(wire: Wire) -> None:
        async with connection(wire) as speech:
            assert await heard(speech) == AUDIO
        assert peer.sessions == 2

    run(name, peer.serve, story)


@pytest.mark.parametrize("name", WIRES)
def test_a_peer_that_says_nothing_is_a_timeout(name: str, run: Run) -> None:
    async def story(wire: Wire) -> None:
        session = Session(await wire.dial(), wire.settings, on_retire=lambda: None)
        with pytest.raises(TransportTimeout):
            await session.receive(0.05)
        await session.abort()

    async def silent(end: PeerEnd) -> None:
        await end.receive()

    run(name, silent, story)


BEFORE = ["reset-before-headers", "drop-before-headers", "no-answer", "throttle", "access-denied", "expired-token"]
BEFORE += ["unavailable"]


@pytest.mark.parametrize("fault", BEFORE)
@pytest.mark.parametrize("name", SAGEMAKER)
def test_an_endpoint_that_does_not_open_a_stream_is_a_connect_failure(name: str, fault: str, run: Run) -> None:
    async def story(wire: Wire) -> None:
        wire.faults.add(f"{fault}*1")
        with pytest.raises(ConnectFailed) as caught:
            await wire.dial()
        if fault in ("access-denied", "expired-token"):
            assert caught.value.code == "unauthorized"
            assert not caught.value.retryable
        else:
            assert caught.value.retryable
        async with connection(wire) as speech:
            assert await heard(speech) == AUDIO

    run(name, SpeechPeer().serve, story, replace(SETTINGS, connect_timeout_s=1.0))


MIDWAY = ["reset-mid-stream", "drop-mid-stream", "truncate", "end-early", "corrupt", "stream-error", "stream-failure"]


@pytest.mark.parametrize("fault", [*MIDWAY, "stall"])
@pytest.mark.parametrize("name", SAGEMAKER)
def test_a_stream_that_breaks_midway_costs_no_sample(name: str, fault: str, run: Run) -> None:
    async def story(wire: Wire) -> None:
        wire.faults.add(f"{fault}:6*1")
        async with connection(wire) as speech:
            assert await heard(speech) == AUDIO

    run(name, SpeechPeer().serve, story, replace(SETTINGS, receive_timeout_s=0.5))


@pytest.mark.parametrize("name", SAGEMAKER)
def test_a_stream_that_always_breaks_is_a_typed_error(name: str, run: Run) -> None:
    async def story(wire: Wire) -> None:
        wire.faults.add("reset-mid-stream:6")
        async with connection(wire) as speech:
            with pytest.raises(ConnectionLost):
                await heard(speech)

    run(name, SpeechPeer().serve, story, replace(SETTINGS, max_reconnects=2))


@pytest.mark.parametrize("name", SAGEMAKER[1:2])
def test_a_refused_handshake_is_a_connect_failure(name: str, run: Run) -> None:
    async def story(wire: Wire) -> None:
        wire.faults.add("refuse-tls*1")
        with pytest.raises(ConnectFailed):
            await wire.dial()

    run(name, echo, story)


async def _raw(answer: bytes | None, *, wait: bool = False) -> tuple[asyncio.Server, str]:
    """A TCP server that answers with these bytes, or nothing, and goes."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        if answer:
            writer.write(answer)
        if wait:
            await reader.read()
        writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    return server, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def _status(status: int) -> bytes:
    return f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


@pytest.mark.parametrize(
    ("answer", "code", "retryable"),
    [
        (None, "connect_failed", True),
        (b"nonsense\r\n\r\n", "connect_failed", True),
        (_status(200), "connect_failed", False),
        (_status(401), "unauthorized", False),
        (_status(404), "connect_failed", False),
        (_status(500), "connect_failed", True),
        (_status(503), "overloaded", True),
    ],
)
def test_a_server_that_opens_no_websocket_is_a_connect_failure(
    answer: bytes | None, code: str, retryable: bool
) -> None:
    async def story() -> None:
        server, url = await _raw(answer)
        async with server:
            with pytest.raises(ConnectFailed) as caught:
                await dial_websocket(url, SETTINGS)
        assert (caught.value.code, caught.value.retryable) == (code, retryable)
        assert "\n" not in caught.value.one_line()

    asyncio.run(asyncio.wait_for(story(), 20))


def test_a_server_that_accepts_and_says_nothing_is_a_connect_failure_in_time() -> None:
    async def story() -> None:
        server, url = await _raw(None, wait=True)
        async with server:
            with pytest.raises(ConnectFailed, match="Nothing came"):
                await dial_websocket(url, replace(SETTINGS, connect_timeout_s=0.1))

    asyncio.run(asyncio.wait_for(story(), 20))


def test_a_port_where_nobody_listens_is_a_connect_failure_that_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ConnectFailed, match="refused") as caught:
        asyncio.run(dial_websocket(f"http://127.0.0.1:{port}", SETTINGS))
    assert "firstword serve" in caught.value.one_line()


@pytest.mark.parametrize("url", ["", "speech", "ftp://host", "http://", "http://host:port", "http://host:99999"])
def test_an_address_that_is_none_is_wrong_use(url: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        websocket_url(url)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://h:1", "ws://h:1/invocations-bidirectional-stream"),
        ("https://h/", "wss://h/invocations-bidirectional-stream"),
        ("ws://h/own?voice=a", "ws://h/own?voice=a"),
    ],
)
def test_a_servers_url_becomes_the_address_of_its_bidirectional_route(url: str, address: str) -> None:
    assert websocket_url(url) == address


def connection(wire: Wire) -> Connection:
    return Connection(wire.dial, Options(), wire.settings, first_chunk="sentence", delivery="sentences")


async def heard(speech: Connection, text: str = TEXT) -> bytes:
    return b"".join([event.pcm async for event in speech.stream(text) if isinstance(event, AudioChunk)])
