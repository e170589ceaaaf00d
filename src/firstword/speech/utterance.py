"""One request on its way from text to sound: text is fed in, items are taken out, steps are offered in between.

Everything but the `work` of an offer happens on the loop. What has been made and not taken is bounded: beyond
`max_buffered_s` of audio no further step is offered (unless it is held whole). `cancel` ends the step that runs and
drops what was not taken. The pause a piece asks for stands before the next one: an utterance does not end in silence.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

from firstword.audio import duration_s, silence
from firstword.errors import SpeechError
from firstword.kokoro.synthesizer import Cancelled, CancelToken, Decoding
from firstword.protocol.messages import Word
from firstword.speech.items import MAX_AUDIO_BYTES, Audio, Done, Failed, Item, SentenceBegun, WordTimings
from firstword.speech.measured import MeasuredVoice
from firstword.speech.script import PlannedPiece, PlannedSentence, Script

__all__ = ["Utterance"]

type Settle = Callable[[], None]
type Work = Callable[[], Settle]

_PLANNED_AHEAD = 2
"""Pieces planned beyond the one that is spoken: phonemes are ready in time, and a cancel wastes little."""
_FRAME_S = 0.025


class _Mark(Enum):
    IDLE = "idle"
    STALL = "stall"
    END = "end"


@dataclass(frozen=True, kw_only=True)
class _Cue:
    """A planned piece in the order of speech; `opens` is its sentence if it is the first of it."""

    planned: PlannedPiece
    index: int
    opens: PlannedSentence | None
    text_came_s: float


class Utterance:
    """`changed` is called, on the loop, whenever there may be something to take or to offer.

    `lead_s` says how long its listener is provided for by what has been made.
    `whole`: nothing can be taken before all of it is made, as a server does that answers messages, not pieces.
    """

    def __init__(
        self,
        voice: MeasuredVoice,
        script: Script,
        *,
        clock: Callable[[], float],
        changed: Callable[[], None],
        max_buffered_s: float,
        lead_s: Callable[[], float],
        whole: bool = False,
    ) -> None:
        self._voice = voice
        self._script = script
        self._clock = clock
        self._changed = changed
        self._max_buffered_s = max_buffered_s
        self._lead_s = lead_s
        self._whole = whole
        self._token = CancelToken()
        self._inbox: deque[str | _Mark] = deque()
        self._text_came_s = clock()
        self._text_ended = False
        self._script_ended = False
        self._cues: deque[_Cue] = deque()
        self._sentences = 0
        self._decoding: Decoding | None = None
        self._prepared = False
        self._pause = b""
        self._items: deque[Item] = deque()
        self._buffered_bytes = 0
        self._made_bytes = 0
        self._piece_bytes = 0
        self._over = False
        self._taken = False
        self.starts_s: float | None = None
        """Where its audio begins in everything its listener has been sent; None until some of it has been."""

    @property
    def buffered_s(self) -> float:
        """Audio that could be taken and was not."""
        return 0.0 if self._held else duration_s(self._buffered_bytes)

    @property
    def taken(self) -> bool:
        """Whether it has been taken to its end."""
        return self._taken

    @property
    def over(self) -> bool:
        """Whether nothing more will be made."""
        return self._over

    @property
    def text_came_s(self) -> float:
        """When the text that is next to be spoken came, by the clock."""
        return self._cues[0].text_came_s if self._cues else self._text_came_s

    @property
    def ahead_s(self) -> float:
        """How long the listener is provided for: by what has been made for it, and by what is planned; not at all once
        it has run dry, for then it waits already."""
        lead_s = self._lead_s()
        return lead_s + self._to_make_s if lead_s > 0.0 else 0.0

    @property
    def next_work_s(self) -> float:
        """How long the next step of the voice is likely to take."""
        costs = self._voice.costs
        if self._decoding is None:
            return costs.begin_s(*self._next_tokens())
        return costs.step_s if self._prepared else costs.prepare_s(self._decoding.duration_s)

    @property
    def first_work_s(self) -> float:
        """How much work is left until there is audio of the piece that is spoken, or of the next."""
        costs = self._voice.costs
        if self._decoding is None:
            return costs.first_s - costs.begin_s() + costs.begin_s(*self._next_tokens())
        return costs.step_s + (0.0 if self._prepared else costs.prepare_s(self._decoding.duration_s))

    @property
    def rate(self) -> float:
        """Seconds of work for a second of audio."""
        return self._voice.costs.rate

    @property
    def left_s(self) -> float:
        """How much work is left; infinite while more text may come or is not planned yet."""
        return self.rate * self._to_make_s if self._script_ended else math.inf

    @property
    def _to_make_s(self) -> float:
        """Audio of all that is planned and not made yet."""
        characters = sum(len(cue.planned.piece.text) for cue in self._cues)
        left_s = self._decoding.duration_s - duration_s(self._piece_bytes) if self._decoding is not None else 0.0
        return max(0.0, left_s) + self._voice.pace.seconds(characters)

    def _next_tokens(self) -> tuple[int, ...]:
        return (len(self._cues[0].planned.piece.tokens),) if self._cues else ()

    def feed(self, text: str) -> None:
        self._inbox.append(text)
        self._text_came_s = self._clock()
        self._changed()

    def idle(self) -> None:
        """No text has come for a moment: a sentence that is finished need not wait for the next."""
        self._inbox.append(_Mark.IDLE)
        self._changed()

    def stall(self) -> None:
        """No text has come for long and the listener is about to run dry: a clause will do."""
        self._inbox.append(_Mark.STALL)
        self._changed()

    def finish(self) -> None:
        """All text has been fed."""
        self._inbox.append(_Mark.END)
        self._changed()

    def cancel(self) -> None:
        """Make nothing more and forget what was not taken. The step that runs is ended."""
        self._over = True
        self._items.clear()
        self._cues.clear()
        self._buffered_bytes = 0
        self._token.cancel()
        self._changed()

    def take(self) -> Item | None:
        """The next item if there is one."""
        if not self._items or self._held:
            return None
        item = self._items.popleft()
        self._taken = isinstance(item, Done | Failed)
        if isinstance(item, Audio):
            self._buffered_bytes -= len(item.pcm)
            self._changed()
        return item

    def peek(self) -> Item | None:
        return self._items[0] if self._items and not self._held else None

    @property
    def _held(self) -> bool:
        return self._whole and not self._over

    def plan(self) -> Work | None:
        """The next step of the text side, if there is one to take."""
        if self._over or self._script_ended:
            return None
        wanted = len(self._cues) < _PLANNED_AHEAD if self._script.has_sentence else bool(self._inbox)
        return partial(self._read, self.ahead_s) if wanted else None

    def speak(self) -> Work | None:
        """The next step of the voice, if there is one to take and room for what it makes."""
        if self._over or self.buffered_s >= self._max_buffered_s:
            return None
        if self._decoding is not None:
            return partial(self._step if self._prepared else self._prepare, self._decoding)
        return partial(self._begin, self._cues[0]) if self._cues else None

    def fail(self, error: SpeechError) -> None:
        """End here: what was made may still be taken (nothing of what is held whole), then the error."""
        if not self._over:
            if self._whole:
                self._items.clear()
                self._buffered_bytes = 0
            self._over = True
            self._cues.clear()
            self._items.append(Failed(error=error))
            self._changed()

    def _read(self, ahead_s: float) -> Settle:
        """In a thread: take in what has come and plan one sentence, or several in one."""
        came_s, ended = self._text_came_s, False
        try:
            while self._inbox:
                match self._inbox.popleft():
                    case str() as text:
                        self._script.feed(text)
                    case _Mark.END:
                        self._script.finish()
                        ended = True
                    case _Mark.IDLE | _Mark.STALL as mark if not self._inbox:
                        self._script.idle(long=mark is _Mark.STALL)
                    case _Mark.IDLE | _Mark.STALL:
                        # More text has come since.
                        pass
            sentence = self._script.next_sentence(ahead_s) if self._script.has_sentence else None
        except SpeechError as error:
            return partial(self.fail, error)
        return partial(self._planned, sentence, came_s, ended)

    def _planned(self, sentence: PlannedSentence | None, came_s: float, ended: bool) -> None:
        if self._over:
            return
        if sentence is not None:
            for number, piece in enumerate(sentence.pieces):
                opens = sentence if number == 0 else None
                self._cues.append(_Cue(planned=piece, index=self._sentences, opens=opens, text_came_s=came_s))
            self._sentences += 1
        self._text_ended = self._text_ended or ended
        self._script_ended = self._text_ended and not self._script.has_sentence
        self._end_if_all_is_said()
        self._changed()

    def _begin(self, cue: _Cue) -> Settle:
        """In a thread: the front half of a piece, after which its timings are known."""
        try:
            decoding = self._voice.begin(cue.planned.piece, self._token)
            words = cue.planned.timings(decoding.words, duration_s(self._made_bytes + len(self._pause)))
        except Cancelled:
            return _nothing
        except SpeechError as error:
            return partial(self.fail, error)
        return partial(self._begun, cue, decoding, words)

    def _begun(self, cue: _Cue, decoding: Decoding, words: tuple[Word, ...]) -> None:
        if self._over:
            return
        self._made(self._pause)
        self._cues.popleft()
        self._decoding, self._prepared, self._piece_bytes = decoding, False, 0
        self._pause = silence(cue.planned.pause_after_s)
        if cue.opens is not None:
            begun = SentenceBegun(
                index=cue.index,
                text=cue.opens.text,
                char_start=cue.opens.char_start,
                char_end=cue.opens.char_end,
                audio_offset_s=duration_s(self._made_bytes),
            )
            self._items.append(begun)
        if words:
            self._items.append(WordTimings(index=cue.index, words=words))
        self._changed()

    def _prepare(self, decoding: Decoding) -> Settle:
        """In a thread: what comes before the first audio of a piece."""
        try:
            decoding.prepare()
        except Cancelled:
            return _nothing
        except SpeechError as error:
            return partial(self.fail, error)
        return self._is_prepared

    def _is_prepared(self) -> None:
        self._prepared = True
        self._changed()

    def _step(self, decoding: Decoding) -> Settle:
        """In a thread: the next audio of the piece; if that is the last, its end is found at once, not a turn later."""
        parts: list[bytes] = []
        try:
            while (pcm := decoding.step()) is not None:
                parts.append(pcm)
                made_s = duration_s(self._piece_bytes + sum(map(len, parts)))
                if made_s < decoding.duration_s - _FRAME_S:
                    return partial(self._stepped, parts, False)
        except Cancelled:
            return _nothing
        except SpeechError as error:
            return partial(self._broken, parts, error)
        return partial(self._stepped, parts, True)

    def _stepped(self, parts: list[bytes], ended: bool) -> None:
        if self._over:
            return
        for pcm in parts:
            self._made(pcm)
        if ended:
            self._decoding = None
            self._end_if_all_is_said()
        self._changed()

    def _broken(self, parts: list[bytes], error: SpeechError) -> None:
        if not self._over:
            self._stepped(parts, False)
            self.fail(error)

    def _made(self, pcm: bytes) -> None:
        self._items.extend(
            Audio(pcm=pcm[start : start + MAX_AUDIO_BYTES]) for start in range(0, len(pcm), MAX_AUDIO_BYTES)
        )
        self._buffered_bytes += len(pcm)
        self._made_bytes += len(pcm)
        self._piece_bytes += len(pcm)

    def _end_if_all_is_said(self) -> None:
        if self._script_ended and not self._cues and self._decoding is None:
            self._over = True
            self._items.append(Done())


def _nothing() -> None:
    """What is to be done after a step that was cancelled."""
