"""The agent on the real speech server (test voice), directly and behind the AWS emulator with unmodified SDKs."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from fakes.agent_peers import ENDS, Caller, Told, audio_of, kinds, session, talking, text_of
from fakes.patient import patient
from fakes.speech_server import speech_server
from firstword.emulator.emulator import Behind, Emulator, run_emulator
from firstword.emulator.faults import parse_plan
from firstword.listen import listening
from firstword.llm.scripted.script import Call, Reply, Say, Script
from firstword.llm.scripted.server import ScriptedModel

pytestmark = pytest.mark.anyio

ANSWER = (
    "The sea is wide and very deep, and it is cold. Many ships have crossed it, some of them came back. "
    "Nobody asks the fishes."
)
SIX_BY_SEVEN = Call(name="calculator", arguments={"expression": "6*7"})
SCRIPT = Script(
    replies=(
        Reply(when="Next", turns=((Say(text="Fine."),),)),
        Reply(when="sum", turns=((Say(text="I calculate."), SIX_BY_SEVEN), (Say(text="It is done."),))),
        Reply(turns=((Say(text=ANSWER),),)),
    ),
    tokens_per_s=200,
)


@asynccontextmanager
async def _speaking(*, max_lead_s: float = 60.0) -> AsyncIterator[Caller]:
    async with speech_server(max_lead_s=max_lead_s) as server, talking(SCRIPT, speech=server.url) as caller:
        yield caller


@pytest.mark.parametrize("mode", ["bidi", "batch", "whole"])
async def test_every_mode_tells_all_the_text_and_speaks_all_of_it(mode: str) -> None:
    async with _speaking() as caller, asyncio.timeout(60):
        told = await caller.ask({"prompt": "Go.", "mode": mode, "voice": "af_bella"})

    assert text_of(told) == ANSWER
    start = next(event for event in told if event["type"] == "audio_stream_start")
    assert (start["voice"], start["sample_rate"], start["format"]) == ("af_bella", 24_000, "pcm_s16le")
    assert len(audio_of(told)) == pytest.approx(48_000 * told[-2]["duration_s"], abs=2)
    assert not audio_of(told).startswith(b"RIFF")


async def test_bidi_sends_its_first_sentence_while_the_model_writes_and_batch_after_it() -> None:
    sent: dict[str, tuple[float, float]] = {}
    async with _speaking() as caller, asyncio.timeout(60):
        for mode in ("bidi", "batch"):
            told = await caller.ask({"prompt": "Go.", "mode": mode})
            text_end_ms = max(event["t_ms"] for event in told if event["type"] == "text_delta")
            first = next(event for event in told if event["type"] == "sentence")
            sent[mode] = first["sent_ms"], text_end_ms
            assert first["sent_ms"] <= first["t_ms"]

    assert sent["bidi"][0] < sent["bidi"][1]
    assert sent["batch"][0] >= sent["batch"][1]


async def test_sentences_and_words_lie_in_order_in_text_and_audio() -> None:
    async with _speaking() as caller, asyncio.timeout(60):
        told = await caller.ask({"prompt": "Go."})

    words = [word for event in told if event["type"] == "timings" for word in event["words"]]
    assert [ANSWER[word["char_start"] : word["char_end"]] for word in words] == [word["word"] for word in words]
    assert all(before["end_s"] <= after["start_s"] + 0.001 for before, after in pairwise(words))
    assert words[-1]["end_s"] <= len(audio_of(told)) / 48_000 + 0.05
    sentences = [event for event in told if event["type"] == "sentence"]
    assert all(ANSWER[one["char_start"] : one["char_end"]] == one["text"] for one in sentences)


@pytest.mark.parametrize("door", ["sse", "ws"])
async def test_barge_in_on_a_voice_that_keeps_pace_with_its_listener(door: str) -> None:
    """Audio is sent 0.5 s ahead, so most of it is not there yet when the listener speaks."""
    async with _speaking(max_lead_s=0.5) as caller, asyncio.timeout(60):
        told = await (_interrupted_over_sse(caller) if door == "sse" else _interrupted_over_ws(caller))
        await caller.ask({"prompt": "Next."}, session())
        remembered = caller.model.requests[-1]["messages"][2]["content"]

    words = [word for event in told if event["type"] == "timings" for word in event["words"]]
    heard = ANSWER[: max(word["char_end"] for word in words if word["end_s"] <= 1.5005)]
    assert told[-1]["type"] == "interrupted"
    assert told[-1]["heard_text"] == heard
    assert (remembered if isinstance(remembered, str) else remembered[0]["text"]) == heard


async def _interrupted_over_sse(caller: Caller) -> list[Told]:
    told: list[Told] = []
    stopped = False
    async for event in caller.events({"prompt": "Go.", "request_id": "r1"}, session()):
        told.append(event)
        if not stopped and len(audio_of(told)) > 1.6 * 48_000:
            stopped = True
            await caller.ask({"action": "cancel", "request_id": "r1", "played_s": 1.5}, session())
    return told


async def _interrupted_over_ws(caller: Caller) -> list[Told]:
    told: list[Told] = []
    async with caller.socket(session()) as socket:
        await socket.send({"prompt": "Go.", "request_id": "r1"})
        while len(audio_of(told)) <= 1.6 * 48_000:
            told.append(await socket.next())
        await socket.send({"action": "cancel", "request_id": "r1", "played_s": 1.5})
        return told + await socket.until("interrupted")


@pytest.mark.parametrize("mode", ["bidi", "batch", "whole"])
async def test_an_unknown_voice_is_told_with_the_servers_code(mode: str) -> None:
    async with _speaking() as caller, asyncio.timeout(60):
        told = await caller.ask({"prompt": "Go.", "mode": mode, "voice": "zz_nobody"})
        after = await caller.ask({"prompt": "Next.", "mode": mode})

    assert (told[-1]["type"], told[-1]["code"]) == ("error", "unknown_voice")
    assert after[-1]["type"] == "agent_end"


@asynccontextmanager
async def _on_aws(monkeypatch: pytest.MonkeyPatch, *faults: str) -> AsyncIterator[tuple[Caller, Emulator]]:
    """Bedrock for the model and SageMaker for the voice, both emulated; the scripted model stands behind Bedrock."""
    model = ScriptedModel(SCRIPT)
    async with speech_server() as server, listening(model.app) as llm:
        behind = Behind(endpoints={"speech": server.url}, bedrock_url=llm)
        async with run_emulator(patient(h2="h2c"), behind, parse_plan(faults)) as emulator:
            for name, value in emulator.exports.items():
                monkeypatch.setenv(name, value)
            async with talking(SCRIPT, speech="endpoint:speech", model="bedrock:us.any-model") as caller:
                caller.model = model
                yield caller, emulator


@pytest.mark.parametrize("mode", ["bidi", "batch", "whole"])
async def test_the_same_agent_runs_on_bedrock_and_sagemaker(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _on_aws(monkeypatch) as (caller, _), asyncio.timeout(60):
        told = await caller.ask({"prompt": "sum", "mode": mode}, session())
        seen = caller.model.requests[-1]["messages"]

    assert told[-1]["type"] == "agent_end"
    assert text_of(told) == "I calculate. It is done."
    assert len(audio_of(told)) > 48_000
    assert [message["role"] for message in seen] == ["system", "user", "assistant", "tool"]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("throttle@converse-stream", "model_throttled"),
        ("access-denied@converse-stream", "model_denied"),
        ("expired-token@converse-stream", "model_denied"),
    ],
)
async def test_what_bedrock_refuses_is_a_typed_event(fault: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _on_aws(monkeypatch, fault) as (caller, _), asyncio.timeout(60):
        told = await caller.ask({"prompt": "Go."}, session())

    assert told[-1]["type"] == "error"
    assert told[-1]["code"] == code


@pytest.mark.parametrize(
    ("fault", "code"),
    [("stream-throttle", "model_throttled"), ("stream-error", "model_failed"), ("drop-mid-stream", "model_failed")],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_bedrock_stream_that_breaks_is_a_typed_event(
    fault: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _on_aws(monkeypatch, f"{fault}:3@converse-stream") as (caller, _), asyncio.timeout(60):
        told = await caller.ask({"prompt": "Go."}, session())
    gc.collect()  # boto leaves a broken stream's socket to the collector, which warns

    assert (told[-1]["type"], told[-1]["code"]) == ("error", code)


async def test_an_endpoint_that_is_not_there_is_a_typed_event(monkeypatch: pytest.MonkeyPatch) -> None:
    async with _on_aws(monkeypatch), talking(SCRIPT, speech="endpoint:missing") as caller, asyncio.timeout(60):
        told = {mode: await caller.ask({"prompt": "Go.", "mode": mode}) for mode in ("bidi", "whole")}

    assert [events[-1]["type"] for events in told.values()] == ["error", "error"]
    assert all(events[-1]["code"] for events in told.values())


async def test_a_cancel_on_bedrock_stops_and_cuts_as_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    async with _on_aws(monkeypatch) as (caller, _), asyncio.timeout(60), caller.socket(session()) as socket:
        await socket.send({"prompt": "Go."})
        await socket.until("audio")
        await socket.send({"action": "cancel", "played_s": 0.0})
        told = await socket.until(*ENDS)
        await socket.send({"prompt": "Next."})
        after = await socket.until(*ENDS)

    assert kinds(told)[-1] == "interrupted"
    assert after[-1]["type"] == "agent_end"
    assert text_of(after) == "Fine."
