"""One answer as the requests that carry it: what to send, what came, what is missing. Pure: no clock, no I/O.

An answer's text goes out as parts, each one request `{id}.{n}`; what comes back is joined into one run of events with
one index and one offset. After a lost session the parts that were not wholly received are sent again, and as much of
their audio as had been handed on is passed over, so that no sample is repeated or missing (the same `synthesize`
message gives the same audio). Above it: `stream`, which does the sending and the waiting.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final, assert_never

from firstword.audio import BYTES_PER_SAMPLE, duration_s
from firstword.client import events
from firstword.client.faults import remote_error, session_failure
from firstword.client.part import Options, Part
from firstword.client.pauses import pause_after
from firstword.errors import ProtocolError, RemoteError
from firstword.protocol import messages

__all__ = ["Answer", "AnswerPhase"]

_EMPTY: Final[list[events.Event]] = []
_ASK_AGAIN: Final = {"overloaded", "going_away"}
"""What another session, a little later, may answer."""


class AnswerPhase(Enum):
    """`CANCELLED` hands nothing on and waits only for the peer's last word on each part."""

    OPEN = "open"
    CANCELLED = "cancelled"


class Answer:
    """Owe it `add` or `feed` for the text, `end_text`, and `accept` for everything that came for it, in order."""

    def __init__(self, request_id: str, options: Options) -> None:
        self.request_id = request_id
        self.options = options
        self.phase = AnswerPhase.OPEN
        self.text_ended = False
        self.audio_bytes = 0
        """Bytes of audio handed on so far, pauses between parts included."""
        self.sample_rate_hz = options.sample_rate_hz
        self._parts: list[Part] = []
        self._first_open = 0
        self._speaking: Part | None = None
        self._started = False
        self._sentences = 0
        self._made = 0

    @property
    def done(self) -> bool:
        return self.text_ended and self._first_open == len(self._parts)

    @property
    def duration_s(self) -> float:
        return duration_s(self.audio_bytes, self.sample_rate_hz)

    @property
    def unsent(self) -> int:
        """Parts that wait to be sent."""
        return sum(part.has_outgoing for part in self.open_parts())

    def open_parts(self) -> Iterator[Part]:
        """Parts without the peer's last word, oldest first."""
        return (part for part in self._parts[self._first_open :] if not part.done)

    def awaited_s(self, seconds: Callable[[int], float]) -> float:
        """Audio that is still to come of what was added; `seconds` is how long so many characters play."""
        made = ((seconds(part.said_chars), self.duration_of(part)) for part in self.open_parts())
        return sum(max(0.0, expected_s - received_s) for expected_s, received_s in made)

    def duration_of(self, part: Part) -> float:
        """The audio of a part that has been handed on, in seconds."""
        return duration_s(part.received, self.sample_rate_hz)

    def add(self, text: str, char_start: int, *, joined: bool = False) -> None:
        """One more part: whole, its wording as in the source; `joined` sentences are said in one."""
        part = Part(request_id=self._next_id(), text=text, char_start=char_start, text_ended=True, joined=joined)
        self._parts.append(part)

    def feed(self, text: str, *, live: bool) -> None:
        """More of a text that the peer cuts itself; it is sent as it comes if `live`, else once it has ended."""
        last = self._parts[-1] if self._parts else None
        if last is None or last.text_ended:
            start = last.char_start + len(last.text) if last is not None else 0
            self._parts.append(Part(request_id=self._next_id(), text="", char_start=start, live=live))
        self._parts[-1].feed(text)

    def end_text(self) -> None:
        self.text_ended = True
        if self._parts:
            self._parts[-1].end_text()
            if not self._parts[-1].text.strip():
                self._end(self._parts[-1])

    def sessions_lost(self) -> None:
        """Every part without the peer's last word has to be sent again."""
        self._speaking = None
        for index in range(self._first_open, len(self._parts)):
            if not self._parts[index].done:
                self._parts[index] = self._parts[index].again(self._next_id())

    def accept(self, item: messages.ServerMessage | bytes) -> list[events.Event]:
        """What the caller learns from one message or audio frame.

        Raises RemoteError when the peer gave up on a part, ConnectionLost when it should be asked again, ProtocolError
        when audio is missing.
        """
        match item:
            case bytes():
                return self._audio(item)
            case messages.Ready() | messages.GoingAway() | messages.Closed():
                return _EMPTY
            case messages.Error(request_id=None):
                raise session_failure(item)
            case _:
                part = self._part(item.request_id)
                return _EMPTY if part is None else self._about(part, item)

    def playback(self, played_s: float) -> messages.Playback | None:
        """The listener's place in the answer as a place in the part it lies in, while the peer still says that."""
        for part in reversed(self._parts):
            local_s = played_s - duration_s(part.base_bytes, self.sample_rate_hz)
            if part.begun and local_s > 0:
                heard_s = round(min(local_s, duration_s(part.seen, self.sample_rate_hz)), 6)
                return None if part.done else messages.Playback(request_id=part.request_id, played_s=heard_s)
        return None

    def _about(
        self,
        part: Part,
        item: messages.SynthesisStart
        | messages.Sentence
        | messages.Timings
        | messages.SynthesisComplete
        | messages.SynthesisCancelled
        | messages.Error,
    ) -> list[events.Event]:
        match item:
            case messages.SynthesisStart():
                return self._start(part, item)
            case messages.Sentence():
                return self._sentence(part, item)
            case messages.Timings():
                return self._timings(part, item)
            case messages.SynthesisComplete():
                if self.phase is AnswerPhase.OPEN and part.seen != item.audio_bytes:
                    raise ProtocolError(f"{item.audio_bytes} bytes of audio were announced and {part.seen} came.")
                self._end(part)
                return _EMPTY
            case messages.SynthesisCancelled():
                self._end(part)
                if self.phase is AnswerPhase.OPEN:
                    raise RemoteError("The speech server cancelled the request.", code="cancelled", retryable=True)
                return _EMPTY
            case messages.Error():
                return self._error(part, item)
            case _:
                assert_never(item)

    def _start(self, part: Part, item: messages.SynthesisStart) -> list[events.Event]:
        self._speaking = part
        self.sample_rate_hz = item.sample_rate
        if self.phase is not AnswerPhase.OPEN or part.begun:
            return _EMPTY
        part.begun = True
        pause = self._pause_before(part)
        part.base_bytes = self.audio_bytes + len(pause)
        told: list[events.Event] = []
        if not self._started:
            self._started = True
            told.append(
                events.SynthesisStart(
                    request_id=self.request_id, voice=item.voice, sample_rate_hz=item.sample_rate, format=item.format
                )
            )
        return told + self._hand_on(pause)

    def _pause_before(self, part: Part) -> bytes:
        """The silence that the end of the part before asks for: the server pauses within a request only."""
        before = next((other for other in reversed(self._parts[: self._parts.index(part)]) if other.received), None)
        if before is None or not self.options.trim:
            return b""
        return pause_after(
            before.text,
            language=self.options.spoken_language,
            speed=self.options.speed or 1.0,
            sample_rate_hz=self.sample_rate_hz,
        )

    def _sentence(self, part: Part, item: messages.Sentence) -> list[events.Event]:
        if self.phase is not AnswerPhase.OPEN or not part.new_sentence(item.index, item.text):
            return _EMPTY
        start, end = part.sentence_span
        index, self._sentences = self._sentences, self._sentences + 1
        offset_s = duration_s(part.base_bytes, self.sample_rate_hz) + item.audio_offset_s
        return [
            events.Sentence(
                request_id=self.request_id,
                index=index,
                text=item.text,
                audio_offset_s=round(offset_s, 6),
                char_start=start,
                char_end=end,
                sent_at_s=part.sent_at_s,
            )
        ]

    def _timings(self, part: Part, item: messages.Timings) -> list[events.Event]:
        if self.phase is not AnswerPhase.OPEN or not part.new_timings(item.index):
            return _EMPTY
        base_s = duration_s(part.base_bytes, self.sample_rate_hz)
        words = tuple(
            messages.Word(
                word=word.word,
                start_s=round(base_s + word.start_s, 6),
                end_s=round(base_s + word.end_s, 6),
                char_start=part.char_start + word.char_start,
                char_end=part.char_start + word.char_end,
            )
            for word in item.words
        )
        return [events.Timings(request_id=self.request_id, index=self._sentences - 1, words=words)]

    def _audio(self, pcm: bytes) -> list[events.Event]:
        part = self._speaking or next(self.open_parts(), None)
        if part is None or self.phase is not AnswerPhase.OPEN:
            return _EMPTY
        return self._hand_on(part.fresh(pcm))

    def _hand_on(self, pcm: bytes) -> list[events.Event]:
        if not pcm:
            return _EMPTY
        if len(pcm) % BYTES_PER_SAMPLE:
            raise ProtocolError("The speech server sent half a sample.")
        self.audio_bytes += len(pcm)
        return [events.AudioChunk(request_id=self.request_id, pcm=pcm)]

    def _error(self, part: Part, item: messages.Error) -> list[events.Event]:
        if not item.terminal:
            if item.code == "text_timeout":
                part.stop_taking_text()
            return _EMPTY
        if self.phase is AnswerPhase.OPEN and item.retryable and item.code in _ASK_AGAIN:
            raise session_failure(item)
        self._end(part)
        if self.phase is AnswerPhase.OPEN:
            raise remote_error(item)
        return _EMPTY

    def _end(self, part: Part) -> None:
        part.done = True
        if self._speaking is part:
            self._speaking = None
        while self._first_open < len(self._parts) and self._parts[self._first_open].done:
            self._first_open += 1

    def _part(self, request_id: str | None) -> Part | None:
        return next((part for part in self.open_parts() if part.request_id == request_id), None)

    def _next_id(self) -> str:
        self._made += 1
        return f"{self.request_id}.{self._made}"
