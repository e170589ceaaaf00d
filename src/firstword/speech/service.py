"""What a server holds: one voice, its scheduler, and listeners opened on it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Final, Literal

from firstword.errors import RequestRefused, SpeechError
from firstword.kokoro.synthesizer import Synthesizer, VoiceOptions
from firstword.speech.costs import StepCosts
from firstword.speech.listener import Listener
from firstword.speech.measured import MeasuredVoice
from firstword.speech.room import Room
from firstword.speech.scheduler import Scheduler
from firstword.speech.script import Chunker, Script, spoken_language
from firstword.speech.uncut import Uncut
from firstword.speech.utterance import Utterance
from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.pace import Pace
from firstword.text.pronunciation import Pronunciations
from firstword.text.speakable import SpeakableOptions

__all__ = ["MAX_PRONUNCIATIONS", "SpeechService"]

MAX_PRONUNCIATIONS: Final = 500
"""Entries of one request's dictionary: looking them up is work that others wait for."""


class SpeechService:
    """Usable inside `running`. `voice` is warm; `reading` is how the text of every request becomes words.

    `max_buffered_s` bounds what is made ahead for one utterance. `whole`: an utterance can be taken only when all of it
    is made; for comparison with servers that work so. `room` says when one more is too many.
    """

    def __init__(
        self,
        voice: Synthesizer,
        *,
        max_buffered_s: float = 30.0,
        live_first_chunk: Literal["clause", "sentence"] = "clause",
        join_after_s: float = 4.0,
        whole: bool = False,
        reading: SpeakableOptions | None = None,
        room: Room | None = None,
        clock: Callable[[], float] = time.monotonic,
        scheduler: Scheduler | None = None,
    ) -> None:
        self.voice = voice
        self.scheduler = scheduler or Scheduler(clock=clock)
        self._room = room or Room()
        self._costs = StepCosts()
        self._clock = clock
        self._max_buffered_s = max_buffered_s
        self._live_first_chunk = live_first_chunk
        self._paces: defaultdict[str, Pace] = defaultdict(lambda: Pace(join_after_s=join_after_s))
        self._whole = whole
        self._reading = reading or SpeakableOptions(symbols=voice.symbols())
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

    def make_room(self, listener: Listener | None = None) -> None:
        """Raise RequestRefused (overloaded) if the voice cannot take on one more, `listener` or one yet to come.

        One that is being spoken to goes on.
        """
        if listener is not None and listener.engaged:
            return
        demands = [demand for each in self._listeners if (demand := each.demand()) is not None]
        self._room.check(demands, first_s=self._costs.first_s, rate=self._costs.rate, now_s=self._clock())

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
        joined: bool = False,
        pronunciations: Mapping[str, str] | None = None,
    ) -> Utterance:
        """A new utterance of that listener, ready to be fed. The caller has had `check` accept the same.

        Live text may begin with a clause, so that the first word comes sooner, and goes on with several sentences in
        one once the listener has plenty. A whole text is cut at sentences, or not at all if it is `joined`.
        """
        pace = self._paces[spoken_language(options)]
        chunker = self._chunker(spoken_language(options), pace, live=live, joined=joined)
        words = self._reading.pronunciations.merged(pronunciations or {})
        reading = replace(self._reading, pronunciations=words)
        script = Script(self.voice, options, chunker, reading, pace if live else None, joined=joined)
        return listener.add(
            lambda changed: Utterance(
                MeasuredVoice(self.voice, pace, self._costs, clock=self._clock),
                script,
                clock=self._clock,
                changed=changed,
                max_buffered_s=self._max_buffered_s,
                lead_s=listener.lead_s,
                whole=self._whole,
            )
        )

    def _chunker(self, language: str, pace: Pace, *, live: bool, joined: bool) -> Chunker:
        if joined:
            return Uncut(language)
        if not live:
            return IncrementalSentenceChunker(language)
        return IncrementalSentenceChunker(language, self._live_first_chunk, min_first_words=pace.least_first_words())

    def abandon(self, error: SpeechError) -> None:
        """End everything under way: each reader still gets what was made, then the error."""
        for listener in self._listeners:
            listener.fail(error)

    def warm(self) -> None:
        """Blocks: load the voice, and go once through all that a first request would otherwise pay for, on the clock:
        what steps take is known before anybody waits for one."""
        self.voice.warm(MeasuredVoice(self.voice, self._paces["en-us"], self._costs, clock=self._clock).begin)
        script = Script(self.voice, VoiceOptions(), IncrementalSentenceChunker("en-us", "sentence"))
        script.feed("Ready at 10:30, for $5.")
        script.finish()
        script.next_sentence()
