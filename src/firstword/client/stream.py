"""One answer while it runs: sentences sent and audio received at once, over whatever sessions it takes.

Three tasks: one turns the text into parts, one sends each part the moment it exists, one receives in order. A lost
session is replaced and what was not wholly received is asked for again. The rules of joining are `answer`'s; this
module does the waiting, and every wait for the peer has a deadline. Above it: `connection`.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Callable
from typing import Final, Literal

from firstword.audio import duration_s
from firstword.client.answer import Answer, AnswerPhase
from firstword.client.cutting import Patience
from firstword.client.events import AudioChunk, Event, SynthesisCancelled, SynthesisComplete
from firstword.client.line import Line
from firstword.client.part import Part
from firstword.client.sentences import FirstChunk, Listening, sentences
from firstword.client.session import Session
from firstword.client.source import TextSource, fragments
from firstword.config import ClientSettings
from firstword.errors import FirstwordError, TransportError, TransportTimeout, first_cause
from firstword.playhead import Playhead
from firstword.protocol.messages import Cancel
from firstword.text.pace import Pace

__all__ = ["AnswerStream", "Delivery"]

type Delivery = Literal["sentences", "deltas", "whole"]

_log = logging.getLogger(__name__)
_MAX_EVENTS: Final = 64
_MAX_UNSENT: Final = 256
_UNPACED_REPORT_BYTES: Final = 24_000
_BUSY: Final = 5
_NEVER_HELD_S: Final = 2.5
"""A server sends so much ahead of playback that this comes as fast as it is made."""


class AnswerStream:
    """Owe it a task that runs `run`; take `events` once; `stop` may come from anywhere, at any time.

    What it learns of the voice's speed goes into `pace`. Unless `paced`, nobody listens: what was handed out counts
    as heard, so that the peer does not hold to the pace of playback.
    """

    def __init__(self, answer: Answer, line: Line, settings: ClientSettings, pace: Pace, *, paced: bool) -> None:
        self._answer = answer
        self._line = line
        self._settings = settings
        self._pace = pace
        self._paced = paced
        self._playhead = Playhead()
        self._carriers: dict[str, Session] = {}
        self._events: asyncio.Queue[Event | None] = asyncio.Queue(_MAX_EVENTS)
        self._changed = asyncio.Condition()
        self._recovering = asyncio.Lock()
        self._stopped = asyncio.Event()
        self._settled = asyncio.Event()
        self._failure: BaseException | None = None
        self._reconnects = 0
        self._first_sent_at: float | None = None
        self._first_audio_at: float | None = None
        self._handed_out = 0
        self._delivery: Delivery = "sentences"
        self._learnt = False

    @property
    def request_id(self) -> str:
        return self._answer.request_id

    async def run(self, text: TextSource, delivery: Delivery, first_chunk: FirstChunk) -> None:
        """Carry the answer to its end. Never raises: a failure is raised to whoever takes the events."""
        self._delivery = delivery
        work = asyncio.create_task(self._work(text, first_chunk), name="firstword answer")
        stop = asyncio.create_task(self._stopped.wait())
        try:
            await asyncio.wait({work, stop}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            work.cancel()
            stop.cancel()
            (outcome, _) = await asyncio.gather(work, stop, return_exceptions=True)
            if isinstance(outcome, BaseException) and not isinstance(outcome, asyncio.CancelledError):
                self._failure = first_cause(outcome) if isinstance(outcome, BaseExceptionGroup) else outcome
            await self._settle()
            self._settled.set()
        if not self._stopped.is_set():
            await self._events.put(None)

    async def events(self) -> AsyncGenerator[Event]:
        """What comes of the answer, ending in `SynthesisComplete` or `SynthesisCancelled`; raises what broke it."""
        told = 0
        while (event := await self._events.get()) is not None:
            if isinstance(event, AudioChunk):
                self._handed_out += len(event.pcm)
            yield event
            if not self._paced and self._handed_out - told >= _UNPACED_REPORT_BYTES:
                told = self._handed_out
                await self.played(duration_s(told, self._answer.sample_rate_hz))
        if self._stopped.is_set():
            yield SynthesisCancelled(request_id=self.request_id, audio_bytes=self._handed_out)
        elif self._failure is not None:
            raise self._failure
        else:
            yield self._complete()

    async def stop(self) -> None:
        """No more audio from now on; returns once the peer has acknowledged, or was dropped for not doing so."""
        self._answer.phase = AnswerPhase.CANCELLED
        self._stopped.set()
        while not self._events.empty():
            self._events.get_nowait()
        self._events.put_nowait(None)
        await self._settled.wait()

    async def played(self, played_s: float) -> None:
        """Tell the peer where the listener is. Nothing happens if the way is broken just now."""
        self._playhead.heard(played_s, time.monotonic())
        place = self._answer.playback(played_s)
        session = self._carriers.get(place.request_id) if place is not None else None
        if place is not None and session is not None:
            with contextlib.suppress(TransportError):
                await session.send(place)

    # Text in

    async def _work(self, text: TextSource, first_chunk: FirstChunk) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._feed(text, first_chunk))
            sender = group.create_task(self._send())
            await self._receive()
            sender.cancel()

    async def _feed(self, text: TextSource, first_chunk: FirstChunk) -> None:
        answer = self._answer
        if self._delivery == "sentences":
            cut = sentences(
                text,
                language=answer.options.spoken_language,
                first_chunk=first_chunk,
                patience=_patience(self._settings),
                listening=Listening(self._pace, self._lead_s) if self._paced else None,
            )
            async with contextlib.aclosing(cut) as pieces:
                async for piece in pieces:
                    await self._until(lambda: answer.unsent < _MAX_UNSENT)
                    answer.add(piece.text, piece.start, joined=piece.joined)
                    await self._tell()
        else:
            async with contextlib.aclosing(fragments(text)) as source:
                async for fragment in source:
                    answer.feed(fragment, live=self._delivery == "deltas")
                    await self._tell()
        answer.end_text()
        await self._tell()

    def _lead_s(self) -> float:
        """How long the listener is provided for: by what has come, and by what has been asked for."""
        return self._playhead.provided_s(self._answer.awaited_s(self._pace.seconds), time.monotonic())

    # Requests out

    async def _send(self) -> None:
        while True:
            await self._until(lambda: self._next_part() is not None)
            part = self._next_part()
            if part is not None:
                await self._send_part(part)
                await self._tell()

    def _next_part(self) -> Part | None:
        """The first part with something to send, unless too many are unanswered."""
        for ahead, part in enumerate(self._answer.open_parts()):
            if ahead >= self._settings.max_unanswered:
                return None
            if part.has_outgoing:
                return part
        return None

    async def _send_part(self, part: Part) -> None:
        session = self._carriers.get(part.request_id)
        try:
            if session is None:
                session = await self._line.session()
                self._carriers[part.request_id] = session
                session.requests_in_flight += 1
            for message in part.outgoing(self._answer.options):
                now = time.monotonic()
                self._first_sent_at = now if self._first_sent_at is None else self._first_sent_at
                part.sent_at_s = now if part.sent_at_s is None else part.sent_at_s
                await session.send(message)
        except TransportError as error:
            await self._recover(error, session)

    # Audio in

    async def _receive(self) -> None:
        while not self._answer.done:
            part = next(self._answer.open_parts(), None)
            session = self._carriers.get(part.request_id) if part is not None else None
            if part is None or session is None:
                await self._until(self._has_something_to_await)
                continue
            try:
                await self._take(part, session)
            except TransportTimeout as error:
                if not part.awaits_text:
                    await self._recover(error, session)
            except TransportError as error:
                await self._recover(error, session)

    def _has_something_to_await(self) -> bool:
        part = next(self._answer.open_parts(), None)
        return self._answer.done or (part is not None and part.request_id in self._carriers)

    async def _take(self, part: Part, session: Session) -> None:
        item = await session.receive(self._settings.receive_timeout_s)
        if self._carriers.get(part.request_id) is not session:
            return  # it came for what has been asked for again meanwhile
        for event in self._answer.accept(item):
            if isinstance(event, AudioChunk):
                now = time.monotonic()
                self._first_audio_at = now if self._first_audio_at is None else self._first_audio_at
                self._playhead.sent(duration_s(len(event.pcm), self._answer.sample_rate_hz), now)
            await self._events.put(event)
        if part.done:
            self._learn(part)
            self._forget(part)
            await self._tell()

    def _learn(self, part: Part) -> None:
        """The first sentence tells how fast the voice is: no other was in its way, and a short one is not held back."""
        if self._delivery != "sentences" or self._reconnects:
            return
        characters, audio_s = part.said_chars, self._answer.duration_of(part)
        sent, heard = self._first_sent_at, self._first_audio_at
        if self._learnt or sent is None or heard is None:
            self._pace.learn(characters=characters, audio_s=audio_s)
        else:
            whole_s = time.monotonic() - sent if audio_s < _NEVER_HELD_S else None
            self._pace.learn(characters=characters, audio_s=audio_s, first_s=heard - sent, whole_s=whole_s)
        self._learnt = True

    def _forget(self, part: Part) -> None:
        session = self._carriers.pop(part.request_id, None)
        if session is not None:
            session.requests_in_flight -= 1
            self._line.release()

    # When something breaks

    async def _recover(self, error: TransportError, session: Session | None) -> None:
        """Ask again for what is missing, in a new session; raises `error` when that has been tried often enough."""
        async with self._recovering:
            if session is not None and session not in self._carriers.values():
                return  # the other task has seen to it
            self._reconnects += 1
            if not error.retryable or self._reconnects > self._settings.max_reconnects:
                raise self._given_up(error)
            _log.info("the speech session was lost; asking again", extra={"code": error.code, "try": self._reconnects})
            await self._line.drop()
            self._carriers.clear()
            self._answer.sessions_lost()
            await asyncio.sleep(_delay_s(self._settings.reconnect_delay_s, self._reconnects, error.code))
        await self._tell()

    def _given_up(self, error: TransportError) -> TransportError:
        """What the caller is told once asking again is over: where the answer was cut, and what stood in the way."""
        if not self._answer.audio_bytes:
            return error
        said = f"The answer was cut after {self._answer.duration_s:.1f} s of its speech, for good. {error.message}"
        return type(error)(said, code=error.code, hint=error.hint, retryable=error.retryable)

    async def _settle(self) -> None:
        """End what is still under way at the peer, so that the session can carry the next answer."""
        if self._answer.done and self._failure is None:
            return
        self._answer.phase = AnswerPhase.CANCELLED
        try:
            async with asyncio.timeout(self._settings.cancel_timeout_s):
                for name, session in list(self._carriers.items()):
                    await session.send(Cancel(request_id=name))
                for part in list(self._answer.open_parts()):
                    if part.request_id in self._carriers:
                        await self._drain(part, self._carriers[part.request_id])
        except (FirstwordError, TimeoutError):
            await self._line.drop()
        for session in self._carriers.values():
            session.requests_in_flight -= 1
        self._carriers.clear()
        self._line.release()

    async def _drain(self, part: Part, session: Session) -> None:
        while not part.done:
            self._answer.accept(await session.receive(self._settings.cancel_timeout_s))
        self._forget(part)

    # Small print

    def _complete(self) -> SynthesisComplete:
        now, sent, heard = time.monotonic(), self._first_sent_at, self._first_audio_at
        return SynthesisComplete(
            request_id=self.request_id,
            audio_bytes=self._answer.audio_bytes,
            duration_s=self._answer.duration_s,
            elapsed_s=0.0 if sent is None else now - sent,
            first_audio_s=None if sent is None or heard is None else heard - sent,
        )

    async def _until(self, predicate: Callable[[], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(predicate)

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def _patience(settings: ClientSettings) -> Patience:
    return Patience(
        idle_s=settings.idle_flush_ms / 1000,
        stall_s=settings.stall_flush_ms / 1000,
        stall_lead_s=settings.stall_lead_ms / 1000,
    )


def _delay_s(first_s: float, turn: int, code: str) -> float:
    """How long to wait before asking again the `turn`th time: a voice that is busy speaks on for seconds."""
    return first_s * float(2 ** (turn - 1)) * (_BUSY if code == "overloaded" else 1)
