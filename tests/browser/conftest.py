"""A real Chromium, and pages in it that record what they render and what they were sent."""

import base64
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright
from starlette.responses import Response
from starlette.routing import Route

from firstword.bench.local_page import CHROMIUM_ARGUMENTS
from firstword.protocol.sse import SseReader

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
RECORDER = Route("/test/recorder.js", lambda _: Response(_KEEP, media_type="text/javascript"))
INSERT_RECORDERS = """
window.rendered = [];
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (target, ...rest) {
  if (target !== this.context.destination || this.recorder) return connect.call(this, target, ...rest);
  this.context.audioWorklet.addModule("/test/recorder.js").then(() => {
    const node = new AudioWorkletNode(this.context, "recorder", { outputChannelCount: [1] });
    node.recorder = true;
    node.port.onmessage = ({ data }) => window.rendered.push(data);
    connect.call(this, node);
    connect.call(node, this.context.destination);
  });
  return target;
};
window.received = [];
const fetch = window.fetch;
window.fetch = async function (...request) {
  const response = await fetch.apply(this, request);
  if (!String(request[0]).includes("api/answer")) return response;
  const [theirs, ours] = response.body.tee();
  (async () => {
    for await (const piece of ours) window.received.push(...piece);
  })().catch(() => {}); // a stream that breaks is the page's to tell
  return new Response(theirs, { status: response.status, headers: response.headers });
};
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Of a module, not of the session: while it lives its loop occupies this thread, and other tests need theirs."""
    path = shutil.which("chromium")
    assert path is not None, "no chromium: scripts/install brings it (apt-get install chromium)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))
        yield browser
        browser.close()


@dataclass
class Recorded:
    """A page, what it was sent over its sockets, and what it rendered."""

    page: Page
    sent: list[bytes] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def rendered(self) -> np.ndarray:
        """Every sample rendered, as 16-bit integers."""
        blocks: list[Any] = self.page.evaluate("window.rendered.map(({ samples }) => Array.from(samples))")
        return np.rint(np.concatenate([np.zeros(0), *map(np.array, blocks)]) * 32768).astype(np.int64)

    def wait_until_rendered(self, samples: int) -> None:
        """Until so many samples that are not zero, or more, have been kept: the recorder's messages trail the sound."""
        self.page.wait_for_function(
            "(count) => window.rendered.reduce((sum, { samples }) => sum + samples.length, 0) >= count", arg=samples
        )
        self.page.wait_for_timeout(200)

    def sent_pcm(self) -> bytes:
        """All audio that came over a socket or in an answer of events."""
        return b"".join(self.sent) + _pcm_of_events(bytes(self.page.evaluate("window.received")))

    def sent_samples(self) -> np.ndarray:
        return np.frombuffer(self.sent_pcm(), dtype="<i2").astype(np.int64)


def _pcm_of_events(body: bytes) -> bytes:
    events = [json.loads(event.data) for event in SseReader().feed(body)]
    return b"".join(base64.b64decode(event["data"]) for event in events if event["type"] == "audio_chunk")


@pytest.fixture
def recorded(chromium: Browser) -> Iterator[Recorded]:
    context = chromium.new_context()
    page = context.new_page()
    result = Recorded(page=page)
    page.on("pageerror", lambda error: result.errors.append(str(error)))
    page.add_init_script(INSERT_RECORDERS)
    page.on("websocket", lambda socket: _note_frames(socket, result.sent))
    yield result
    context.close()
    assert result.errors == []


def _note_frames(socket: WebSocket, sent: list[bytes]) -> None:
    socket.on("framereceived", lambda frame: sent.append(frame) if isinstance(frame, bytes) else None)
