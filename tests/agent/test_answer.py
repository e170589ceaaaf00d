"""An answer whose reader is slow, gone or deaf ends within its deadline, and its conversation is free again."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.websockets import WebSocket

from fakes.agent_peers import PeerVoice, session
from firstword.agent.conversations import Conversations
from firstword.agent.door import Door
from firstword.agent.outbox import Audio, Outbox
from firstword.agent.request import Ask, Cancel
from firstword.agent.websocket import serve_socket
from firstword.config import AgentSettings
from firstword.errors import AgentError, RequestRefused
from firstword.listen import listening
from firstword.llm.scripted.script import Reply, Say, Script, Stall
from firstword.llm.scripted.server import ScriptedModel
from firstword.protocol.events import AgentEnd, AgentStart, Interrupted

pytestmark = pytest.mark.anyio

_LONG = (Say(text="One and two and three, and so it goes on. " * 60), Stall(seconds=600))
LONG = Script(replies=(Reply(turns=(_LONG,)),), tokens_per_s=0)


@asynccontextmanager
async def _door(script: Script = LONG, **settings: Any) -> AsyncIterator[tuple[Door, ScriptedModel]]:
    model = ScriptedModel(script)
    async with listening(model.app) as url:
        chosen = AgentSettings(**{"model": f"openai:{url}", "max_tokens": 10_000, **settings})
        conversations = Conversations(chosen)
        yield Door(chosen, conversations, PeerVoice()), model
        await conversations.aclose()


async def test_an_outbox_keeps_order_and_waits_for_room() -> None:
    outbox = Outbox(5.0, max_items=2)
    start, end = AgentStart(request_id="r", t_ms=0, mode="bidi"), AgentEnd(request_id="r", t_ms=1)
    await outbox.put(start)
    await outbox.put(start)
    waiting = asyncio.create_task(outbox.put(end))
    taken = [await outbox.take(), await outbox.take(), await outbox.take()]
    await waiting
    outbox.close()

    assert taken == [start, start, end]
    assert await outbox.take() is None


async def test_an_outbox_that_nobody_empties_says_so() -> None:
    outbox = Outbox(0.01, max_items=1)
    await outbox.put(AgentStart(request_id="r", t_ms=0, mode="bidi"))

    with pytest.raises(AgentError) as caught:
        await outbox.put(AgentEnd(request_id="r", t_ms=1))

    assert caught.value.code == "reader_gone"


async def test_an_answer_that_nobody_takes_is_stopped_and_frees_its_conversation() -> None:
    async with _door(reader_timeout_s=0.2) as (door, model), asyncio.timeout(30):
        items = door.answer(Ask(prompt="Go.", request_id="r1"), session()).items()
        while not isinstance(await anext(items), Audio):
            pass
        await model.left.wait()
        rest = [item async for item in items]

        assert isinstance(rest[-1], Interrupted)
        assert not door.conversations.busy


async def test_a_reader_who_stops_reading_stops_the_answer() -> None:
    async with _door() as (door, model), asyncio.timeout(30):
        items = door.answer(Ask(prompt="Go.", request_id="r1"), session()).items()
        while not isinstance(await anext(items), Audio):
            pass
        await items.aclose()
        await model.left.wait()

        assert not door.conversations.busy


async def test_a_socket_that_takes_nothing_is_dropped_in_time() -> None:
    asked = [
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "text": json.dumps({"prompt": "Go."})},
    ]

    async def receive() -> Any:
        return asked.pop(0) if asked else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        if message["type"] == "websocket.send":
            await asyncio.Event().wait()

    async with _door(reader_timeout_s=0.2) as (door, _), asyncio.timeout(30):
        await serve_socket(door, WebSocket({"type": "websocket"}, receive, send), session())

        assert not door.conversations.busy


async def test_the_longest_unused_conversation_goes_first_and_a_running_one_never() -> None:
    async with _door(max_conversations=2) as (door, _), asyncio.timeout(30):
        running = door.answer(Ask(prompt="Go.", request_id="r1"), session(1)).items()
        await anext(running)
        for number in (2, 3):
            brief = door.answer(Ask(prompt="Hi", request_id=f"r{number}"), session(number)).items()
            await anext(brief)
            await brief.aclose()
        kept = [door.conversations.find(session(number), None) is not None for number in (1, 2, 3)]
        other = door.answer(Ask(prompt="Go.", request_id="r4"), session(4)).items()
        await anext(other)
        with pytest.raises(RequestRefused) as caught:
            door.answer(Ask(prompt="Hi", request_id="r5"), session(5))
        await running.aclose()
        await other.aclose()

    assert kept == [True, False, True]
    assert caught.value.code == "overloaded"


async def test_a_cancel_that_races_the_end_gets_one_answer() -> None:
    async with _door(Script.saying("Short.")) as (door, _), asyncio.timeout(30):
        for turn in range(10):
            items = door.answer(Ask(prompt="Go.", request_id=f"r{turn}"), session()).items()
            told = [await anext(items) for _ in range(1 + turn // 2)]
            cut = asyncio.create_task(door.cancel(Cancel(played_s=0.0), session()))
            told += [item async for item in items]
            ends = [item for item in told if isinstance(item, AgentEnd | Interrupted)]

            assert len(ends) == 1
            assert (await cut).event.heard_text == ""


async def test_without_a_session_id_only_an_answer_without_one_can_be_cancelled() -> None:
    async with _door() as (door, _), asyncio.timeout(30):
        named = door.answer(Ask(prompt="Go.", request_id="named"), session()).items()
        nameless = door.answer(Ask(prompt="Go.", request_id="nameless"), None).items()
        await anext(named)
        await anext(nameless)
        for wrong in ("named", None):
            with pytest.raises(RequestRefused):
                await door.cancel(Cancel(request_id=wrong), None)
        cut = await door.cancel(Cancel(request_id="nameless"), None)
        await named.aclose()
        await nameless.aclose()

    assert cut.event.request_id == "nameless"
