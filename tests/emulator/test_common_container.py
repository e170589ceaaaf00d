"""Containers as people write them: a Starlette application that takes every frame for text, behind the emulator.

The endpoint looks healthy, and every request of a client that does not label its JSON fails: reproduced here, since
it is the first thing people meet.
"""

import asyncio
from typing import Any

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fakes.patient import patient
from fakes.sagemaker_caller import sagemaker_caller
from firstword.emulator.emulator import Behind, run_emulator
from firstword.listen import listening


async def _text_only(socket: WebSocket) -> None:
    await socket.accept()
    try:
        while True:
            await socket.send_text((await socket.receive_text()).upper())
    except KeyError as error:
        await socket.send_json({"type": "error", "message": str(error)})
        await socket.close(1011)
    except WebSocketDisconnect:
        return


APP = Starlette(routes=[WebSocketRoute("/invocations-bidirectional-stream", _text_only)])


async def _answers(*labels: str | None, **settings: Any) -> list[bytes]:
    """What the container answers to the same text, on a stream of its own for each label."""
    said = []
    async with (
        asyncio.timeout(30),
        listening(APP) as url,
        run_emulator(patient(h2="h2c", **settings), Behind(endpoints={"echo": url})) as emulator,
        sagemaker_caller(emulator.h2_url) as caller,
    ):
        for label in labels:
            session = await caller.open()
            await session.send(b"hello", label)
            answer = await session.receive()
            said.append(b"" if answer is None else answer.data)
    return said


def test_unlabelled_json_reaches_a_text_only_container_as_a_binary_frame_and_fails_as_text() -> None:
    labelled, unlabelled = asyncio.run(_answers("UTF8", None))
    assert labelled == b"HELLO"
    assert b"'text'" in unlabelled


def test_the_fault_can_be_reproduced_with_a_caller_that_labels_its_json() -> None:
    (answer,) = asyncio.run(_answers("UTF8", ignore_data_type=True))
    assert b"'text'" in answer
