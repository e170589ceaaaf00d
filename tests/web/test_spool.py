"""What is kept for a page that lost its connection: all of it, in order, within bounds."""

import asyncio

import pytest

from firstword.errors import AgentError
from firstword.web.spool import Spool


async def _taken(spool: Spool, count: int, many: int) -> list[tuple[int, str | bytes]]:
    items = []
    async for item in spool.read(count):
        items.append(item)
        if len(items) == many:
            break
    return items


def test_items_are_read_from_any_number_on() -> None:
    async def story() -> None:
        spool = Spool()
        for item in ("a", b"b", "c"):
            await spool.put(item)
        spool.end()
        assert await _taken(spool, 0, 9) == [(1, "a"), (2, b"b"), (3, "c")]
        assert await _taken(spool, 1, 9) == [(2, b"b"), (3, "c")]
        assert await _taken(spool, 3, 9) == []
        assert [spool.holds(count) for count in (0, 3, 4)] == [True, True, False]

    asyncio.run(story())


def test_what_was_read_is_kept_up_to_a_bound() -> None:
    async def story() -> None:
        spool = Spool(kept_bytes=4)
        for item in ("aa", "bb", "cc"):
            await spool.put(item)
        await _taken(spool, 0, 3)
        assert [spool.holds(count) for count in (0, 1, 3)] == [False, True, True]

    asyncio.run(story())


def test_a_writer_waits_for_a_reader_that_is_behind() -> None:
    async def story() -> None:
        spool = Spool(ahead_bytes=2)
        await spool.put("aa")
        blocked = asyncio.create_task(spool.put("bb"))
        await asyncio.sleep(0)
        assert not blocked.done()
        assert await _taken(spool, 0, 2) == [(1, "aa"), (2, "bb")]
        await blocked

    asyncio.run(story())


def test_a_second_reader_takes_the_place_of_the_first() -> None:
    async def story() -> None:
        spool = Spool()
        await spool.put("a")
        first, second = spool.read(0), spool.read(0)
        assert await anext(first) == (1, "a")
        waiting = asyncio.create_task(anext(first, None))
        await asyncio.sleep(0)
        assert await anext(second) == (1, "a")
        assert await waiting is None

    asyncio.run(story())


def test_the_error_it_ended_with_comes_after_the_items() -> None:
    async def story() -> None:
        spool = Spool()
        await spool.put("a")
        spool.end(AgentError("gone"))
        items = spool.read(0)
        assert await anext(items) == (1, "a")
        with pytest.raises(AgentError):
            await anext(items)

    asyncio.run(story())
