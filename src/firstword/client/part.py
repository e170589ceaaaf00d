"""One request of an answer: the text it carries, what has been sent of it, what has come back. Pure.

Above it: `answer`, which joins parts.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypedDict

from firstword.audio import SAMPLE_RATE_HZ
from firstword.client.shown import ShownText
from firstword.errors import UsageError
from firstword.kokoro.voices import VOICES
from firstword.protocol.messages import ClientMessage, Synthesize, TextDelta, TextEnd

__all__ = ["Options", "Part"]

_LONGEST_SENTENCE_CHARS: Final = 320
"""Where the chunker cuts; what is longer holds code, or a passage that is hidden."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How an answer is to be said. None leaves it to the server: its default voice, the voice's language."""

    voice: str | None = None
    speed: float | None = None
    language: str | None = None
    timings: bool = False
    trim: bool = True
    sample_rate_hz: int = SAMPLE_RATE_HZ
    pronunciations: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        """Raises UsageError for what JSON cannot carry, and the server would take for something left out."""
        if isinstance(self.speed, float) and not math.isfinite(self.speed):
            raise UsageError(f"speed is {self.speed}; it must be a number from 0.5 to 2.0.", code="bad_speed")
        for name, value in (("voice", self.voice), ("language", self.language)):
            if isinstance(value, str) and _halved(value):
                raise UsageError(f"{name} holds half a character.", code=f"bad_{name}")
        for word, said in (self.pronunciations or {}).items():
            if not isinstance(word, str) or not isinstance(said, str) or _halved(word + said):
                raise UsageError("pronunciations maps words to respellings or /phonemes/.", code="bad_pronunciation")

    @property
    def spoken_language(self) -> str | None:
        """The language asked for, else the voice's, else None: a voice of the server's own is not known here."""
        first = (self.voice or "").partition("+")[0].partition("*")[0].strip()
        return self.language or (VOICES[first].language if first in VOICES else None)


@dataclass(kw_only=True)
class Part:
    """A whole text sent as `synthesize`, or a `live` one sent as `text_delta` while it grows."""

    request_id: str
    text: str
    char_start: int
    live: bool = False
    text_ended: bool = False
    joined: bool = False
    """A whole text of several sentences that is said in one."""
    sent_at_s: float | None = None
    """When the first of it was sent, on the sender's monotonic clock."""
    begun: bool = False
    done: bool = False
    base_bytes: int = 0
    """Where its audio begins in the answer's."""
    received: int = 0
    """Bytes handed on, over all sessions."""
    seen: int = 0
    """Bytes that came in the present session."""
    sentences: int = 0
    timed: int = 0
    sentence_span: tuple[int, int] = (0, 0)
    """Where the sentence that was told last stands in the text, hidden parts of it included."""
    _sentence_bytes: int = 0
    _sent_chars: int = 0
    _end_sent: bool = False
    _places: ShownText = field(default_factory=ShownText)

    def __post_init__(self) -> None:
        self._places.feed(self.text)
        if self.text_ended:
            self._places.finish()

    @property
    def has_outgoing(self) -> bool:
        """`outgoing` would give something."""
        if self.done or self._end_sent:
            return False
        return self.text_ended or (self.live and self._sent_chars < len(self.text))

    @property
    def awaits_text(self) -> bool:
        """The peer has said all it was given and waits for more: its silence means nothing."""
        return self.live and not self.text_ended

    @property
    def said_chars(self) -> int:
        """Characters by which to estimate its length in time: none if it is not said as written, such as code."""
        in_full = len(self.text) <= _LONGEST_SENTENCE_CHARS and "```" not in self.text and "~~~" not in self.text
        return len(self.text) if in_full else 0

    def feed(self, text: str) -> None:
        self.text += text
        self._places.feed(text)

    def outgoing(self, options: Options) -> list[ClientMessage]:
        """Messages still to be sent in the present session; taking them counts as sending them."""
        return list(self._outgoing_text(options)) if self.has_outgoing else []

    def fresh(self, pcm: bytes) -> bytes:
        """What of these bytes had not been handed on before a session was lost."""
        old = max(0, self.received - self.seen)
        self.seen += len(pcm)
        new = pcm[old:]
        self.received += len(new)
        return new

    def new_sentence(self, index: int, text: str) -> bool:
        """Whether this sentence is to be told; then `sentence_span` says where it stands."""
        if index < self.sentences:
            return False
        self.sentences = index + 1
        start, wording = self._places.take(text)
        self.sentence_span = self.char_start + start, self.char_start + start + len(wording)
        self._sentence_bytes = self.seen
        return True

    def new_timings(self, index: int) -> bool:
        new = index >= self.timed
        self.timed = max(self.timed, index + 1)
        return new

    def again(self, request_id: str) -> "Part":
        """This part as it goes out in a new session.

        A whole text goes out as it was. A live one starts at the sentence that was being said, since the peer's cuts
        may fall elsewhere the second time.
        """
        if not self.live:
            self.request_id, self.seen, self._end_sent, self._sent_chars = request_id, 0, False, 0
            return self
        start = self.sentence_span[0] if self.sentences else self.char_start
        rest = self.text[start - self.char_start :]
        part = Part(request_id=request_id, text=rest, char_start=start, live=True, text_ended=self.text_ended)
        part.begun = self.begun
        part.base_bytes = self.base_bytes + self._sentence_bytes
        part.received = self.received - self._sentence_bytes
        if self.sentences:
            part.sentences, part.timed = 1, min(1, max(0, self.timed - self.sentences + 1))
            part._places.take(self.text[start - self.char_start : self.sentence_span[1] - self.char_start])
            part.sentence_span = self.sentence_span
        return part

    def end_text(self) -> None:
        """Nothing more is fed."""
        if not self.text_ended:
            self.text_ended = True
            self._places.finish()

    def stop_taking_text(self) -> None:
        """The peer has ended this live text by itself."""
        self.end_text()
        self._end_sent = True

    def _outgoing_text(self, options: Options) -> Iterator[ClientMessage]:
        if not self.live:
            said_how = _said_how(options)
            yield Synthesize(text=self.text, request_id=self.request_id, joined=self.joined, **said_how)
            self._sent_chars, self._end_sent = len(self.text), True
            return
        if self._sent_chars < len(self.text):
            rest = self.text[self._sent_chars :]
            yield TextDelta(text=rest, request_id=self.request_id, **_said_how(options))
            self._sent_chars = len(self.text)
        if self.text_ended and self._sent_chars:
            yield TextEnd(request_id=self.request_id)
            self._end_sent = True


def _halved(text: str) -> bool:
    """Whether it holds half of a surrogate pair."""
    return any("\ud800" <= char <= "\udfff" for char in text)


class _Fields(TypedDict):
    voice: str | None
    speed: float | None
    language: str | None
    timings: bool
    trim: bool
    sample_rate: int
    pronunciations: dict[str, str] | None


def _said_how(options: Options) -> _Fields:
    return {
        "voice": options.voice,
        "speed": options.speed,
        "language": options.language,
        "timings": options.timings,
        "trim": options.trim,
        "sample_rate": options.sample_rate_hz,
        "pronunciations": dict(options.pronunciations) if options.pronunciations else None,
    }
