"""A real Chromium, and pages in it that record what they render and what they were sent.

One agent and one gateway serve the whole folder, one browser each module: while a browser lives, its loop occupies this
thread, and other tests need theirs.
"""

import base64
import json
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, expect, sync_playwright
from starlette.responses import Response
from starlette.routing import Route

from browser.gaps import BLOCK, without_gaps
from fakes.wire import Wire
from firstword import audio
from firstword.bench.local_page import CHROMIUM_ARGUMENTS, local_agent, local_gateway
from firstword.llm.scripted.script import Fail, Reply, Say, Script, Stall
from firstword.protocol.sse import SseReader
from firstword.web.relay import Relay

RATE_HZ = 24_000
NAMES = ("one", "two", "three", "four", "five", "six")
LONG = " ".join(f"This is sentence {name} of the long answer." for name in NAMES)
THREE = "This answer has three parts. The second follows it. And then the third."
SHORT = "Hello there. This is a short answer."
ODD = "<b>bold</b> & <img src=x onerror=alert(1)> שלום עולם 👩‍👩‍👧 🎈 done."
_STALLED = (
    Say(text="The first part is here. "),
    Stall(seconds=2.5),
    Say(text="Then the second. "),
    Stall(seconds=2.5),
    Say(text="The rest came late."),
)
SCRIPT = Script(
    replies=(
        Reply(when="three", turns=((Say(text=THREE),),)),
        Reply(when="long", turns=((Say(text=LONG),),)),
        Reply(when="stall", turns=(_STALLED,)),
        Reply(when="fail", turns=((Say(text="This will break. And it "), Fail(status=500)),)),
        Reply(when="html", turns=((Say(text=ODD),),)),
        Reply(turns=((Say(text=SHORT),),)),
    ),
    tokens_per_s=60,
)

# Between the player and the loudspeaker: keeps every block that is rendered, with the audio clock's time of it.
_KEEP = """
registerProcessor("recorder", class extends AudioWorkletProcessor {
  process(inputs, outputs) {
    const heard = inputs[0][0];
    if (heard) {
      outputs[0][0].set(heard);
      this.port.postMessage({ at: currentTime, samples: heard.slice() });
    }
    return true;
  }
});
"""
_RECORDER = Route("/test/recorder.js", lambda _: Response(_KEEP, media_type="text/javascript"))
_RECORD = """
window.rendered = [];
window.answered = [];
window.violations = [];
document.addEventListener("firstword:answered", ({ detail }) =>
  window.answered.push({ ...detail, blocks: window.rendered.length }));
document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
  window.violations.push(effectiveDirective));
delete AudioContext.prototype.playbackStats; // a busy machine must not make the page change its player halfway
const addModule = AudioWorklet.prototype.addModule;
AudioWorklet.prototype.addModule = async function (...module) {
  await addModule.call(this, "/test/recorder.js"); // before there can be a player, so that nothing is missed
  return addModule.apply(this, module);
};
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (target, ...rest) {
  if (target !== this.context.destination) return connect.call(this, target, ...rest);
  const node = new AudioWorkletNode(this.context, "recorder", { outputChannelCount: [1] });
  node.port.onmessage = ({ data }) => window.rendered.push(data);
  connect.call(node, target);
  connect.call(this, node);
  return target;
};
window.received = [];
const fetch = window.fetch;
window.fetch = async function (...request) {
  const response = await fetch.apply(this, request);
  if (!String(request[0]).includes("api/answer")) return response;
  const [theirs, ours] = response.body.tee();
  (async () => {
    for await (const piece of ours) window.received.push(piece.toBase64());
  })().catch(() => {}); // a stream that breaks is the page's to tell
  return new Response(theirs, { status: response.status, headers: response.headers });
};
"""


@pytest.fixture(scope="package")
def agent() -> Iterator[str]:
    with local_agent(SCRIPT) as url:
        yield url


@pytest.fixture(scope="package")
def url(agent: str) -> Iterator[str]:
    with serving(agent) as address:
        yield address


def serving(agent: str, port: int = 0, relay: Relay | None = None) -> Any:
    """A gateway of its own, which serves the recorder too."""
    return local_gateway(agent, port=port, routes=(_RECORDER,), relay=relay)


@pytest.fixture
def wire(url: str) -> Iterator[Wire]:
    """The way to the gateway, where it can be cut."""
    with Wire(url) as between:
        yield between


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=list(CHROMIUM_ARGUMENTS))
        yield browser
        browser.close()


def _chromium() -> str:
    path = shutil.which("chromium")
    assert path is not None, "no chromium: scripts/install brings it (apt-get install chromium)"
    return path


@dataclass
class Recorded:
    """A page, what passed over its sockets, and what it rendered."""

    page: Page
    sent: list[bytes] = field(default_factory=list)
    """Audio that came over a socket."""
    told: list[dict[str, Any]] = field(default_factory=list)
    """Events that came over a socket."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    """What the page said over a socket."""
    errors: list[str] = field(default_factory=list)

    def open(self, url: str) -> Page:
        self.page.goto(url)
        return self.page

    def ask(self, prompt: str, *, door: str = "ws", mode: str = "bidi") -> None:
        self.page.get_by_label("Your question").fill(prompt)
        self.page.get_by_label("Route").select_option(door)
        self.page.locator(f"input[value={mode}]").check()
        self.page.get_by_role("button", name="Ask").click()

    def wait_for(self, status: str | re.Pattern[str]) -> None:
        """Until the page says so."""
        expect(self.page.locator("#status")).to_contain_text(status, timeout=60_000)

    def answered(self, which: int = -1) -> dict[str, Any]:
        """What the page tells of its last answer, and `blocks`: how many had been kept when it told."""
        told: dict[str, Any] = self.page.evaluate("(which) => window.answered.at(which)", which)
        return told

    def stalls(self, rate_hz: int = RATE_HZ) -> list[int]:
        """After how many samples of its last answer the page told that it ran dry."""
        return [round(stall["playedSeconds"] * rate_hz) for stall in self.answered()["stalled"]]

    def rendered(self, since: int = 0) -> np.ndarray:
        """Every sample rendered, whole blocks from the one numbered `since` on."""
        blocks: str = self.page.evaluate(
            """(since) => {
              const blocks = window.rendered.slice(since);
              const all = new Float32Array(blocks.length * 128);
              blocks.forEach(({ samples }, at) => all.set(samples, at * 128));
              return new Uint8Array(all.buffer).toBase64();
            }""",
            since,
        )
        samples = np.frombuffer(base64.b64decode(blocks), dtype="<f4")
        assert len(samples) % BLOCK == 0
        return samples

    def wait_until_heard(self, sent: np.ndarray, stalls: Sequence[int], since: int = 0) -> np.ndarray:
        """What was rendered from the first sample of `sent` on, less the silence of the stalls that were told, once it
        is as long as what was sent: the recorder's messages trail the player's.
        """
        until = time.monotonic() + 30
        heard = without_gaps(self.rendered(since), sent, stalls)
        while len(heard) < len(sent):
            assert time.monotonic() < until, f"of {len(sent)} samples {len(heard)} were rendered"
            kept = self.page.evaluate("window.rendered.length")
            self.page.wait_for_function("(kept) => window.rendered.length > kept", arg=kept)
            heard = without_gaps(self.rendered(since), sent, stalls)
        return heard

    def sent_pcm(self) -> bytes:
        """All audio that came over a socket or in an answer of events."""
        return b"".join(self.sent) + b"".join(
            base64.b64decode(event["data"]) for event in self.events() if event["type"] == "audio_chunk"
        )

    def events(self) -> list[dict[str, Any]]:
        """Every event that came, over sockets and in answers of events."""
        pieces: list[str] = self.page.evaluate("window.received")
        body = b"".join(map(base64.b64decode, pieces))
        return self.told + [json.loads(event.data) for event in SseReader().feed(body)]

    def sent_samples(self) -> np.ndarray:
        """The same as the numbers that are rendered."""
        return samples_of(self.sent_pcm())

    def saved_pcm(self) -> bytes:
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Save as WAV").click()
        pcm, rate = audio.wav_pcm(Path(download.value.path()).read_bytes())
        assert rate == RATE_HZ
        return pcm

    def assert_rendered_as_sent(self) -> None:
        """Bit by bit, without a gap that the page did not tell, and nothing after it."""
        sent = self.sent_samples()
        assert len(sent) > RATE_HZ
        self.assert_rendered(sent, self.stalls())

    def assert_rendered(self, sent: np.ndarray, stalls: Sequence[int], since: int = 0) -> None:
        heard = self.wait_until_heard(sent, stalls, since)
        assert np.array_equal(heard[: len(sent)], sent)
        assert not np.any(heard[len(sent) :])


def samples_of(pcm: bytes) -> np.ndarray:
    return np.frombuffer(pcm, dtype="<i2") / np.float32(32768)


def record(context: BrowserContext) -> Recorded:
    """A new page that records itself."""
    page = context.new_page()
    result = Recorded(page=page)
    page.on("pageerror", lambda error: result.errors.append(str(error)))
    page.add_init_script(_RECORD)
    page.on("websocket", lambda socket: _note_frames(socket, result))
    return result


@pytest.fixture
def recorded(chromium: Browser) -> Iterator[Recorded]:
    """A page; in whatever test, no error is thrown in it and nothing in it breaks its Content-Security-Policy."""
    context = chromium.new_context()
    result = record(context)
    yield result
    violations = result.page.evaluate("window.violations ?? []")
    context.close()
    assert result.errors == []
    assert violations == []


def _note_frames(socket: WebSocket, result: Recorded) -> None:
    def received(frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            result.sent.append(frame)
        else:
            result.told.append(json.loads(frame))

    socket.on("framereceived", received)
    socket.on("framesent", lambda frame: result.asked.append(json.loads(frame)))
