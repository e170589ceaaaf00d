"""The server with the real weights: what no test voice can show."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from contract.wire import SessionWire, SpeechPeer, UrlPeer, answers
from fakes.running import Diary, one_window
from fakes.speech_server import speech_server
from firstword.audio import first_audible_s
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.loader import load_synthesizer

pytestmark = [pytest.mark.anyio, pytest.mark.model, pytest.mark.timeout(280)]

# The published sentences and the seconds they take in voice af_heart, silence at both ends included.
REFERENCE = {
    "Hello there.": 1.525,
    "This is a post deployment check.": 2.250,
    "It has three sentences.": 2.050,
}


@pytest.fixture(scope="module")
def diary() -> Iterator[Diary]:
    """What became of every run of the voice."""
    diary = Diary()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("firstword.kokoro.synthesis.open_backend", diary.open_backend)
        yield diary


_OPENVINO = pytest.mark.skipif(find_spec("openvino") is None, reason="an extra")


@pytest.fixture(scope="module", params=["onnxruntime", pytest.param("openvino", marks=_OPENVINO)])
async def speech(
    anyio_backend: str, real_assets: Path, diary: Diary, request: pytest.FixtureRequest
) -> AsyncIterator[SpeechPeer]:
    settings = AssetSettings(source=f"dir:{real_assets}")
    voice = load_synthesizer(VoiceSettings(backend=request.param), settings)
    async with speech_server(voice, min_listeners=5) as server:
        yield UrlPeer(server.url)


async def test_the_reference_sentences_take_the_published_time_over_one_session(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        for text, seconds in REFERENCE.items():
            received = await answers(wire, {"text": text, "trim": False}, until="synthesis_complete")
            complete = received.messages("synthesis_complete")[0]
            assert complete["total_duration_s"] == pytest.approx(seconds, abs=0.06)
            assert complete["audio_bytes"] == len(received.audio) == round(complete["total_duration_s"] * 48_000)


async def test_live_text_and_the_same_text_whole_are_both_spoken_without_silence_in_front(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        whole = await answers(wire, {"text": "Hello there.", "request_id": "a"}, until="synthesis_complete")
        live = [{"type": "text_delta", "text": part, "request_id": "b"} for part in ("Hello ", "there.")]
        end = {"type": "text_end", "request_id": "b"}
        spoken = await answers(wire, *live, end, until="synthesis_complete")
    assert spoken.audio == whole.audio
    onset_s = first_audible_s(whole.audio)
    assert onset_s is not None
    assert onset_s < 0.15


async def test_a_running_inference_is_ended_by_cancel_and_the_next_answer_is_whole(
    speech: SpeechPeer, diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "The quick brown fox jumps over the lazy dog, and then it runs away into the dark and silent wood. "
    async with speech.session() as wire:
        alone = await _hello(wire, "alone")
        begun, ended = len(diary.begun), len(diary.ended)
        with monkeypatch.context() as patched:
            patched.setattr("firstword.kokoro.generator.windowed.windows", one_window)
            await answers(wire, {"text": text * 3, "request_id": "a"}, until="synthesis_start")
            await diary.until_begun(lambda name: name not in ("front", "body"), begun)
            await answers(wire, {"type": "cancel", "request_id": "a"}, until="synthesis_cancelled")
        assert await _hello(wire, "after") == alone
    assert "cut" in [end for _, end in diary.ended[ended:]]


async def _hello(wire: SessionWire, name: str) -> bytes:
    return (await answers(wire, {"text": "Hello there.", "request_id": name}, until="synthesis_complete")).audio


async def test_four_that_speak_at_once_get_the_audio_they_would_get_alone_while_others_come_and_are_cut(
    speech: SpeechPeer,
) -> None:
    texts = [f"Number {word} is called now." for word in ("one", "two", "three", "four")]

    async def say(text: str) -> bytes:
        async with speech.session() as wire:
            return (await answers(wire, {"text": text}, until="synthesis_complete")).audio

    async def begin_and_cut() -> None:
        async with speech.session() as wire:
            for number in range(2):
                asked = {"text": "This one never comes to its end, for it is cut.", "request_id": f"cut {number}"}
                await answers(wire, asked, until="sentence")
                await answers(wire, {"type": "cancel", "request_id": asked["request_id"]}, until="synthesis_cancelled")

    alone = [await say(text) for text in texts]
    together = await asyncio.gather(*map(say, texts), begin_and_cut())
    assert together[:4] == alone
