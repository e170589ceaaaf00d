"""What the caller is told of one answer: agent events with their numbers and times, and the record of what was sent.

Text and audio arrive from two tasks and leave in the order they arrived. Offsets of a piece of the answer that was
spoken by itself are moved to where it stands in the whole. Above it: `modes`. Below it: `outbox`, `heard`.
"""

import time
from dataclasses import dataclass
from typing import assert_never

from firstword.agent.heard import Heard
from firstword.agent.outbox import Audio, Outbox
from firstword.agent.request import Ask
from firstword.agent.voice import WholeSpeech
from firstword.client.events import (
    AudioChunk,
    Event,
    Sentence,
    SynthesisCancelled,
    SynthesisComplete,
    SynthesisStart,
    Timings,
)
from firstword.errors import FirstwordError
from firstword.protocol.events import (
    AgentEnd,
    AgentErrorEvent,
    AgentStart,
    AgentTextDelta,
    AgentTimings,
    AudioStreamEnd,
    AudioStreamStart,
    Interrupted,
    SentenceEvent,
)
from firstword.protocol.messages import MAX_FRAME_BYTES, Word

__all__ = ["Place", "Said", "Telling"]


@dataclass(frozen=True, kw_only=True)
class Said:
    """A piece of the answer's text, and where it starts in it."""

    start: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where in the answer a piece begins that is spoken by itself."""

    char: int
    audio_s: float
    sentence: int


class Telling:
    """Owes its caller nothing after `mute`: what still comes is not told."""

    def __init__(self, ask: Ask, outbox: Outbox) -> None:
        self.outbox = outbox
        self.heard = Heard()
        self.turns: list[str] = []
        """The answer's text by the model's turns; a tool call ends one."""
        self.usage: dict[str, int] = {}
        self._ask = ask
        self._began = time.monotonic()
        self._first_audio_at: float | None = None
        self._deltas = self._chunks = self._sentences = 0
        self._muted = False

    @property
    def request_id(self) -> str:
        return self._ask.request_id

    def t_ms(self) -> float:
        return self._ms(time.monotonic())

    def _ms(self, at: float) -> float:
        return round((at - self._began) * 1000, 3)

    def assumed_played_s(self) -> float:
        """How much was heard by a listener who began with the first audio sent and never paused."""
        return 0.0 if self._first_audio_at is None else time.monotonic() - self._first_audio_at

    def mute(self) -> None:
        self._muted = True

    # The text

    async def start(self) -> None:
        await self.outbox.put(AgentStart(request_id=self.request_id, t_ms=0.0, mode=self._ask.mode))

    def begin_turn(self) -> None:
        self.turns.append("")

    async def text(self, delta: str) -> Said:
        """Tell more text; what was told, and where it stands. The words of two turns are kept apart by a space."""
        if not self.turns:
            self.begin_turn()
        start, text = len(self.heard.text), self.heard.text
        if text and not self.turns[-1] and not text[-1].isspace() and not delta[:1].isspace():
            delta = f" {delta}"
        self.turns[-1] += delta
        self.heard.text += delta
        self._deltas += 1
        if not self._muted:
            await self.outbox.put(
                AgentTextDelta(request_id=self.request_id, t_ms=self.t_ms(), seq=self._deltas - 1, text=delta)
            )
        return Said(start=start, text=delta)

    # The audio

    def place(self, char: int) -> Place:
        return Place(char=char, audio_s=self.heard.audio_s, sentence=self._sentences)

    async def hear(self, event: Event, place: Place) -> None:
        """Tell what the voice says, which counts from `place`."""
        if self._muted:
            return
        match event:
            case SynthesisStart():
                await self._audio_start(event.voice, event.sample_rate_hz, event.format)
            case Sentence():
                await self._sentence(event, place)
            case Timings():
                await self._timings(event, place)
            case AudioChunk():
                await self._audio(event.pcm)
            case SynthesisComplete() | SynthesisCancelled():
                pass
            case _:
                assert_never(event)

    async def hear_whole(self, speech: WholeSpeech) -> None:
        """Tell audio that came all at once."""
        if not speech.pcm:
            return
        await self._audio_start(speech.voice, speech.sample_rate_hz, speech.format)
        for at in range(0, len(speech.pcm), MAX_FRAME_BYTES):
            await self._audio(speech.pcm[at : at + MAX_FRAME_BYTES])

    async def end_audio(self) -> None:
        self.heard.complete = True
        if self._chunks:
            total, length_s = self._chunks, round(self.heard.audio_s, 6)
            await self.outbox.put(
                AudioStreamEnd(request_id=self.request_id, t_ms=self.t_ms(), total_chunks=total, duration_s=length_s)
            )

    async def _audio_start(self, voice: str, rate_hz: int, kind: str) -> None:
        if self._first_audio_at is None and not self._chunks:
            await self.outbox.put(
                AudioStreamStart(
                    request_id=self.request_id, t_ms=self.t_ms(), voice=voice, sample_rate=rate_hz, format=kind
                )
            )

    async def _sentence(self, event: Sentence, place: Place) -> None:
        self._sentences = place.sentence + event.index + 1
        await self.outbox.put(
            SentenceEvent(
                request_id=self.request_id,
                t_ms=self.t_ms(),
                index=place.sentence + event.index,
                text=event.text,
                audio_offset_s=round(place.audio_s + event.audio_offset_s, 6),
                char_start=place.char + event.char_start,
                char_end=place.char + event.char_end,
                sent_ms=None if event.sent_at_s is None else self._ms(event.sent_at_s),
            )
        )

    async def _timings(self, event: Timings, place: Place) -> None:
        words = tuple(
            Word(
                word=word.word,
                start_s=round(place.audio_s + word.start_s, 6),
                end_s=round(place.audio_s + word.end_s, 6),
                char_start=place.char + word.char_start,
                char_end=place.char + word.char_end,
            )
            for word in event.words
        )
        self.heard.time(words)
        index = place.sentence + event.index
        await self.outbox.put(AgentTimings(request_id=self.request_id, t_ms=self.t_ms(), index=index, words=words))

    async def _audio(self, pcm: bytes) -> None:
        chunk = Audio(request_id=self.request_id, t_ms=self.t_ms(), seq=self._chunks, pcm=pcm)
        self._chunks += 1
        if self._first_audio_at is None:
            self._first_audio_at = time.monotonic()
        await self.outbox.put(chunk)
        self.heard.audio_bytes += len(pcm)

    # The end

    def ended(self) -> AgentEnd:
        return AgentEnd(request_id=self.request_id, t_ms=self.t_ms(), usage=self.usage)

    def interrupted(self, played_s: float | None) -> Interrupted:
        char_end = self.heard.char_end(self.assumed_played_s() if played_s is None else played_s)
        heard_text = self.heard.text[:char_end]
        return Interrupted(request_id=self.request_id, t_ms=self.t_ms(), heard_text=heard_text, char_end=char_end)

    def failed(self, error: FirstwordError) -> AgentErrorEvent:
        return AgentErrorEvent(
            request_id=self.request_id,
            t_ms=self.t_ms(),
            code=error.code,
            message=error.one_line(),
            retryable=error.retryable,
        )
