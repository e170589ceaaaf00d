"""Both doors, every mode: the same events in order, one end each, and no fault that is not told in band."""

import asyncio
from typing import Any

import pytest

from fakes.agent_peers import ENDS, Told, audio_of, kinds, session, talking, text_of
from fakes.speech_peer import spoken
from firstword.llm.scripted.script import Call, Fail, Reply, Say, Script, Stall
from firstword.protocol.messages import Error

pytestmark = pytest.mark.anyio

ANSWER = "Hello there, my friend. How do you do?"
SCRIPT = Script(
    replies=(
        Reply(when="time", turns=((Say(text="Let me look"), Call(name="clock")), (Say(text="It is noon."),))),
        Reply(when="sum", turns=((Call(name="calculator", arguments={"expression": "6 * 7"}),), (Say(text="Done."),))),
        Reply(when="think", turns=((Say(text="<think>Hm, what now?</think>" + ANSWER),),)),
        Reply(when="refuse", turns=((Fail(status=403),),)),
        Reply(when="busy", turns=((Fail(status=429),),)),
        Reply(when="break", turns=((Say(text="Well, first of all. And then"), Fail()),)),
        Reply(when="stall", turns=((Say(text=ANSWER + " And"), Stall(seconds=600)),)),
        Reply(turns=((Say(text=ANSWER),),)),
    ),
    tokens_per_s=0,
)


@pytest.mark.parametrize("mode", ["bidi", "batch", "whole"])
async def test_an_answer_is_told_and_spoken_whole_in_every_mode(mode: str) -> None:
    async with talking(SCRIPT) as caller:
        told = await caller.ask({"prompt": "Hi", "mode": mode, "request_id": "r1"}, session())

    assert told[0] == {"type": "agent_start", "request_id": "r1", "t_ms": 0.0, "mode": mode}
    assert text_of(told) == ANSWER
    assert told[-2]["type"] == "audio_stream_end"
    assert told[-2]["duration_s"] == pytest.approx(len(audio_of(told)) / 48000)
    assert told[-1]["type"] == "agent_end"
    assert told[-1]["usage"]["output_tokens"] > 0
    assert {event["request_id"] for event in told} == {"r1"}
    assert [event["t_ms"] for event in told] == sorted(event["t_ms"] for event in told)
    assert [event["seq"] for event in told if event["type"] == "audio_chunk"] == list(range(told[-2]["total_chunks"]))


async def test_batch_and_whole_speak_one_message_and_bidi_speaks_sentences() -> None:
    async with talking(SCRIPT) as caller:
        for mode in ("bidi", "batch"):
            await caller.ask({"prompt": "Hi", "mode": mode})
        whole = await caller.ask({"prompt": "Hi", "mode": "whole"})
        messages = caller.voice.texts()

    assert messages == ["Hello there, my friend.", "How do you do?", ANSWER]
    assert audio_of(whole) == spoken(ANSWER)
    assert "sentence" not in kinds(whole)


async def test_bidi_speaks_before_the_text_has_ended() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20):
        told: list[Told] = []
        async for event in caller.events({"prompt": "stall", "request_id": "r1"}, session()):
            told.append(event)
            if event["type"] == "audio_chunk":
                await caller.ask({"action": "cancel"}, session())

    assert "agent_end" not in kinds(told)
    assert kinds(told)[-1] == "interrupted"


async def test_the_socket_tells_the_same_with_audio_as_binary_frames() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20):
        over_sse = await caller.ask({"prompt": "Hi"})
        async with caller.socket(session()) as socket:
            await socket.send({"prompt": "Hi"})
            over_ws = await socket.until(*ENDS)
            await socket.send({"prompt": "Hi again"})
            again = await socket.until(*ENDS)

    assert audio_of(over_ws) == audio_of(over_sse) == audio_of(again)
    assert text_of(over_ws) == text_of(over_sse)
    assert [kind for kind in kinds(over_ws) if kind != "audio"] == [
        kind for kind in kinds(over_sse) if kind != "audio_chunk"
    ] or set(kinds(over_ws)) - {"audio"} == set(kinds(over_sse)) - {"audio_chunk"}


async def test_what_was_said_before_a_tool_call_is_spoken_before_the_tool_has_answered() -> None:
    async with talking(SCRIPT) as caller:
        told = await caller.ask({"prompt": "What time is it?"}, session())
        seen = caller.model.requests[-1]["messages"]

    sentences = [event for event in told if event["type"] == "sentence"]
    assert [sentence["text"] for sentence in sentences] == ["Let me look", "It is noon."]
    assert text_of(told) == "Let me look It is noon."
    assert [text_of(told)[s["char_start"] : s["char_end"]] for s in sentences] == ["Let me look", "It is noon."]
    assert [s["index"] for s in sentences] == [0, 1]
    assert sentences[1]["audio_offset_s"] == pytest.approx(len(spoken("Let me look")) / 48000)
    assert [message["role"] for message in seen] == ["system", "user", "assistant", "tool"]


async def test_a_tool_gives_the_model_its_result() -> None:
    async with talking(SCRIPT) as caller:
        told = await caller.ask({"prompt": "sum"}, session())
        seen = caller.model.requests[-1]["messages"]

    assert text_of(told) == "Done."
    assert seen[-1]["role"] == "tool"
    assert seen[-1]["content"] == "42"


async def test_reasoning_is_neither_told_nor_spoken() -> None:
    async with talking(SCRIPT) as caller:
        told = await caller.ask({"prompt": "think"})
        messages = caller.voice.texts()

    assert text_of(told) == ANSWER
    assert " ".join(messages) == ANSWER


async def test_a_conversation_remembers_and_does_not_hear_another() -> None:
    async with talking(SCRIPT) as caller:
        await caller.ask({"prompt": "I am Ann."}, session(1))
        await caller.ask({"prompt": "I am Bob."}, session(2))
        await caller.ask({"prompt": "Who am I?"}, session(1))
        seen = [message["content"] for message in caller.model.requests[-1]["messages"][1:]]

    assert [_plain(content) for content in seen] == ["I am Ann.", ANSWER, "Who am I?"]


def _plain(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


async def test_an_answer_cut_at_the_token_limit_ends_well_and_is_remembered() -> None:
    async with talking(SCRIPT, max_tokens=3) as caller:
        told = await caller.ask({"prompt": "Hi"}, session())
        await caller.ask({"prompt": "Go on"}, session())
        seen = caller.model.requests[-1]["messages"]

    assert told[-1]["type"] == "agent_end"
    assert text_of(told) == _plain(seen[2]["content"]) == "Hello there,"


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({}, "prompt_required"),
        ({"prompt": 5}, "bad_message"),
        ({"prompt": "Hi", "mode": "x"}, "bad_mode"),
        ({"prompt": "x" * 200_000}, "prompt_too_long"),
        ([1], "bad_message"),
        ({"prompt": "refuse"}, "model_denied"),
        ({"prompt": "busy"}, "model_throttled"),
        ({"prompt": "break"}, "model_failed"),
        ({"action": "cancel", "request_id": "never"}, "unknown_request"),
    ],
)
async def test_every_fault_is_one_typed_event_at_both_doors(payload: Any, code: str) -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20):
        over_sse = await caller.ask(payload, session(1))
        async with caller.socket(session(2)) as socket:
            await socket.send(payload)
            over_ws = await socket.until(*ENDS)
        after = await caller.ask({"prompt": "Hi"}, session(1))

    for told in (over_sse, over_ws):
        assert [event["code"] for event in told if event["type"] in ENDS] == [code]
        assert "Error" not in told[-1]["message"]
    assert after[-1]["type"] == "agent_end"


async def test_a_session_id_of_the_wrong_length_is_told() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20):
        over_sse = await caller.ask({"prompt": "Hi"}, "short")
        async with caller.socket("short") as socket:
            await socket.send({"prompt": "Hi"})
            over_ws = await socket.until(*ENDS)

    assert over_sse[-1]["code"] == over_ws[-1]["code"] == "bad_session_id"


async def test_a_frame_that_is_not_json_is_told_and_the_socket_lives_on() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20), caller.socket() as socket:
        await socket.websocket.send(b"\x00{]")
        broken = await socket.until(*ENDS)
        await socket.send({"prompt": "Hi"})
        told = await socket.until(*ENDS)

    assert broken[-1]["code"] == "bad_json"
    assert told[-1]["type"] == "agent_end"


async def test_a_second_request_on_a_busy_conversation_is_refused_and_the_first_goes_on() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20), caller.socket(session()) as socket:
        await socket.send({"prompt": "stall", "request_id": "first"})
        await socket.until("audio")
        refused = await caller.ask({"prompt": "Hi", "request_id": "second"}, session())
        busy = await caller.status()
        await socket.send({"action": "cancel"})
        first = await socket.until(*ENDS)

    assert (refused[-1]["code"], refused[-1]["request_id"]) == ("conversation_busy", "second")
    assert (first[-1]["type"], first[-1]["request_id"]) == ("interrupted", "first")
    assert busy == "HealthyBusy"


async def test_a_model_that_is_down_is_told() -> None:
    async with talking(SCRIPT, model="openai:http://127.0.0.1:9") as caller, asyncio.timeout(20):
        told = await caller.ask({"prompt": "Hi"})

    assert kinds(told) == ["agent_start", "error"]
    assert told[-1]["code"] == "model_unavailable"
    assert told[-1]["retryable"]


async def test_a_voice_that_is_down_is_told() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20):
        caller.voice.faults["refuse_sessions"] = set(range(100))
        told = await caller.ask({"prompt": "stall"})

    assert told[-1]["code"] == "speech_unavailable"


async def test_an_error_of_the_voice_keeps_its_code_and_stops_the_model() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(20):
        caller.voice.faults["error"] = Error(code="unknown_voice", message="There is no voice x.", request_id=None)
        told = await caller.ask({"prompt": "stall", "voice": "x"})
        await caller.model.left.wait()

    assert told[-1]["code"] == "unknown_voice"


async def test_the_agent_is_healthy_again_after_an_answer() -> None:
    async with talking(SCRIPT) as caller:
        before = await caller.status()
        await caller.ask({"prompt": "Hi"})
        after = await caller.status()

    assert before == after == "Healthy"
