"""The stretch of network: late, in order, whole. Only lower bounds of time are asserted: they hold on any machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest

from fakes.emulated import Play, Scene
from firstword.emulator.delay import delayed
from firstword.emulator.http.socket import abort

pytestmark = pytest.mark.anyio
RTT_S = 0.05

type Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        if data == b"reset":
            abort(cast(asyncio.Transport, writer.transport))
            return
        writer.write(data)
        await writer.drain()
    writer.write(b"bye")
    writer.close()


@asynccontextmanager
async def _connected(port: int | None = None) -> AsyncIterator[Streams]:
    server = await asyncio.start_server(_echo, "127.0.0.1", 0)
    target = ("127.0.0.1", port or server.sockets[0].getsockname()[1])
    async with asyncio.timeout(30), delayed("127.0.0.1", 0, target, RTT_S) as relay:
        reader, writer = await asyncio.open_connection("127.0.0.1", relay.sockets[0].getsockname()[1])
        try:
            yield reader, writer
        finally:
            writer.close()
            server.close()


async def test_an_answer_comes_no_sooner_than_a_round_trip_and_the_first_than_two() -> None:
    now = asyncio.get_running_loop().time
    async with _connected() as (reader, writer):
        took = []
        for _ in range(3):
            began = now()
            writer.write(b"x")
            await reader.readexactly(1)
            took.append(now() - began)
    assert took[0] >= 2 * RTT_S * 0.99
    assert min(took[1:]) >= RTT_S * 0.99


async def test_megabytes_arrive_whole_and_in_order() -> None:
    data = b"".join(number.to_bytes(4) for number in range(2**21))
    async with _connected() as (reader, writer):

        async def send() -> None:
            writer.write(data)
            await writer.drain()
            writer.write_eof()

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(send())
            assert await reader.read(-1) == data + b"bye"


async def test_a_reset_is_a_reset_on_the_other_side() -> None:
    async with _connected() as (reader, writer):
        writer.write(b"reset")
        with pytest.raises(ConnectionResetError):
            await reader.read()


async def test_a_target_that_is_not_there_is_a_lost_connection() -> None:
    async with _connected(port=9) as (reader, _):
        with pytest.raises(ConnectionResetError):
            await reader.read()


def test_the_whole_emulator_can_be_far_away(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        began = asyncio.get_running_loop().time()
        await session.send(b"far", "UTF8")
        assert await session.receive() is not None
        assert asyncio.get_running_loop().time() - began >= RTT_S * 0.99

    play(story, rtt_ms=RTT_S * 1000)
