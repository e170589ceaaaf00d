"""One request's text on its way to pieces: cut into sentences, made speakable, given to the voice to plan.

Every offset that leaves here counts in the text of the request as it was sent. Blocking, and owned by one thread at a
time (the scheduler's planning pool); it holds no audio and knows nothing of time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from firstword.kokoro.synthesizer import Piece, SpokenWord, Synthesizer, VoiceOptions
from firstword.kokoro.voices import language_of
from firstword.protocol.messages import Word
from firstword.text.joining import WaitingSentences
from firstword.text.pace import Pace
from firstword.text.speakable import Pause, SpeakableOptions, SpeakableStream, Spoken

__all__ = ["Chunker", "PlannedPiece", "PlannedSentence", "Script", "spoken_language"]


class Chunker(Protocol):
    """`firstword.text.chunker:IncrementalSentenceChunker`, as far as it is needed here."""

    def feed(self, fragment: str, /) -> list[str]: ...

    def idle(self, *, long: bool = False) -> list[str]: ...

    def flush(self) -> list[str]: ...


@dataclass(frozen=True, kw_only=True)
class PlannedPiece:
    """A piece, the silence after it, and the way back from its words to the request's text."""

    piece: Piece
    pause_after_s: float
    spoken: Spoken
    spoken_start: int

    def timings(self, words: Sequence[SpokenWord], offset_s: float) -> tuple[Word, ...]:
        """The words of its decoding, with seconds and code points of the whole request."""
        return tuple(self._word(word, offset_s) for word in words)

    def _word(self, word: SpokenWord, offset_s: float) -> Word:
        start, end = self.spoken.to_source(self.spoken_start + word.char_start, self.spoken_start + word.char_end)
        return Word(
            word=word.text,
            start_s=round(offset_s + word.start_s, 4),
            end_s=round(offset_s + word.end_s, 4),
            char_start=start,
            char_end=end,
        )


@dataclass(frozen=True, kw_only=True)
class PlannedSentence:
    """A sentence as it stands in the request, and its pieces (at least one)."""

    text: str
    char_start: int
    char_end: int
    pieces: tuple[PlannedPiece, ...]


class Script:
    """Feed it text in fragments; take planned sentences from it. `reading` is how text becomes words.

    `pace` None: each sentence alone, however much the listener has. `joined`: what the chunker gives may be several
    sentences. What is said in one is read a sentence at a time all the same, so that joining changes no word.
    """

    def __init__(
        self,
        voice: Synthesizer,
        options: VoiceOptions,
        chunker: Chunker,
        reading: SpeakableOptions | None = None,
        pace: Pace | None = None,
        *,
        joined: bool = False,
    ) -> None:
        self._voice = voice
        self._options = options
        self._chunker = chunker
        self._source = SpeakableStream(spoken_language(options), reading or SpeakableOptions())
        self._joined = joined
        self._sentences = WaitingSentences(pace)
        self._has_rest = False
        self._text = ""
        self._placed_to = 0

    @property
    def has_sentence(self) -> bool:
        """Whether `next_sentence` may be asked; at the end once more, for what no sentence holds."""
        return bool(self._sentences) or self._has_rest

    def feed(self, text: str) -> None:
        self._text += text
        self._cut(self._source.feed(text))

    def idle(self, *, long: bool = False) -> None:
        """No text has come for a moment: a finished sentence need not wait for the next; if `long`, nor a clause."""
        self._sentences.add("", self._chunker.idle(long=long))

    def finish(self) -> None:
        self._cut(self._source.finish())
        self._sentences.add("", self._chunker.flush())
        self._has_rest = True

    def next_sentence(self, lead_s: float = 0.0) -> PlannedSentence | None:
        """The next sentence planned, or None if it has nothing to say; several in one for a listener with `lead_s`.

        Raises RequestRefused as the voice does, and for an inline pronunciation that it cannot say.
        """
        sentence, spoken = self._read(lead_s) if self._sentences else self._read_rest()
        pieces = [piece for start, end, pause_s in _spans(spoken) for piece in self._plan(spoken, start, end, pause_s)]
        if not pieces:
            return None
        start, end = self._place(sentence, spoken)
        return PlannedSentence(text=sentence, char_start=start, char_end=end, pieces=tuple(pieces))

    def _read(self, lead_s: float) -> tuple[str, Spoken]:
        """What goes now, as written and as said."""
        text, sentences = self._sentences.take(lead_s)
        several = self._joined or sentences > 1
        return text, self._source.say_several(text) if several else self._source.say(text)

    def _read_rest(self) -> tuple[str, Spoken]:
        """The same of what no sentence holds."""
        self._has_rest = False
        spoken = self._source.say_rest().spoken
        start, end = spoken.to_source(0, len(spoken.text))
        return self._text[start:end], spoken

    def _cut(self, text: str) -> None:
        self._sentences.add(text, self._chunker.feed(text))

    def _place(self, sentence: str, spoken: Spoken) -> tuple[int, int]:
        """Where a sentence stands in the text: its marks included where it stands there as it is, else its words."""
        start, end = spoken.to_source(0, len(spoken.text))
        found = self._text.find(sentence, max(self._placed_to, start - len(sentence) + 1))
        if 0 <= found <= start:
            start, end = found, found + len(sentence)
        self._placed_to = end
        return start, end

    def _plan(self, spoken: Spoken, start: int, end: int, pause_s: float) -> list[PlannedPiece]:
        planned = [
            PlannedPiece(piece=piece, pause_after_s=piece.pause_after_s, spoken=spoken, spoken_start=start)
            for piece in self._voice.plan(spoken.text[start:end], self._options, spoken.pronounced(start, end))
        ]
        if planned:
            planned[-1] = replace(planned[-1], pause_after_s=max(planned[-1].pause_after_s, pause_s))
        return planned


def spoken_language(options: VoiceOptions) -> str:
    """The language a text is read in: the one asked for, else that of the first voice named."""
    return language_of(options)


def _spans(spoken: Spoken) -> list[tuple[int, int, float]]:
    """The text between explicit pauses, each with the seconds of silence that follow it."""
    spans, start = [], 0
    for segment in spoken.segments:
        if isinstance(segment, Pause):
            spans.append((start, segment.start, segment.seconds))
            start = segment.start
    return [*spans, (start, len(spoken.text), 0.0)]
