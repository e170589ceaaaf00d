"""Barge-in at both doors: old audio stops, what was heard is right to the word, and the model sees only that."""

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from fakes.agent_peers import ENDS, Caller, Told, audio_of, kinds, session, talking, text_of
from fakes.speech_peer import spoken
from firstword.client.pauses import pause_after
from firstword.llm.scripted.script import Call, Reply, Say, Script, Stall
from firstword.protocol.messages import Cancel

pytestmark = pytest.mark.anyio

ANSWER = "The sea is wide. It is deep as well, and cold. Many ships have crossed it. Some of them came back."
SCRIPT = Script(
    replies=(
        Reply(when="Next", turns=((Say(text="Fine."),),)),
        Reply(when="ends", turns=((Say(text=ANSWER),),)),
        Reply(
            when="time",
            turns=((Say(text="Let me look"), Call(name="clock")), (Say(text="It is noon. And"), Stall(seconds=600))),
        ),
        Reply(when="sea", turns=((Say(text=ANSWER + " So"), Stall(seconds=600)),)),
    ),
    tokens_per_s=0,
)
SENTENCES = [
    "The sea is wide.",
    "It is deep as well, and cold.",
    "Many ships have crossed it.",
    "Some of them came back.",
]
SPOKEN = pause_after(".").join(spoken(sentence) for sentence in SENTENCES)
TEN_POINTS = [round(len(SPOKEN) / 48000 * point / 9, 3) for point in range(10)]


def _heard(told: list[Told], played_s: float) -> str:
    """What the timings say was heard: the text up to the last word that had been played to its end."""
    words = [word for event in told if event["type"] == "timings" for word in event["words"]]
    ends = [word["char_end"] for word in words if word["end_s"] <= played_s + 0.0005]
    return text_of(told)[: max(ends, default=0)]


def _seen(caller: Caller) -> list[tuple[str, str]]:
    """What the model was last asked: role and text of each message after the system prompt."""
    return [(m["role"], _plain(m["content"])) for m in caller.model.requests[-1]["messages"][1:]]


def _plain(content: Any) -> str:
    return content if isinstance(content, str) else " ".join(part["text"] for part in content)


def _then_fine(heard: str) -> list[tuple[str, str]]:
    if not heard:
        return [("user", "Tell me of the sea. Next.")]
    return [("user", "Tell me of the sea."), ("assistant", heard), ("user", "Next.")]


@pytest.mark.parametrize("played_s", TEN_POINTS)
async def test_over_the_socket(played_s: float) -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(30), caller.socket(session()) as socket:
        await socket.send({"prompt": "Tell me of the sea.", "request_id": "r1"})
        told: list[Told] = []
        while audio_of(told) != SPOKEN:
            told.append(await socket.next())
        await socket.send({"action": "cancel", "request_id": "r1", "played_s": played_s})
        told += await socket.until(*ENDS)
        await caller.model.left.wait()
        await socket.send({"prompt": "Next.", "request_id": "r2"})
        after = await socket.until(*ENDS)

    end = told[-1]
    assert (end["type"], end["request_id"]) == ("interrupted", "r1")
    assert end["heard_text"] == text_of(told)[: end["char_end"]] == _heard(told, played_s)
    assert {event.get("request_id", "r2") for event in after} == {"r2"}
    assert after[-1]["type"] == "agent_end"
    assert _seen(caller) == _then_fine(end["heard_text"])


@pytest.mark.parametrize("played_s", TEN_POINTS)
async def test_over_sse(played_s: float) -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(30):
        told: list[Told] = []
        acknowledged: list[Told] = []
        async for event in caller.events({"prompt": "Tell me of the sea.", "request_id": "r1"}, session()):
            told.append(event)
            if event["type"] == "audio_chunk" and audio_of(told) == SPOKEN:
                acknowledged = await caller.ask({"action": "cancel", "played_s": played_s}, session())
        await caller.model.left.wait()
        after = await caller.ask({"prompt": "Next."}, session())

    assert told[-1]["type"] == "interrupted"
    assert acknowledged == told[-1:]
    assert told[-1]["heard_text"] == _heard(told, played_s)
    assert after[-1]["type"] == "agent_end"
    assert _seen(caller) == _then_fine(told[-1]["heard_text"])


async def test_no_audio_follows_the_acknowledgement_and_both_stop_at_once() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(30), caller.socket(session()) as socket:
        await socket.send({"prompt": "Tell me of the sea.", "request_id": "r1"})
        await socket.until("audio")
        await socket.send({"action": "cancel", "request_id": "r1", "played_s": 0.0})
        told = await socket.until("interrupted")
        await caller.model.left.wait()
        await socket.send({"prompt": "Next.", "request_id": "r2"})
        after = await socket.until(*ENDS)

    assert kinds(told)[-1] == "interrupted"
    assert audio_of(after) == spoken("Fine.")
    assert any(isinstance(message, Cancel) for _, message in caller.voice.peers[0].received)


async def test_without_played_s_the_listener_is_taken_to_have_heard_from_the_first_sound() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(30), caller.socket(session()) as socket:
        await socket.send({"prompt": "Tell me of the sea."})
        await socket.until("audio")
        await socket.send({"action": "cancel"})
        told = await socket.until("interrupted")

    assert ANSWER.startswith(told[-1]["heard_text"])


async def test_a_cancel_during_a_tool_turn_keeps_the_call_if_something_after_it_was_heard() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(30), caller.socket(session()) as socket:
        await socket.send({"prompt": "What time is it?"})
        told: list[Told] = []
        while audio_of(told) != spoken("Let me look") + spoken("It is noon."):
            told.append(await socket.next())
        await socket.send({"action": "cancel", "played_s": 0.19})
        told += await socket.until("interrupted")
        await socket.send({"prompt": "Next."})
        await socket.until(*ENDS)

    assert told[-1]["heard_text"] == "Let me look It is"
    assert [role for role, _ in _seen(caller)] == ["user", "assistant", "tool", "assistant", "user"]
    assert _seen(caller)[3] == ("assistant", "It is")


async def test_a_cancel_after_the_end_still_cuts_what_is_remembered() -> None:
    """All audio is sent ahead of playback, so the listener may interrupt what the agent has finished."""
    async with talking(SCRIPT) as caller, asyncio.timeout(30), caller.socket(session()) as socket:
        await socket.send({"prompt": "How it ends", "request_id": "r1"})
        told = await socket.until(*ENDS)
        await socket.send({"action": "cancel", "request_id": "r1", "played_s": 0.16})
        late = await socket.until("interrupted")
        await socket.send({"prompt": "Next."})
        await socket.until(*ENDS)

    assert told[-1]["type"] == "agent_end"
    assert late[-1]["heard_text"] == "The sea is wide."
    assert _seen(caller)[1] == ("assistant", "The sea is wide.")


async def test_a_lost_socket_stops_model_and_voice_and_frees_the_conversation() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(30):
        async with caller.socket(session()) as socket:
            await socket.send({"prompt": "Tell me of the sea."})
            await socket.until("audio")
        await caller.model.left.wait()
        after = await caller.ask({"prompt": "Next."}, session())
        while after[-1].get("code") == "conversation_busy":
            after = await caller.ask({"prompt": "Next."}, session())
        status = await caller.status()

    assert after[-1]["type"] == "agent_end"
    assert status == "Healthy"


async def test_one_caller_who_leaves_changes_nothing_for_the_other() -> None:
    async with talking(SCRIPT) as caller, asyncio.timeout(30):
        alone = await caller.ask({"prompt": "How it ends"}, session(1))
        async with caller.socket(session(2)) as leaving:
            await leaving.send({"prompt": "Tell me of the sea."})
            await leaving.until("audio")
            beside = asyncio.create_task(caller.ask({"prompt": "How it ends"}, session(3)))
        await caller.model.left.wait()
        with_other = await beside

    assert audio_of(with_other) == audio_of(alone) == SPOKEN


async def test_a_reader_over_sse_who_is_seen_to_leave_stops_the_answer() -> None:
    """The SDK sees a local caller leave when it has the next event for it."""
    endless = Script(replies=(Reply(turns=((Say(text="And so on. " * 5000),),)),), tokens_per_s=100)
    async with talking(endless, max_tokens=100_000) as caller, asyncio.timeout(30):
        async with aclosing(caller.events({"prompt": "Go."}, session())) as events:
            async for event in events:
                if event["type"] == "audio_chunk":
                    break
        await caller.model.left.wait()
        told = await caller.ask({"action": "cancel", "played_s": 0.1}, session())

    assert told[-1]["type"] in ("interrupted", "error")
