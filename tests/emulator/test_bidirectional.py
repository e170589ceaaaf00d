"""What SageMaker's router does to parts and frames, seen by the real SDK and by a container that is not ours."""

import pytest
from aws_sdk_sagemaker_runtime_http2.models import InputValidationError, ModelError, ModelStreamError

from fakes.emulated import Play, Scene
from fakes.sagemaker_caller import Part


def test_each_part_is_one_frame_of_its_type_and_comes_back_as_one_part(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        for data, kind in ((b'{"a": 1}', "UTF8"), (b"\x00\x01", "BINARY"), (b"{}", None), (b"", "UTF8")):
            await session.send(data, kind)
        parts = [await session.receive() for _ in range(4)]
        assert parts == [
            Part(data=b'{"a": 1}', kind="UTF8", state="COMPLETE"),
            Part(data=b"\x00\x01", kind="BINARY", state="COMPLETE"),
            Part(data=b"{}", kind="BINARY", state="COMPLETE"),
            Part(data=b"", kind="UTF8", state="COMPLETE"),
        ]
        assert [frame[:2] for frame in scene.container.frames] == [
            ("TEXT", True),
            ("BINARY", True),
            ("BINARY", True),
            ("TEXT", True),
        ]

    play(story)


def test_partial_and_complete_parts_are_fragments_of_one_message_both_ways(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await session.send(b"ha", "UTF8", "PARTIAL")
        await session.send(b"l", "UTF8", "PARTIAL")
        await session.send(b"lo", "UTF8", "COMPLETE")
        await session.send(b"fragments", "UTF8", "COMPLETE")
        parts = [await session.receive() for _ in range(6)]
        assert scene.container.frames[:3] == [("TEXT", False, b"ha"), ("CONT", False, b"l"), ("CONT", True, b"lo")]
        assert parts[3:] == [
            Part(data=b"one", kind="UTF8", state="PARTIAL"),
            Part(data=b"two", kind="UTF8", state="PARTIAL"),
            Part(data=b"three", kind="UTF8", state="COMPLETE"),
        ]

    play(story)


def test_path_and_query_overrides_reach_the_container(play: Play) -> None:
    async def story(scene: Scene) -> None:
        await scene.caller.open()
        session = await scene.caller.open(
            model_invocation_path="v1/listen", model_query_string="voice=af_heart&speed=1.1", target_variant="canary"
        )
        assert scene.container.targets == [
            "/invocations-bidirectional-stream",
            "/v1/listen?voice=af_heart&speed=1.1",
        ]
        assert session.output.invoked_production_variant == "canary"

    play(story)


@pytest.mark.parametrize(("code", "reason"), [(1000, "all said"), (4001, "no such voice"), (1011, "")])
def test_a_close_frame_from_the_container_is_a_model_stream_error_even_1000(play: Play, code: int, reason: str) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await session.send(f"close {code} {reason}".encode(), "UTF8")
        with pytest.raises(ModelStreamError) as caught:
            await session.receive()
        assert (caught.value.error_code, caught.value.message) == (str(code), reason)
        assert await session.receive() is None

    play(story)


def test_a_container_that_vanishes_is_a_model_stream_error_and_the_next_session_works(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await session.send(b"drop", "UTF8")
        with pytest.raises(ModelStreamError) as caught:
            await session.receive()
        assert caught.value.error_code == "1006"
        again = await scene.caller.open()
        await again.send(b"still here", "UTF8")
        assert (part := await again.receive()) is not None
        assert part.data == b"still here"

    play(story)


def test_end_of_input_closes_the_containers_websocket_with_1000_and_ends_the_stream_cleanly(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await session.send(b"x", "UTF8")
        assert await session.receive() is not None
        await session.end_input()
        assert await session.receive() is None
        assert scene.container.closes == [(1000, "")]

    play(story)


def test_end_of_input_can_leave_the_websocket_open_until_the_container_closes_it(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await session.send(b"x", "UTF8")
        await session.send(b"close 1000 done", "UTF8")
        await session.end_input()
        assert await session.receive() is not None
        with pytest.raises(ModelStreamError):
            await session.receive()

    play(story, close_on_input_end=False)


@pytest.mark.parametrize("status", [403, 429, 503])
def test_a_refused_upgrade_is_a_model_error_with_the_containers_own_status(play: Play, status: int) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.start(model_invocation_path=f"refuse/{status}")
        with pytest.raises(ModelError) as caught:
            await session.opened()
        assert caught.value.original_status_code == status
        assert caught.value.original_message == "no room"

    play(story)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"endpoint": "nobody"}, "nobody"),
        ({"model_invocation_path": "/leading"}, "ModelInvocationPath"),
        ({"model_query_string": "voice="}, "ModelQueryString"),
    ],
)
def test_a_request_that_cannot_be_is_a_validation_error(play: Play, options: dict[str, str], word: str) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.start(**options)
        with pytest.raises(InputValidationError, match=word):
            await session.opened()

    play(story)


def test_a_container_that_is_not_there_is_unavailable(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.start(endpoint="gone")
        with pytest.raises(Exception, match="accepts no connections") as caught:
            await session.opened()
        assert type(caught.value).__name__ == "ServiceUnavailableError"

    play(story, endpoints={"gone": "http://127.0.0.1:9"})


def test_what_the_container_says_first_is_not_lost(play: Play) -> None:
    async def story(scene: Scene) -> None:
        scene.container.greeting = b"ready"
        session = await scene.caller.open()
        assert await session.receive() == Part(data=b"ready", kind="BINARY", state="COMPLETE")

    play(story)


def test_parts_far_larger_than_every_window_pass_whole(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        data = bytes(range(256)) * 12_000
        await session.send(data, "BINARY")
        assert (part := await session.receive()) is not None
        assert part.data == data

    play(story)


def test_pings_keep_a_silent_session_and_find_a_dead_container(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await scene.container.until(lambda: scene.container.pings >= 5)
        await session.send(b"alive", "UTF8")
        assert (part := await session.receive()) is not None
        assert part.data == b"alive"
        await session.send(b"mute", "UTF8")
        with pytest.raises(ModelStreamError) as caught:
            await session.receive()
        assert caught.value.error_code == "StreamBroken"

    play(story, ping_interval_s=0.05, ping_misses=3)


def test_a_session_ends_at_its_limit(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        with pytest.raises(ModelStreamError) as caught:
            await session.receive()
        assert caught.value.error_code == "ModelInvocationTimeExceeded"
        assert scene.container.closes == [(1001, "The session has reached its longest duration.")]

    play(story, session_limit_s=0.2)


def test_a_caller_that_vanishes_closes_the_containers_websocket(play: Play) -> None:
    async def story(scene: Scene) -> None:
        session = await scene.caller.open()
        await session.send(b"x", "UTF8")
        await session.receive()
        await scene.caller.hang_up()
        await scene.container.until(lambda: bool(scene.container.closes))
        assert scene.container.closes[0][0] == 1001

    play(story)
