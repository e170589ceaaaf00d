"""A real Chromium plays or decodes every format that the running server streams, and hears what was said."""

import base64
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from playwright.sync_api import Browser, Page

from fakes.alignment import likeness
from fakes.speech_server import speech_server
from firstword.codecs.formats import FORMATS
from firstword.kokoro.tone import ToneVoice

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

TEXT = "Hello there. This is a second sentence."
DECODED = ("wav", "mp3", "aac", "mp4", "opus", "webm", "flac")
APPENDED = {
    "mp3": "audio/mpeg",
    "aac": "audio/aac",
    "mp4": 'audio/mp4; codecs="mp4a.40.2"',
    "webm": 'audio/webm; codecs="opus"',
}
"""What Media Source Extensions take."""

POST = """
const post = (form, text) => fetch("/invocations", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ text, format: form }),
});
const base64 = (buffer) => {
  let text = "";
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
};
"""
DECODE = (
    "async ([form, text]) => {"
    + POST
    + """
  const data = await (await post(form, text)).arrayBuffer();
  const audio = await new OfflineAudioContext(1, 1, 24000).decodeAudioData(data);
  const samples = audio.getChannelData(0);
  return base64(Int16Array.from(samples, (s) => Math.max(-32768, Math.min(32767, Math.round(s * 32768)))).buffer);
}"""
)
PLAY = (
    "async ([form, type, text]) => {"
    + POST
    + """
  const data = await (await post(form, text)).arrayBuffer();
  const player = new Audio(URL.createObjectURL(new Blob([data], { type })));
  player.muted = true;
  player.playbackRate = 8;
  await player.play();
  await new Promise((resolve, reject) => { player.onended = resolve; player.onerror = reject; });
  return player.currentTime;
}"""
)
APPEND = (
    "async ([form, type, text]) => {"
    + POST
    + """
  const source = new MediaSource();
  const player = new Audio(URL.createObjectURL(source));
  await new Promise((resolve) => { source.onsourceopen = resolve; });
  const buffer = source.addSourceBuffer(type);
  const reader = (await post(form, text)).body.getReader();
  const ends = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (let at = 0; at < part.value.length; at += 500) { // much may have come at once: it is cut anew
      await new Promise((resolve, reject) => {
        buffer.onupdateend = resolve;
        buffer.onerror = reject;
        buffer.appendBuffer(part.value.slice(at, at + 500));
      });
      ends.push(buffer.buffered.length ? buffer.buffered.end(buffer.buffered.length - 1) : 0);
    }
  }
  source.endOfStream();
  return { ends, ranges: buffer.buffered.length, duration: source.duration };
}"""
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(speech_server(ToneVoice(steps=6))) as server,
    ):
        yield server.url


@pytest.fixture(scope="module")
def page(chromium: Browser, url: str) -> Iterator[Page]:
    context = chromium.new_context()
    opened = context.new_page()
    opened.goto(f"{url}/v1/models")  # any page of that origin
    yield opened
    context.close()


@pytest.fixture(scope="module")
def reference(url: str) -> bytes:
    return httpx.post(f"{url}/invocations", json={"text": TEXT, "format": "pcm"}, trust_env=False).content


@pytest.mark.parametrize("form", DECODED)
def test_web_audio_decodes_it_to_what_was_said(page: Page, reference: bytes, form: str) -> None:
    heard = base64.b64decode(page.evaluate(DECODE, [form, TEXT]))
    assert abs(len(heard) - len(reference)) < 48_000 * 0.13
    assert likeness(reference, heard) > 0.95
    if form in ("wav", "flac"):
        assert heard == reference


@pytest.mark.parametrize("form", DECODED)
def test_an_audio_element_plays_it_to_its_end(page: Page, reference: bytes, form: str) -> None:
    played_s = page.evaluate(PLAY, [form, FORMATS[form].content_type, TEXT])
    assert played_s == pytest.approx(len(reference) / 48_000, abs=0.15)


@pytest.mark.parametrize(("form", "kind"), APPENDED.items())
def test_media_source_takes_it_piece_by_piece_without_a_hole(
    page: Page, reference: bytes, form: str, kind: str
) -> None:
    told: dict[str, Any] = page.evaluate(APPEND, [form, kind, TEXT])
    assert told["ranges"] == 1
    assert told["duration"] == pytest.approx(len(reference) / 48_000, abs=0.15)
    early = told["ends"][: len(told["ends"]) // 4]
    assert 0 < early[-1] < told["duration"] / 2
