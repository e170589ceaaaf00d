"""The client and the real speech server, with the test voice: the same audio by every way of sending the text."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from fakes.speech_server import speech_server
from firstword.client import (
    AudioChunk,
    Event,
    Sentence,
    SynthesisCancelled,
    SynthesisComplete,
    Timings,
    connect,
)
from firstword.client.stream import Delivery
from firstword.config import ClientSettings
from firstword.errors import ConnectFailed, RemoteError, TransportError

pytestmark = pytest.mark.anyio

TEXT = "Hello there. This is a post deployment check, and it has a clause. It has three sentences!"
SETTINGS = ClientSettings(reconnect_delay_s=0.0, receive_timeout_s=10.0, close_timeout_s=2.0)


def audio(events: list[Event]) -> bytes:
    return b"".join(event.pcm for event in events if isinstance(event, AudioChunk))


async def live(text: str) -> AsyncIterator[str]:
    for at in range(0, len(text), 5):
        await asyncio.sleep(0)
        yield text[at : at + 5]


@pytest.mark.parametrize("delivery", ["sentences", "deltas", "whole"])
async def test_every_delivery_says_the_same_with_offsets_into_the_same_text(delivery: Delivery) -> None:
    async with (
        asyncio.timeout(30),
        speech_server() as server,
        connect(server.url, first_chunk="sentence", timings=True, settings=SETTINGS) as speech,
    ):
        whole = [event async for event in speech.stream(TEXT, delivery="whole", paced=False)]
        events = [event async for event in speech.stream(live(TEXT), delivery=delivery, paced=False)]
    assert audio(events) == audio(whole)
    sentences = [event for event in events if isinstance(event, Sentence)]
    assert [TEXT[each.char_start : each.char_end] for each in sentences] == [each.text for each in sentences]
    assert " ".join(each.text for each in sentences) == TEXT
    assert [replace(each, request_id="", sent_at_s=None) for each in sentences] == [
        replace(event, request_id="", sent_at_s=None) for event in whole if isinstance(event, Sentence)
    ]
    words = [word for event in events if isinstance(event, Timings) for word in event.words]
    assert [TEXT[word.char_start : word.char_end] for word in words] == [word.word for word in words]
    assert all(before.start_s <= after.start_s for before, after in pairwise(words))
    last = events[-1]
    assert isinstance(last, SynthesisComplete)
    assert words[-1].end_s <= last.duration_s
    assert last.first_audio_s is not None


MARKED = (
    "<think>First this. Then that.</think># A title\n\n- Milk and eggs\n- Bread [pause:700ms]\n\n"
    "That is **all.** Bye <!-- one. two. --> now. It costs $4.50, mostly. [pause: 1s]\n\nThe end"
)


async def test_markup_reasoning_and_pauses_sound_the_same_sentence_by_sentence() -> None:
    async with asyncio.timeout(30), speech_server() as server, connect(server.url, settings=SETTINGS) as speech:
        whole = [event async for event in speech.stream(MARKED, delivery="whole", paced=False)]
        events = [event async for event in speech.stream(live(MARKED), first_chunk="sentence", paced=False)]
    sentences = [event for event in events if isinstance(event, Sentence)]
    assert audio(events) == audio(whole)
    assert [each.text for each in sentences][3:5] == ["That is **all.**", "Bye  now."]
    wordings = [MARKED[each.char_start : each.char_end] for each in sentences]
    assert wordings[0] == "# A title"
    assert wordings[4:6] == ["Bye <!-- one. two. --> now.", "It costs $4.50, mostly. [pause: 1s]"]


async def test_a_server_that_dies_and_comes_back_on_its_port_costs_no_sample() -> None:
    async with asyncio.timeout(30):
        async with speech_server() as server, connect(server.url, settings=SETTINGS) as speech:
            expected = audio([event async for event in speech.stream(TEXT, paced=False)])
        port = int(server.url.rpartition(":")[2])
        settings = replace(SETTINGS, max_reconnects=20, reconnect_delay_s=0.001)
        first = speech_server(port=port, drain_s=0.0)
        await first.__aenter__()
        heard: list[Event] = []
        async with connect(server.url, settings=settings) as speech:
            async for event in speech.stream(live(TEXT)):
                heard.append(event)
                if sum(isinstance(each, AudioChunk) for each in heard) == 2 and isinstance(event, AudioChunk):
                    await first.__aexit__(None, None, None)
                    second = speech_server(port=port)
                    await second.__aenter__()
        await second.__aexit__(None, None, None)
    assert audio(heard) == expected


async def test_a_server_that_dies_for_good_ends_the_answer_with_a_typed_error() -> None:
    async with asyncio.timeout(30):
        first = speech_server(drain_s=0.0)
        server = await first.__aenter__()
        async with connect(server.url, settings=SETTINGS) as speech:
            answer = speech.stream(TEXT * 20)
            while not isinstance(await anext(answer), AudioChunk):
                pass
            await first.__aexit__(None, None, None)
            with pytest.raises(TransportError, match="The answer was cut after"):
                [event async for event in answer]


async def test_a_cancel_ends_the_answer_and_the_next_one_is_whole() -> None:
    async with asyncio.timeout(30), speech_server() as server, connect(server.url, settings=SETTINGS) as speech:
        expected = audio([event async for event in speech.stream(TEXT, paced=False)])
        for delivery in ("sentences", "deltas", "whole"):
            events = []
            async for event in speech.stream(TEXT * 5, delivery=delivery):
                events.append(event)
                if isinstance(event, AudioChunk):
                    await speech.cancel()
            assert isinstance(events[-1], SynthesisCancelled)
            assert events[-1].audio_bytes == len(audio(events))
            assert audio([event async for event in speech.stream(TEXT, paced=False)]) == expected


@pytest.mark.parametrize(
    ("options", "code"),
    [({"voice": "nobody"}, "unknown_voice"), ({"speed": 9.0}, "bad_speed"), ({"language": "tlh"}, "bad_language")],
)
async def test_what_the_server_refuses_has_its_code_and_the_session_lives_on(
    options: dict[str, object], code: str
) -> None:
    async with asyncio.timeout(30), speech_server() as server, connect(server.url, settings=SETTINGS) as speech:
        with pytest.raises(RemoteError) as caught:
            [event async for event in speech.stream(TEXT, **options)]  # type: ignore[arg-type]  # what a test sets
        assert caught.value.code == code
        assert audio([event async for event in speech.stream("Hello there.")])


async def test_a_server_with_keys_wants_one() -> None:
    async with asyncio.timeout(30), speech_server(keys=("secret",)) as server:
        with pytest.raises(ConnectFailed, match="API key"):
            async with connect(server.url, settings=SETTINGS):
                pass
        async with connect(server.url, settings=SETTINGS, api_key="secret") as speech:
            assert audio([event async for event in speech.stream("Hello there.")])


async def test_a_full_server_is_asked_again_until_there_is_room() -> None:
    settings = replace(SETTINGS, max_reconnects=50, reconnect_delay_s=0.0)
    async with asyncio.timeout(30), speech_server(max_sessions=1) as server:
        async with connect(server.url, settings=SETTINGS) as first:
            answer = first.stream(TEXT)
            await anext(answer)
            async with connect(server.url, settings=replace(SETTINGS, max_reconnects=1)) as second:
                with pytest.raises(TransportError) as caught:
                    [event async for event in second.stream(TEXT)]
            assert caught.value.code == "overloaded"
            await answer.aclose()
        async with connect(server.url, settings=settings) as third:
            assert audio([event async for event in third.stream(TEXT, paced=False)])


async def test_a_long_text_for_a_file_is_not_held_to_the_pace_of_playback() -> None:
    async with asyncio.timeout(20), speech_server() as server, connect(server.url, settings=SETTINGS) as speech:
        events = [event async for event in speech.stream("This sentence is one of many. " * 60, paced=False)]
    assert len(audio(events)) > 60 * 48000


async def test_many_connections_at_once_are_answered_each_with_its_own() -> None:
    async with asyncio.timeout(30), speech_server() as server:

        async def one(number: int) -> bytes:
            async with connect(server.url, settings=SETTINGS, speed=1.5 if number % 2 else 1.0) as speech:
                return audio([event async for event in speech.stream(f"Number {number % 3} is here. And gone.")])

        heard = await asyncio.gather(*(one(number) for number in range(12)))
    for number in range(6):
        assert heard[number] == heard[number + 6]
    assert len({bytes(each) for each in heard}) == 6


STALLED = ["Well, it depends on what you need,", "but I would wait."]


@pytest.mark.parametrize("delivery", ["sentences", "deltas"])
async def test_a_model_that_stalls_with_nothing_left_to_hear_is_heard_up_to_its_last_clause(delivery: Delivery) -> None:
    heard_all = asyncio.Event()

    async def model() -> AsyncIterator[str]:
        yield STALLED[0] + " but"
        await heard_all.wait()
        yield " I would wait."

    stalling: dict[str, Any] = {"stall_flush_ms": 80, "stall_lead_ms": 60_000, "idle_flush_ms": 20}
    events: list[Event] = []
    async with (
        asyncio.timeout(30),
        speech_server(first_chunk="sentence", **stalling) as server,
        connect(server.url, first_chunk="sentence", settings=replace(SETTINGS, **stalling)) as speech,
    ):
        async for event in speech.stream(model(), delivery=delivery):
            events.append(event)
            if isinstance(event, AudioChunk):
                heard_all.set()
    assert [event.text for event in events if isinstance(event, Sentence)] == STALLED
