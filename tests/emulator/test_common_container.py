"""Containers as people write them: a Starlette application that takes every frame for text, behind the emulator.

The endpoint looks healthy, and every request of a client that does not label its JSON fails: reproduced here, since
it is the first thing people meet.
"""

import asyncio
from typing import Any

import pytest
from aws_sdk_sagemaker_runtime_http2.models import ModelStreamError
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fakes.sagemaker_caller import sagemaker_caller
from firstword.config import EmulatorSettings
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


def test_unlabelled_json_reaches_a_text_only_container_as_a_binary_frame_and_fails_as_text() -> None:
    async def story() -> Any:
        async with (
            asyncio.timeout(30),
            listening(APP) as url,
            run_emulator(EmulatorSettings(h2="h2c"), Behind(endpoints={"echo": url})) as emulator,
            sagemaker_caller(emulator.h2_url) as caller,
        ):
            labelled = await caller.open()
            await labelled.send(b"hello", "UTF8")
            said = await labelled.receive()
            unlabelled = await caller.open()
            await unlabelled.send(b"hello")
            failed = await unlabelled.receive()
            with pytest.raises(ModelStreamError):
                await unlabelled.receive()
            return said, failed

    said, failed = asyncio.run(story())
    assert said.data == b"HELLO"
    assert b"'text'" in failed.data
