"""One reader of audio: its utterances in order, what it has been sent, and so when its next step is due.

It offers the scheduler the steps of its utterances. Only the first utterance that is not all spoken is spoken;
the text of those behind it is planned ahead. `ready` is set whenever there may be something new to take.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

from firstword.audio import duration_s
from firstword.errors import EngineFailed, SpeechError
from firstword.playhead import Playhead
from firstword.speech.items import Audio, Done, Failed, Item, Waiting
from firstword.speech.order import Claim, Demand
from firstword.speech.scheduler import Offer, Pool, Scheduler, Work
from firstword.speech.utterance import Utterance

__all__ = ["Listener"]

_STAYS_S: Final = 5.0
"""For so long after it has run dry a listener may go on without being let in again: its text may only be slow."""


class Listener:
    """Made by `SpeechService.listen`. `max_lead_s` None: it takes audio as fast as it is made (a download)."""

    def __init__(self, scheduler: Scheduler, *, clock: Callable[[], float], max_lead_s: float | None) -> None:
        self._scheduler = scheduler
        self._clock = clock
        self._max_lead_s = max_lead_s
        self._playhead = Playhead()
        self._utterances: list[Utterance] = []
        self.ready = asyncio.Event()

    @property
    def unfinished(self) -> int:
        """Utterances that are not all made yet."""
        return sum(not utterance.over for utterance in self._utterances)

    def add(self, make: Callable[[Callable[[], None]], Utterance]) -> Utterance:
        """An utterance behind those that are here; `make` is given what it has to call when something changes."""
        utterance = make(self._changed)
        self._utterances.append(utterance)
        return utterance

    def cut(self, utterance: Utterance) -> None:
        """Forget an utterance. If it was not taken to its end, it is cancelled and what was sent goes unheard."""
        if not utterance.taken and utterance.starts_s is not None:
            self._playhead.dropped(self._playhead.sent_s - utterance.starts_s, self._clock())
        utterance.cancel()
        self._utterances.remove(utterance)
        self._changed()

    def fail(self, error: SpeechError) -> None:
        """Every utterance ends with this error, after what was made of it."""
        for utterance in self._utterances:
            utterance.fail(error)

    def close(self) -> None:
        for utterance in list(self._utterances):
            self.cut(utterance)
        self._scheduler.detach(self)

    def sent(self, utterance: Utterance, audio_s: float) -> None:
        """That much audio of it has been handed to the network."""
        if utterance.starts_s is None:
            utterance.starts_s = self._playhead.sent_s
        self._playhead.sent(audio_s, self._clock())
        self._changed()

    def heard(self, utterance: Utterance, played_s: float) -> None:
        """The listener says how far into this utterance it is."""
        if utterance.starts_s is not None:
            self._playhead.heard(utterance.starts_s + played_s, self._clock())
            self._changed()

    def hold_s(self) -> float:
        """How long the next audio has to be held back, so as not to run further ahead of playback than allowed."""
        if self._max_lead_s is None:
            return 0.0
        return max(0.0, self._playhead.lead_s(self._clock()) - self._max_lead_s)

    def lead_s(self) -> float:
        """How long the listener is provided for by all that is made."""
        return max(0.0, self._due_s() - self._clock())

    async def items(self, utterance: Utterance, *, patience_s: float = 10.0) -> AsyncIterator[Item]:
        """Everything of one utterance as it is made, up to and with `Done` or `Failed`; `Waiting` in between."""
        while True:
            self.ready.clear()
            while (item := utterance.take()) is not None:
                if isinstance(item, Audio):
                    self.sent(utterance, duration_s(len(item.pcm)))
                yield item
                if isinstance(item, Done | Failed):
                    return
            try:
                async with asyncio.timeout(patience_s):
                    await self.ready.wait()
            except TimeoutError:
                yield Waiting()

    @property
    def engaged(self) -> bool:
        """Whether it is being spoken to, or was just now."""
        if self.unfinished:
            return True
        return self._playhead.sent_s > 0.0 and self._clock() < self._playhead.dry_at_s + _STAYS_S

    def demand(self) -> Demand | None:
        """What it still asks of the voice; None if all is made."""
        speaking = [utterance for utterance in self._utterances if not utterance.over]
        if not speaking:
            return None
        due_s, utterance = self._due_s(), speaking[0]
        return Demand(
            first_s=0.0 if due_s > utterance.text_came_s else utterance.first_work_s,
            dry_at_s=max(due_s, self._clock()),
            rate=utterance.rate,
            left_s=sum(each.left_s for each in speaking),
        )

    def offer(self, pool: Pool) -> Offer | None:
        """The step that is next, and how urgent it is; None if there is none."""
        match pool:
            case Pool.PLAN:
                steps = ((utterance, utterance.plan()) for utterance in self._utterances)
                found = next(((utterance, work) for utterance, work in steps if work is not None), None)
                return self._offer(*found, work_s=0.0, not_before_s=0.0) if found is not None else None
            case Pool.SPEAK:
                utterance = next((each for each in self._utterances if not each.over), None)
                work = utterance.speak() if utterance is not None else None
                if utterance is None or work is None:
                    return None
                return self._offer(utterance, work, work_s=utterance.next_work_s, not_before_s=self._not_before_s())

    def _offer(self, utterance: Utterance, work: Work, *, work_s: float, not_before_s: float) -> Offer:
        due_s = self._due_s()
        waits_since_s = None if due_s > utterance.text_came_s else utterance.text_came_s
        return Offer(
            claim=Claim(waits_since_s=waits_since_s, dry_at_s=due_s, work_s=work_s),
            not_before_s=not_before_s,
            work=work,
            failed=lambda: utterance.fail(EngineFailed("The voice failed.", retryable=True)),
        )

    def _due_s(self) -> float:
        """When the listener runs dry, with what is made for it and not yet sent."""
        buffered_s = sum(utterance.buffered_s for utterance in self._utterances)
        ahead_s = max(self._playhead.dry_at_s, self._clock()) if buffered_s else self._playhead.dry_at_s
        return ahead_s + buffered_s

    def _not_before_s(self) -> float:
        """A listener with plenty waits, but never so long that a slow step would come too late."""
        if self._max_lead_s is None:
            return 0.0
        return self._due_s() - self._max_lead_s - 2.0 * self._scheduler.slow_step_s

    def _changed(self) -> None:
        self.ready.set()
        self._scheduler.poke()
