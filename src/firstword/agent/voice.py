"""The agent's way to a voice: a session for one answer, or one whole call; behind a seam so that tests bring their own.

Above it: `modes`. Below it: the client library, over a WebSocket or SageMaker alike.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from firstword.audio import PCM_FORMAT, SAMPLE_RATE_HZ
from firstword.client.connection import Connection, connect
from firstword.client.events import Event
from firstword.client.invocation import invoke
from firstword.config import AgentSettings, VoiceSettings
from firstword.errors import ConfigError
from firstword.text.pronunciation import configured_pronunciations

__all__ = ["ClientVoice", "Delivery", "SaidHow", "Speech", "Voice", "WholeSpeech"]

type Delivery = Literal["sentences", "whole"]
type FirstChunk = Literal["clause", "sentence"]

_FIRST_CHUNKS: Final[dict[str, FirstChunk]] = {"clause": "clause", "sentence": "sentence"}


@dataclass(frozen=True, kw_only=True)
class WholeSpeech:
    """A text's audio, all of it."""

    voice: str
    pcm: bytes
    sample_rate_hz: int = SAMPLE_RATE_HZ
    format: str = PCM_FORMAT


@dataclass(frozen=True, kw_only=True)
class SaidHow:
    """What the one who asks may choose; None leaves it to the server."""

    voice: str | None = None
    speed: float | None = None
    pronunciations: Mapping[str, str] | None = None


class Speech(Protocol):
    """An open session with a voice."""

    def stream(
        self, text: AsyncIterator[str], *, request_id: str, timings: bool, delivery: Delivery
    ) -> AsyncGenerator[Event]:
        """Say a live text: `sentences` each the moment it exists, or the `whole` as one message. One at a time.

        Leaving the loop early cancels the speech.
        """
        ...


class Voice(Protocol):
    """Where answers are spoken."""

    def connect(self, how: "SaidHow") -> AbstractAsyncContextManager[Speech]: ...

    async def whole(self, text: str, how: "SaidHow", *, request_id: str) -> WholeSpeech:
        """All the audio of a text by one call that answers when it has all of it."""
        ...


class ClientVoice:
    """A speech server or a SageMaker endpoint, through the client library."""

    def __init__(self, settings: AgentSettings) -> None:
        self._address = settings.speech
        self._region = settings.region
        self._default_voice = VoiceSettings.load().default_voice
        self._pronunciations = configured_pronunciations(settings.pronunciations_file)
        if settings.first_chunk not in _FIRST_CHUNKS:
            raise ConfigError(f"first_chunk is {settings.first_chunk!r}.", hint="Use clause or sentence.")
        self._first_chunk = _FIRST_CHUNKS[settings.first_chunk]

    def connect(self, how: SaidHow) -> AbstractAsyncContextManager[Connection]:
        return connect(
            self._address,
            voice=how.voice,
            speed=how.speed,
            pronunciations=self._words(how),
            first_chunk=self._first_chunk,
            timings=True,
            region=self._region,
        )

    async def whole(self, text: str, how: SaidHow, *, request_id: str) -> WholeSpeech:
        asked = {
            "text": text, "voice": how.voice, "speed": how.speed, "pronunciations": self._words(how) or None,
            "request_id": request_id,
        }  # fmt: skip
        body = {name: value for name, value in asked.items() if value is not None}
        pcm = await invoke(self._address, {**body, "format": "pcm"}, region=self._region)
        return WholeSpeech(voice=how.voice or self._default_voice, pcm=pcm)

    def _words(self, how: SaidHow) -> dict[str, str]:
        return dict(self._pronunciations.merged(how.pronunciations or {}).entries)
