"""InvokeEndpoint and its response stream, as boto3 sees them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from botocore.exceptions import ClientError, EventStreamError

from fakes.boto import boto_client, events_of, in_thread
from fakes.frame_container import Answer, FrameContainer, frame_container
from fakes.patient import patient
from firstword.emulator.emulator import Behind, Emulator, run_emulator
from firstword.emulator.faults import parse_plan

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def _emulated(*faults: str, **settings: Any) -> AsyncIterator[tuple[FrameContainer, Emulator, Any]]:
    async with (
        frame_container() as container,
        run_emulator(
            patient(h2="h2c", **settings),
            Behind(endpoints={"echo": container.url, "gone": "http://127.0.0.1:9"}),
            parse_plan(faults),
        ) as emulator,
    ):
        with boto_client("sagemaker-runtime", emulator.exports) as client:
            yield container, emulator, client


def _parts(client: Any, body: bytes) -> tuple[Any, list[bytes]]:
    answer = client.invoke_endpoint_with_response_stream(EndpointName="echo", Body=body)
    return answer, [event["PayloadPart"]["Bytes"] for event in events_of(answer["Body"])]


async def test_invoke_endpoint_passes_the_body_and_the_apis_headers_both_ways() -> None:
    async with _emulated() as (container, _, client):
        container.answer = lambda body: Answer(
            content_type="audio/wav",
            pieces=[body, b"!"],
            headers=[("X-Amzn-SageMaker-Custom-Attributes", "c=1"), ("X-Own", "1")],
        )
        answer = await in_thread(
            lambda: client.invoke_endpoint(
                EndpointName="echo",
                Body=b"\x00\xff",
                ContentType="application/x-any",
                Accept="audio/*",
                CustomAttributes="trace=7",
                TargetVariant="blue",
            )
        )
        assert await in_thread(lambda: answer["Body"].read()) == b"\x00\xff!"
        assert (answer["ContentType"], answer["CustomAttributes"], answer["InvokedProductionVariant"]) == (
            "audio/wav",
            "c=1",
            "blue",
        )
        path, headers, body = container.posts[0]
        assert (path, body) == ("/invocations", b"\x00\xff")
        assert headers["content-type"] == "application/x-any"
        assert headers["accept"] == "audio/*"
        assert headers["x-amzn-sagemaker-custom-attributes"] == "trace=7"
        assert "authorization" not in headers


@pytest.mark.parametrize("status", [400, 429, 500, 503])
async def test_whatever_a_container_refuses_is_a_model_error_with_its_own_status(status: int) -> None:
    async with _emulated() as (container, _, client):
        container.answer = lambda body: Answer(status=status, pieces=[b'{"code": "overloaded"}'])
        for call in (client.invoke_endpoint, client.invoke_endpoint_with_response_stream):
            with pytest.raises(ClientError) as caught:
                await in_thread(lambda call=call: call(EndpointName="echo", Body=b"x"))  # type: ignore[misc]
            answer: Any = caught.value.response
            assert answer["Error"]["Code"] == "ModelError"
            assert answer["ResponseMetadata"]["HTTPStatusCode"] == 424
            assert answer["OriginalStatusCode"] == status
            assert answer["OriginalMessage"] == '{"code": "overloaded"}'


@pytest.mark.parametrize(
    ("endpoint", "body", "status", "code"),
    [
        ("nobody", b"x", 400, "ValidationError"),
        ("gone", b"x", 503, "ServiceUnavailable"),
        ("echo", bytes(1001), 413, "RequestEntityTooLargeException"),
    ],
)
async def test_what_never_reaches_a_container_is_an_error_of_the_service(
    endpoint: str, body: bytes, status: int, code: str
) -> None:
    async with _emulated(max_body_bytes=1000) as (_, _, client):
        with pytest.raises(ClientError) as caught:
            await in_thread(lambda: client.invoke_endpoint(EndpointName=endpoint, Body=body))
        answer: Any = caught.value.response
        assert (answer["ResponseMetadata"]["HTTPStatusCode"], answer["Error"]["Code"]) == (status, code)


async def test_a_container_that_takes_too_long_is_a_model_error() -> None:
    async with _emulated(invoke_timeout_s=0.2) as (container, _, client):
        container.answer = lambda body: Answer(pieces=[b"a", b"b"], pause_s=0.3)
        with pytest.raises(ClientError, match="timed out"):
            await in_thread(lambda: client.invoke_endpoint(EndpointName="echo", Body=b"x"))


async def test_a_response_stream_is_cut_where_the_seed_says_and_loses_nothing() -> None:
    sent = [bytes([n % 256]) * 700 for n in range(60)]
    async with _emulated(chunk_seed=11) as (container, _, client):
        container.answer = lambda body: Answer(content_type="text/event-stream", pieces=sent)
        answer, parts = await in_thread(lambda: _parts(client, b"x"))
        _, again = await in_thread(lambda: _parts(client, b"x"))
    assert answer["ContentType"] == "text/event-stream"
    assert answer["ResponseMetadata"]["HTTPHeaders"]["x-firstword-chunk-seed"] == "11"
    assert b"".join(parts) == b"".join(again) == b"".join(sent)
    cuts = [sum(map(len, parts[: n + 1])) for n in range(len(parts) - 1)]
    assert any(cut % 700 for cut in cuts)


async def test_without_a_seed_every_stream_is_cut_anew_and_says_how() -> None:
    async with _emulated() as (container, _, client):
        container.answer = lambda body: Answer(pieces=[bytes(50_000)])
        first, _ = await in_thread(lambda: _parts(client, b"x"))
        second, _ = await in_thread(lambda: _parts(client, b"x"))
    seeds = [answer["ResponseMetadata"]["HTTPHeaders"]["x-firstword-chunk-seed"] for answer in (first, second)]
    assert seeds[0] != seeds[1]


async def test_a_short_piece_does_not_wait_for_the_next_one() -> None:
    async with _emulated(chunk_seed=3) as (container, _, client):
        container.answer = lambda body: Answer(pieces=[b"event one", b"event two"], pause_s=0.1)
        _, parts = await in_thread(lambda: _parts(client, b"x"))
        assert b"event one" in [b"".join(parts[: n + 1]) for n in range(len(parts))]


@pytest.mark.parametrize(
    ("answer", "settings", "words"),
    [
        (Answer(pieces=[b"half"], cut=True), {}, "before it was complete"),
        (Answer(pieces=[b"half", b"never"], pause_s=2.0), {"stream_timeout_s": 0.3}, "timed out"),
    ],
)
async def test_what_goes_wrong_after_the_start_is_told_in_the_stream(
    answer: Answer, settings: dict[str, Any], words: str
) -> None:
    async with _emulated(**settings) as (container, _, client):
        container.answer = lambda body: answer
        with pytest.raises(EventStreamError, match=f"ModelStreamError.*{words}"):
            await in_thread(lambda: _parts(client, b"x"))


async def test_signatures_are_checked_on_demand() -> None:
    async with _emulated(verify_signatures=True) as (_, emulator, client):
        answer = await in_thread(lambda: client.invoke_endpoint(EndpointName="echo", Body=b"signed"))
        assert await in_thread(lambda: answer["Body"].read()) == b"signed"
        wrong = {**emulator.exports, "AWS_SECRET_ACCESS_KEY": "wrong"}
        with boto_client("sagemaker-runtime", wrong) as stranger, pytest.raises(ClientError) as caught:
            await in_thread(lambda: stranger.invoke_endpoint(EndpointName="echo", Body=b"signed"))
        assert caught.value.response["Error"]["Code"] == "InvalidSignatureException"
