"""A reader that takes a kilobyte at a time, or nothing: what is made for it is bounded, and nobody else waits."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from fakes.speech_server import RunningServer, speech_server
from firstword.kokoro.synthesizer import CancelToken, Decoding, Piece, SpokenWord
from firstword.kokoro.tone import ToneVoice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

SLOW = "Slowly it goes, and on it goes, and never does it come to an end at all. "
LONG = SLOW * 120
OTHER = {"text": "Another one speaks.", "format": "pcm"}
_WINDOW_BYTES = 4_096


@dataclass
class _Diary:
    """Whose steps ran, in order, and how much they made for the slow one."""

    steps: list[str] = field(default_factory=list)
    slow_bytes: int = 0


class _Observed(ToneVoice):
    def __init__(self, diary: _Diary) -> None:
        super().__init__()
        self._diary = diary

    def begin(self, piece: Piece, cancel: CancelToken) -> Any:
        return _ObservedDecoding(super().begin(piece, cancel), "slow" if "goes" in piece.text else "other", self._diary)


class _ObservedDecoding:
    def __init__(self, inner: Decoding, whose: str, diary: _Diary) -> None:
        self._inner, self._whose, self._diary = inner, whose, diary
        self.words: Sequence[SpokenWord] = inner.words
        self.duration_s = inner.duration_s

    def prepare(self) -> None:
        self._inner.prepare()

    def step(self) -> bytes | None:
        pcm = self._inner.step()
        self._diary.steps.append(self._whose)
        self._diary.slow_bytes += len(pcm or b"") if self._whose == "slow" else 0
        return pcm


type Read = Callable[[], Coroutine[None, None, int]]


def _narrow(url: str) -> socket.socket:
    """A connection whose own buffer takes next to nothing."""
    host, port = url.removeprefix("http://").split(":")
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _WINDOW_BYTES)
    opened.connect((host, int(port)))
    opened.setblocking(False)
    return opened


@asynccontextmanager
async def _post(url: str, read_bytes: int) -> AsyncIterator[Read]:
    body = json.dumps({"text": LONG, "format": "pcm"}).encode()
    reader, writer = await asyncio.open_connection(sock=_narrow(url), limit=1_024)
    writer.write(b"POST /invocations HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    async def read() -> int:
        return len(await reader.readexactly(read_bytes)) if read_bytes else 0

    yield read
    writer.transport.abort()


@asynccontextmanager
async def _session(url: str, _: int) -> AsyncIterator[Read]:
    address = url.replace("http", "ws") + "/invocations-bidirectional-stream"
    async with connect(address, sock=_narrow(url), max_queue=1, ping_interval=None, proxy=None) as websocket:
        await websocket.send(json.dumps({"text": LONG}))

        async def read() -> int:
            return 0

        yield read
        websocket.transport.abort()


@pytest.mark.parametrize(("route", "read_bytes"), [(_post, 0), (_post, 1_024), (_session, 0)])
async def test_what_a_slow_reader_does_not_take_is_bounded_and_others_are_served_first(
    route: Any, read_bytes: int
) -> None:
    diary = _Diary()
    async with (
        speech_server(_Observed(diary), max_buffered_s=2.0, max_lead_s=10_000.0, max_text_chars=100_000) as server,
        httpx.AsyncClient(base_url=server.url, timeout=30.0, trust_env=False) as client,
    ):
        alone = (await client.post("/invocations", json=OTHER)).content
        async with route(server.url, read_bytes) as read:
            taken = await _until_full(client, read, diary, alone)
            made = diary.slow_bytes
            whole = await _length(server, client)
        await asyncio.wait_for(server.serving.admission.until_empty(), 20)
    assert 0 < made - taken < whole / 3
    assert "slow" in diary.steps[: len(diary.steps) // 2]


async def _until_full(client: httpx.AsyncClient, read: Read, diary: _Diary, alone: bytes) -> int:
    """Others are answered, the slow one reads in between, until nothing more is made for it. What it has taken."""
    taken, idle = 0, 0
    while idle < 5:
        made, first = diary.slow_bytes, len(diary.steps)
        taken += await read()
        assert (await client.post("/invocations", json=OTHER)).content == alone
        mine = [at for at, whose in enumerate(diary.steps[first:], first) if whose == "other"]
        assert diary.steps[mine[0] : mine[-1] + 1] == ["other"] * len(mine)
        idle = idle + 1 if diary.slow_bytes - made <= 9_600 and diary.slow_bytes else 0
    return taken


async def _length(server: RunningServer, client: httpx.AsyncClient) -> int:
    """Bytes of the whole long text, from what one of its sentences takes."""
    one = await client.post("/invocations", json={"text": SLOW.replace("goes", "went"), "format": "pcm"})
    return len(one.content) * LONG.count(SLOW)
