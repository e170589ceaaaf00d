"""Many streams on one connection at once: nothing is lost, nothing crosses over."""

import asyncio
import random

from fakes.emulated import Play, Scene
from fakes.sagemaker_caller import Session

STREAMS = 50
PARTS = 20


def test_fifty_streams_on_one_connection_each_get_their_own_bytes_in_order(play: Play) -> None:
    async def story(scene: Scene) -> None:
        first = await scene.caller.open()
        sessions = [first, *await asyncio.gather(*(scene.caller.open() for _ in range(STREAMS - 1)))]
        async with asyncio.TaskGroup() as tasks:
            for number, session in enumerate(sessions):
                tasks.create_task(_talk(number, session))
        assert len(scene.container.targets) == STREAMS

    play(story)


async def _talk(number: int, session: Session) -> None:
    sizes = random.Random(number)
    sent = [bytes((number, turn)) * sizes.randint(1, 8000) for turn in range(PARTS)]

    async def send() -> None:
        for part in sent:
            await session.send(part, "BINARY")

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(send())
        heard = [await session.receive() for _ in sent]
    assert [part.data for part in heard if part is not None] == sent
    await session.end_input()
    assert await session.receive() is None
