"""Every fault of the bidirectional stream as the bare SDK shows it; the call after it works.

The SDK's native transport hides lost streams: a reset before the headers hangs it, one in mid-stream looks like an end.
That is why whoever uses it must bound every wait and look for an application's own last word.
"""

import asyncio
from typing import Any

import pytest
from aws_sdk_sagemaker_runtime_http2.models import InternalStreamFailure, ModelStreamError, ServiceUnavailableError
from smithy_aws_event_stream.exceptions import ChecksumMismatch, InvalidEventBytes
from smithy_core.exceptions import CallError, SmithyError

from fakes.emulated import Play, Scene
from fakes.sagemaker_caller import WAIT_S, Part

# For what never comes.
SHORT_S = 0.4
# The native transport completes a future that a timeout has cancelled, and complains where nobody can catch it.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


async def _still_works(scene: Scene) -> None:
    session = await scene.caller.open()
    await session.send(b"again", "UTF8")
    assert (part := await session.receive()) is not None
    assert part.data == b"again"


@pytest.mark.parametrize(
    ("fault", "plain", "native"),
    [
        ("reset-before-headers", SmithyError, TimeoutError),
        ("drop-before-headers", SmithyError, TimeoutError),
        ("no-answer", TimeoutError, TimeoutError),
        ("throttle", CallError, CallError),
        ("access-denied", CallError, CallError),
        ("expired-token", CallError, CallError),
        ("unavailable", ServiceUnavailableError, ServiceUnavailableError),
    ],
)
def test_faults_before_the_answer(play: Play, fault: str, plain: Any, native: Any) -> None:
    async def story(scene: Scene) -> None:
        scene.emulator.faults.add(f"{fault}*1")
        session = await scene.caller.start()
        wanted = native if scene.emulator.h2_url.startswith("https") else plain
        with pytest.raises(wanted):
            await session.opened(SHORT_S if wanted is TimeoutError else WAIT_S)
        await _still_works(scene)

    play(story)


@pytest.mark.parametrize(
    ("fault", "plain", "native"),
    [
        ("reset-mid-stream:2", OSError, None),
        ("drop-mid-stream:2", OSError, None),
        ("end-early:2", None, None),
        ("truncate:2", InvalidEventBytes, InvalidEventBytes),
        ("corrupt:2", ChecksumMismatch, ChecksumMismatch),
        ("stall:2", TimeoutError, TimeoutError),
        ("stream-error:2", ModelStreamError, ModelStreamError),
        ("stream-failure:2", InternalStreamFailure, InternalStreamFailure),
    ],
)
def test_faults_in_mid_stream(play: Play, fault: str, plain: Any, native: Any) -> None:
    async def story(scene: Scene) -> None:
        wanted = native if scene.emulator.h2_url.startswith("https") else plain
        scene.emulator.faults.add(f"{fault}*1")
        session = await scene.caller.open()
        for _ in range(3):
            await session.send(b"part", "UTF8")
        assert [(await session.receive()) is not None for _ in range(2)] == [True, True]
        if wanted is None:
            assert await session.receive() is None
        else:
            with pytest.raises(wanted):
                await session.receive(SHORT_S if wanted is TimeoutError else WAIT_S)
        await _still_works(scene)

    play(story)


def test_a_broken_stream_leaves_the_others_of_its_connection_alone(play: Play) -> None:
    async def story(scene: Scene) -> None:
        steady = await scene.caller.open()
        scene.emulator.faults.add("reset-mid-stream:1*1")
        broken = await scene.caller.open()
        for _ in range(5):
            await broken.send(bytes(1000), "BINARY")
        for _ in range(50):
            await steady.send(b"tick", "UTF8")
        assert {(await steady.receive()) for _ in range(50)} == {Part(data=b"tick", kind="UTF8", state="COMPLETE")}

    play(story)


def test_data_after_a_close_is_swallowed_and_the_connection_lives_on(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await session.send(b"close 1011 enough", "UTF8")
        with pytest.raises(ModelStreamError):
            await session.receive()
        for _ in range(20):
            try:
                await session.send(bytes(100_000), "BINARY")
            except OSError:
                break
            await asyncio.sleep(0)
        await _still_works(scene)

    play(story)


def test_a_refused_tls_handshake_is_an_error_and_the_next_works(play: Play) -> None:
    async def story(scene: Scene) -> None:
        if not scene.emulator.h2_url.startswith("https"):
            return
        scene.emulator.faults.add("refuse-tls*1")
        with pytest.raises(SmithyError):
            await (await scene.caller.start()).opened()
        await _still_works(scene)

    play(story)


def test_signed_requests_and_events_are_accepted_and_a_wrong_key_is_not(play: Play) -> None:
    async def story(scene: Scene) -> None:
        await _still_works(scene)
        async with scene.stranger() as stranger:
            with pytest.raises(CallError):
                await (await stranger.start()).opened()

    play(story, verify_signatures=True)
