"""What all routes of one server share: its settings, the voice as it loads, who is connected, and the drain."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import Enum
from typing import Final, Literal, Protocol

from firstword.codecs.encoder import check_library
from firstword.config import ServerSettings
from firstword.errors import ConfigError, EngineFailed, FirstwordError, RequestRefused, SpeechError
from firstword.kokoro.synthesizer import Synthesizer
from firstword.protocol.messages import Limits
from firstword.server.admission import Admission
from firstword.server.metrics import Metrics
from firstword.speech.room import Room
from firstword.speech.service import SpeechService
from firstword.text.pronunciation import configured_pronunciations
from firstword.text.speakable import SpeakableOptions

__all__ = ["Drainable", "Serving", "State"]

_log = logging.getLogger(__name__)
_TELL_S: Final = 2.0
"""How long readers have to take the word that their answers end here."""


class State(Enum):
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"
    DRAINING = "draining"


class Drainable(Protocol):
    """A session that can be told that the server is about to stop, and then that it has."""

    def drain(self, deadline_s: float) -> None: ...

    def abandon(self, error: SpeechError) -> None: ...


class Serving:
    """`load` makes the voice; it is called once, in a thread, and may take its time."""

    def __init__(self, settings: ServerSettings, load: Callable[[], Synthesizer], *, default_voice: str) -> None:
        self.settings = settings
        self.default_voice = default_voice
        self.limits = Limits(
            max_text_chars=settings.max_text_chars,
            max_queued_requests=settings.max_queued_requests,
            max_queued_chars=settings.max_queued_chars,
            max_lead_s=settings.max_lead_s,
            text_timeout_s=settings.text_timeout_s,
            max_message_bytes=settings.max_message_bytes,
        )
        self.admission = Admission(settings.max_sessions)
        self.metrics = Metrics()
        self.sessions: set[Drainable] = set()
        self.state = State.LOADING
        self.loaded = asyncio.Event()
        self.failure: FirstwordError | None = None
        self._load = load
        self._service: SpeechService | None = None

    @property
    def service(self) -> SpeechService:
        """The voice, ready to speak. Raises RequestRefused (overloaded) while it loads, and once the server drains."""
        if self._service is None or self.state is not State.READY:
            raise RequestRefused(
                f"The server is {self.state.value}.", code="overloaded", hint="Try again soon.", retryable=True
            )
        return self._service

    @property
    def draining(self) -> bool:
        return self.state is State.DRAINING

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Load the voice and serve it while the block runs; the block does not wait for it."""
        async with asyncio.TaskGroup() as group:
            task = group.create_task(self._serve())
            try:
                yield
            finally:
                task.cancel()

    def metrics_page(self) -> bytes:
        """What `/metrics` shows."""
        service = self._service
        return self.metrics.render(
            sessions=len(self.sessions),
            slots=self.admission.taken,
            queued=service.unfinished if service is not None else 0,
            synthesis_s=service.scheduler.spoken_steps_s if service is not None else 0.0,
        )

    async def drain(self) -> None:
        """Take nobody new, tell everybody; return when all are done or `drain_s` has passed and all were told."""
        if self.state is State.DRAINING:
            return
        self.state = State.DRAINING
        _log.info("draining", extra={"sessions": len(self.sessions), "slots": self.admission.taken})
        for session in list(self.sessions):
            session.drain(self.settings.drain_s)
        try:
            async with asyncio.timeout(self.settings.drain_s):
                await self.admission.until_empty()
        except TimeoutError:
            error = EngineFailed("The server has stopped.", code="going_away", hint="Reconnect.", retryable=True)
            for session in list(self.sessions):
                session.abandon(error)
            if self._service is not None:
                self._service.abandon(error)
            await self._until_told()

    async def _until_told(self) -> None:
        try:
            async with asyncio.timeout(_TELL_S):
                await self.admission.until_empty()
        except TimeoutError:
            _log.warning("some readers took nothing to the end", extra={"slots": self.admission.taken})

    async def _serve(self) -> None:
        try:
            service = await asyncio.to_thread(self._warm)
        except FirstwordError as error:
            _log.error("the voice did not load", extra={"code": error.code, "reason": error.one_line()})
            self.failure = error
            self.state = State.FAILED
            self.loaded.set()
            return
        self._service = service
        if self.state is State.LOADING:
            self.state = State.READY
        self.loaded.set()
        try:
            async with service.running():
                await asyncio.get_running_loop().create_future()
        except Exception:
            # Nothing would be spoken any more: say so to those who wait, and to the load balancer.
            _log.exception("the scheduler stopped")
            self.state = State.FAILED
            service.abandon(EngineFailed("The server cannot speak any more.", code="internal", retryable=True))

    def _warm(self) -> SpeechService:
        check_library()
        voice = self._load()
        service = SpeechService(
            voice,
            reading=_reading(self.settings, voice),
            max_buffered_s=self.settings.max_buffered_s,
            live_first_chunk=_first_chunk(self.settings.first_chunk),
            whole=self.settings.whole_message,
            join_after_s=self.settings.join_after_s,
            room=Room(
                max_wait_s=self.settings.max_wait_s,
                max_load=self.settings.max_load,
                min_listeners=self.settings.min_listeners,
            ),
        )
        service.warm()
        return service


def _reading(settings: ServerSettings, voice: Synthesizer) -> SpeakableOptions:
    """How every request's text becomes words. Raises ConfigError for what no setting can be."""
    return SpeakableOptions(
        code=_choice("code", settings.code, ("announce", "skip")),
        emoji=_choice("emoji", settings.emoji, ("drop", "name")),
        stage_directions=_choice("stage_directions", settings.stage_directions, ("drop", "keep")),
        pronunciations=configured_pronunciations(settings.pronunciations_file, voice.symbols()),
        symbols=voice.symbols(),
    )


def _choice[Name: str](setting: str, value: str, names: tuple[Name, ...]) -> Name:
    for name in names:
        if value == name:
            return name
    raise ConfigError(f"{setting} is {value!r}.", hint=f"It is {' or '.join(names)}.")


def _first_chunk(name: str) -> Literal["clause", "sentence"]:
    match name:
        case "clause" | "sentence":
            return name
        case _:
            raise ConfigError(f"first_chunk is {name!r}.", hint="It is clause or sentence.")
