"""What arrives is what the voice made: no click, no gap, no sample twice, at any chunk, sentence or codec join."""

from collections.abc import AsyncIterator
from itertools import accumulate

import httpx
import pytest

from contract.wire import Received, UrlPeer, answers
from fakes.speech_server import RunningServer, speech_server
from firstword.audio import duration_s, silence
from firstword.bench.joins import find_faults
from firstword.codecs.decoder import decode_whole
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.loader import load_synthesizer
from firstword.kokoro.synthesizer import CancelToken, Synthesizer, VoiceOptions
from firstword.speech.script import Script
from firstword.text.chunker import IncrementalSentenceChunker

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(280)]

# No word of it is a tone whose period divides a block that the fault finder compares: such a tone does repeat itself.
TEXT = "The river ran past the mill, and on. Water saw it go. It was night."
FORMATS = {"tone": ["wav", "flac", "mp3", "aac", "mp4", "opus", "webm"], "kokoro": ["mp3", "mp4", "opus"]}
"""The real voice takes its time, so it goes through the lossy codecs only, each once."""


@pytest.fixture(scope="module", params=["tone", pytest.param("kokoro", marks=pytest.mark.model)])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def voice(engine: str) -> Synthesizer:
    return load_synthesizer(VoiceSettings(engine=engine), AssetSettings.load())


@pytest.fixture(scope="module")
async def server(anyio_backend: str, voice: Synthesizer) -> AsyncIterator[RunningServer]:
    async with speech_server(voice, max_lead_s=100.0) as running:
        yield running


@pytest.fixture(scope="module")
async def received(server: RunningServer) -> Received:
    async with UrlPeer(server.url).session() as wire:
        return await answers(wire, {"text": TEXT, "request_id": "a"}, until="synthesis_complete")


def _frames(received: Received) -> list[bytes]:
    return [frame for frame in received.frames if isinstance(frame, bytes)]


def _faults(frames: list[bytes]) -> list[str]:
    """Of these frames one behind another, every place between two of them a join."""
    joins_s = [duration_s(end) for end in accumulate(len(frame) for frame in frames[:-1])]
    return [fault.kind for fault in find_faults(b"".join(frames), joins_s)]


def _made(voice: Synthesizer) -> bytes:
    """The text as the voice makes it, piece by piece, with the pauses that its punctuation asks for."""
    script = Script(voice, VoiceOptions(), IncrementalSentenceChunker("en-us", "sentence"))
    script.feed(TEXT)
    script.finish()
    pcm, pause_s = b"", 0.0
    while script.has_sentence:
        if (sentence := script.next_sentence()) is None:
            continue
        for planned in sentence.pieces:
            pcm += silence(pause_s) + b"".join(iter(voice.begin(planned.piece, CancelToken()).step, None))
            pause_s = planned.pause_after_s
    return pcm


async def test_a_session_delivers_every_sample_that_was_made_once_and_without_a_fault(
    received: Received, voice: Synthesizer
) -> None:
    frames = _frames(received)
    assert len(frames) > 10
    assert received.audio == _made(voice)
    assert _faults(frames) == []


async def test_sentences_begin_after_the_pause_that_their_punctuation_asks_for(received: Received) -> None:
    offsets = [round(sentence["audio_offset_s"] * 48_000) for sentence in received.messages("sentence")]
    assert len(offsets) == 3
    for offset in offsets[1:]:
        assert not any(received.audio[offset - len(silence(0.35)) : offset])
        assert any(received.audio[offset - len(silence(0.36)) : offset])


async def test_streamed_formats_decode_without_a_fault(server: RunningServer, engine: str) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60.0, trust_env=False) as client:
        for form in FORMATS[engine]:
            data = (await client.post("/invocations", json={"text": TEXT, "format": form})).content
            pcm, rate_hz = decode_whole(data, form)
            assert find_faults(pcm, sample_rate_hz=rate_hz) == [], form


def _loud_join(frames: list[bytes]) -> int:
    """A place between two frames with sound on both sides."""
    return next(
        at
        for at in range(2, len(frames) - 1)
        if len(frames[at]) > 2_000
        and all(frames[at - 1][-2_000:][i : i + 200].strip(b"\0") for i in range(0, 2_000, 200))
        and all(frames[at][:2_000][i : i + 200].strip(b"\0") for i in range(0, 2_000, 200))
    )


@pytest.mark.parametrize("fault", ["gap", "click", "repeat"])
async def test_a_fault_put_in_between_two_frames_is_found(received: Received, fault: str) -> None:
    frames = _frames(received)
    at = _loud_join(frames)
    match fault:
        case "gap":
            frames[at] = silence(0.005) + frames[at]
        case "click":
            frames[at] = b"\xff\x7f" + frames[at][2:]
        case _:
            frames.insert(at, frames[at - 1])
    assert fault in _faults(frames)
