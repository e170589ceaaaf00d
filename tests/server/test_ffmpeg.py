"""ffmpeg itself, as a client of the running server: it posts, reads the stream and decodes every format at every rate.

It is the one that comes with a package, so that no machine needs an installation of its own.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping

import httpx
import imageio_ffmpeg
import pytest

from fakes.alignment import likeness
from fakes.speech_server import RunningServer, speech_server
from firstword.audio import duration_s
from firstword.codecs.formats import FORMATS
from firstword.kokoro.tone import ToneVoice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

TEXT = "Hello there. This is a second sentence."
EVERY = [(entry.name, rate_hz) for entry in FORMATS.values() for rate_hz in entry.rates_hz]
HEADERLESS = {"pcm": "s16le", "ulaw": "mulaw"}
LOSSLESS = ("wav", "pcm", "flac")


@pytest.fixture(scope="module")
async def server(anyio_backend: str) -> AsyncIterator[RunningServer]:
    async with speech_server(ToneVoice(steps=6)) as running:
        yield running


@pytest.fixture(scope="module")
async def reference(server: RunningServer) -> bytes:
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        return (await client.post("/invocations", json={"text": TEXT, "format": "pcm"})).content


async def _ffmpeg(url: str, body: Mapping[str, object], source: list[str]) -> bytes:
    """What ffmpeg decodes of the answer, at 24 kHz; it must have nothing to say about it."""
    # With its own `Connection: close` this ffmpeg takes the end of a chunked answer for an error.
    post = ["-multiple_requests", "1", "-headers", "Content-Type: application/json\r\n"]
    post += ["-post_data", json.dumps(body).encode().hex()]
    decoded = ["-f", "s16le", "-ac", "1", "-ar", "24000", "-"]
    process = await asyncio.create_subprocess_exec(
        imageio_ffmpeg.get_ffmpeg_exe(), "-nostdin", "-v", "error", *post, *source, "-i", url, *decoded,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(30):
        pcm, said = await process.communicate()
    assert (process.returncode, said.decode()) == (0, "")
    return pcm


def _source(name: str, rate_hz: int) -> list[str]:
    return ["-f", HEADERLESS[name], "-ar", str(rate_hz), "-ac", "1"] if name in HEADERLESS else []


@pytest.mark.parametrize(("name", "rate_hz"), EVERY)
async def test_ffmpeg_decodes_every_format_at_every_rate_from_the_running_server(
    server: RunningServer, reference: bytes, name: str, rate_hz: int
) -> None:
    body = {"text": TEXT, "format": name, "sample_rate": rate_hz}
    pcm = await _ffmpeg(f"{server.url}/invocations", body, _source(name, rate_hz))
    two_frames_s = 2 * 1_152 / rate_hz  # what an encoder puts before and behind, where the container cannot say so
    assert duration_s(len(pcm)) == pytest.approx(duration_s(len(reference)), abs=0.02 + two_frames_s)
    assert likeness(reference, pcm) > 0.95
    if name in LOSSLESS and rate_hz == 24_000:
        assert pcm == reference


@pytest.mark.parametrize("name", ["mp3", "opus", "aac", "flac", "wav", "pcm"])
async def test_ffmpeg_decodes_what_openais_route_streams(server: RunningServer, reference: bytes, name: str) -> None:
    body = {"input": TEXT, "response_format": name, "voice": "marin"}
    pcm = await _ffmpeg(f"{server.url}/v1/audio/speech", body, _source(name, FORMATS[name].default_rate_hz))
    assert likeness(reference, pcm) > 0.95
