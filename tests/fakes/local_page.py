"""The page with everything behind it: test voice, scripted model, real agent and gateway, as real processes.

Playwright's synchronous interface needs its thread for itself, so the stack runs in a loop of its own thread.
"""

import asyncio
import contextlib
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firstword.config import WebSettings
from firstword.listen import listening
from firstword.llm.scripted.script import Script
from firstword.stack.launcher import Agent, ScriptedLlm, Speech, Stack
from firstword.web.access import LOOPBACK, Access
from firstword.web.gateway import create_gateway
from firstword.web.relay import open_relay

__all__ = ["local_page"]

# Between the player and the loudspeaker: keeps every block that is rendered, with the audio clock's time of it.
_RECORDER = """
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
TONE = {"FIRSTWORD_VOICE_ENGINE": "tone"}


def _recorder(request: Request) -> Response:
    return Response(_RECORDER, media_type="text/javascript")


@contextlib.contextmanager
def local_page(
    script: Script, *, voices: tuple[str, ...] = ("af_heart", "af_bella"), speech: Mapping[str, str] = TONE
) -> Iterator[str]:
    """The URL of a page in front of an agent that says what the script says."""
    ready: list[str | BaseException] = []
    told, over = threading.Event(), threading.Event()

    async def run(folder: Path) -> None:
        path = folder / "script.json"
        path.write_bytes(msgspec.json.encode(script))
        settings = WebSettings(port=0)
        async with Stack(Speech(environ=speech), ScriptedLlm(script=path), Agent()) as stack:
            relay = open_relay(stack.agent_url, settings)
            gateway = create_gateway(relay, Access(hosts=LOOPBACK), settings, voices)
            gateway.router.routes.insert(0, Route("/test/recorder.js", _recorder))
            async with listening(gateway) as url:
                ready.append(url)
                told.set()
                await asyncio.to_thread(over.wait)

    def thread() -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                asyncio.run(run(Path(folder)))
        except BaseException as error:
            ready.append(error)
        finally:
            told.set()

    runner = threading.Thread(target=thread, name="local page")
    runner.start()
    try:
        told.wait(timeout=120)
        if not ready or isinstance(ready[0], BaseException):
            raise AssertionError("the local stack did not start") from (ready[0] if ready else None)  # type: ignore[misc]
        yield ready[0]
    finally:
        over.set()
        runner.join(timeout=60)
