"""What a server holds: one voice, its scheduler, and listeners opened on it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Final, Literal

from firstword.errors import RequestRefused, SpeechError
from firstword.kokoro.synthesizer import Synthesizer, VoiceOptions
from firstword.speech.listener import Listener
from firstword.speech.scheduler import Scheduler
from firstword.speech.script import Script, spoken_language
from firstword.speech.utterance import Utterance
from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.pronunciation import Pronunciations
from firstword.text.speakable import SpeakableOptions

__all__ = ["MAX_PRONUNCIATIONS", "SpeechService"]

MAX_PRONUNCIATIONS: Final = 500
"""Entries of one request's dictionary: looking them up is work that others wait for."""


class SpeechService:
    """Usable inside `running`. `voice` is warm; `pronunciations` hold for every request.

    `max_buffered_s` bounds what is made ahead for one utterance. `whole`: an utterance can be taken only when all of it
    is made; for comparison with servers that work so.
    """

    def __init__(
        self,
        voice: Synthesizer,
        *,
        max_buffered_s: float = 30.0,
        live_first_chunk: Literal["clause", "sentence"] = "clause",
        whole: bool = False,
        pronunciations: Pronunciations | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.voice = voice
        self.scheduler = Scheduler(clock=clock)
        self._clock = clock
        self._max_buffered_s = max_buffered_s
        self._live_first_chunk = live_first_chunk
        self._whole = whole
        self._pronunciations = pronunciations or Pronunciations()
        self._listeners: set[Listener] = set()

    @property
    def unfinished(self) -> int:
        """Utterances that are not all made yet."""
        return sum(listener.unfinished for listener in self._listeners)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While inside, steps are run."""
        async with asyncio.TaskGroup() as group:
            task = group.create_task(self.scheduler.run())
            try:
                yield
            finally:
                task.cancel()

    @contextmanager
    def listen(self, *, max_lead_s: float | None) -> Iterator[Listener]:
        """A listener; when the block ends, whatever it had under way is cancelled."""
        listener = Listener(self.scheduler, clock=self._clock, max_lead_s=max_lead_s)
        self.scheduler.attach(listener)
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)
            listener.close()

    def check(self, options: VoiceOptions, pronunciations: Mapping[str, str] | None = None) -> None:
        """Raise RequestRefused for what `say` could not do."""
        self.voice.check(options)
        if pronunciations:
            if len(pronunciations) > MAX_PRONUNCIATIONS:
                raise RequestRefused(
                    f"A request holds at most {MAX_PRONUNCIATIONS} pronunciations.", code="bad_pronunciation"
                )
            Pronunciations(pronunciations).check(self.voice.symbols())

    def say(
        self,
        listener: Listener,
        options: VoiceOptions,
        *,
        live: bool,
        pronunciations: Mapping[str, str] | None = None,
    ) -> Utterance:
        """A new utterance of that listener, ready to be fed. The caller has had `check` accept the same.

        Live text may begin with a clause, so that the first word comes sooner; a whole text is cut at sentences.
        """
        chunker = IncrementalSentenceChunker(spoken_language(options), self._live_first_chunk if live else "sentence")
        reading = SpeakableOptions(
            pronunciations=self._pronunciations.merged(pronunciations or {}), symbols=self.voice.symbols()
        )
        script = Script(self.voice, options, chunker, reading)
        return listener.add(
            lambda changed: Utterance(
                self.voice,
                script,
                clock=self._clock,
                changed=changed,
                max_buffered_s=self._max_buffered_s,
                whole=self._whole,
            )
        )

    def abandon(self, error: SpeechError) -> None:
        """End everything under way: each reader still gets what was made, then the error."""
        for listener in self._listeners:
            listener.fail(error)

    def warm(self) -> None:
        """Blocks: load the voice, and go once through all that a first request would otherwise pay for."""
        self.voice.warm()
        script = Script(self.voice, VoiceOptions(), IncrementalSentenceChunker("en-us", "sentence"))
        script.feed("Ready at 10:30, for $5.")
        script.finish()
        script.next_sentence()
