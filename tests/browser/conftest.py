"""A real Chromium, and pages in it that record what they render and what they were sent."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, WebSocket, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Between the player and the loudspeaker: keeps every block that is rendered, with the audio clock's time of it.
RECORDER = """
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
INSERT_RECORDER = """
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
"""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium")
    assert path is not None, "no chromium: scripts/install brings it (apt-get install chromium)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
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

    def sent_samples(self) -> np.ndarray:
        return np.frombuffer(b"".join(self.sent), dtype="<i2").astype(np.int64)


@pytest.fixture
def recorded(chromium: Browser) -> Iterator[Recorded]:
    context = chromium.new_context()
    page = context.new_page()
    result = Recorded(page=page)
    page.on("pageerror", lambda error: result.errors.append(str(error)))
    page.route("**/test/recorder.js", _serve_recorder)
    page.add_init_script(INSERT_RECORDER)
    page.on("websocket", lambda socket: _note_frames(socket, result.sent))
    yield result
    context.close()
    assert result.errors == []


def _serve_recorder(route: Route) -> None:
    route.fulfill(body=RECORDER, content_type="text/javascript")


def _note_frames(socket: WebSocket, sent: list[bytes]) -> None:
    socket.on("framereceived", lambda frame: sent.append(frame) if isinstance(frame, bytes) else None)
