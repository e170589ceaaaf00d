"""The agent's way to a voice: a session for one answer, or one whole call; behind a seam so that tests bring their own.

Above it: `modes`. Below it: the client library, over a WebSocket or SageMaker alike.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from firstword.audio import PCM_FORMAT, SAMPLE_RATE_HZ
from firstword.client.connection import Connection, connect
from firstword.client.events import Event
from firstword.client.invocation import invoke
from firstword.config import AgentSettings, VoiceSettings
from firstword.errors import ConfigError

__all__ = ["ClientVoice", "Delivery", "Speech", "Voice", "WholeSpeech"]

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

    def connect(self, *, voice: str | None, speed: float | None) -> AbstractAsyncContextManager[Speech]: ...

    async def whole(self, text: str, *, voice: str | None, speed: float | None, request_id: str) -> WholeSpeech:
        """All the audio of a text by one call that answers when it has all of it."""
        ...


class ClientVoice:
    """A speech server or a SageMaker endpoint, through the client library."""

    def __init__(self, settings: AgentSettings) -> None:
        self._address = settings.speech
        self._region = settings.region
        self._default_voice = VoiceSettings.load().default_voice
        if settings.first_chunk not in _FIRST_CHUNKS:
            raise ConfigError(f"first_chunk is {settings.first_chunk!r}.", hint="Use clause or sentence.")
        self._first_chunk = _FIRST_CHUNKS[settings.first_chunk]

    def connect(self, *, voice: str | None, speed: float | None) -> AbstractAsyncContextManager[Connection]:
        return connect(
            self._address, voice=voice, speed=speed, first_chunk=self._first_chunk, timings=True, region=self._region
        )

    async def whole(self, text: str, *, voice: str | None, speed: float | None, request_id: str) -> WholeSpeech:
        asked = {"text": text, "voice": voice, "speed": speed, "request_id": request_id}
        body = {name: value for name, value in asked.items() if value is not None}
        pcm = await invoke(self._address, {**body, "format": "pcm"}, region=self._region)
        return WholeSpeech(voice=voice or self._default_voice, pcm=pcm)
