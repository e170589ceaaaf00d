"""The real speech server on a free port, in the test's own loop, with the test voice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from firstword.config import ServerSettings
from firstword.kokoro.synthesizer import Synthesizer
from firstword.kokoro.tone import ToneVoice
from firstword.server.listening import listening
from firstword.server.serving import Serving

__all__ = ["RunningServer", "speech_server"]


@dataclass(frozen=True, kw_only=True)
class RunningServer:
    url: str
    serving: Serving


@asynccontextmanager
async def speech_server(
    voice: Synthesizer | None = None, *, keys: tuple[str, ...] = (), loaded: bool = True, **settings: Any
) -> AsyncIterator[RunningServer]:
    """Any field of `ServerSettings` may be given. With `loaded` False it is not waited for that the voice is there."""
    chosen = ServerSettings(**{"port": 0, **settings})
    serving = Serving(chosen, lambda: voice or ToneVoice(), default_voice="af_heart")
    async with listening(serving, keys=keys) as server:
        if loaded:
            await serving.loaded.wait()
        yield RunningServer(url=server.url, serving=serving)
