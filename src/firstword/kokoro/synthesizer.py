"""The seam between the voice and whoever schedules it.

A voice works in bounded, blocking steps so that a scheduler can choose whose step runs next and end one that runs:

    plan(text)  -> pieces          phonemes only, milliseconds; a piece is at most about 300 tokens
    begin(piece) -> decoding       the front: durations, and so word timings, are known before any audio
    decoding.prepare()             the body: what has to be done once before there can be audio
    decoding.step() -> PCM | None  one window of audio; a full decode is one step, a streamed one several

Implementations: `firstword.kokoro.synthesis` (Kokoro-82M) and `firstword.kokoro.tone` (a test voice, no model). Every
call here blocks and may be made from any thread, one at a time for one decoding. It knows nothing of sessions.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Begin", "CancelToken", "Cancelled", "Decoding", "Piece", "SpokenWord", "Synthesizer", "VoiceOptions"]


@dataclass(frozen=True, kw_only=True)
class VoiceOptions:
    """How to say it. `language` None follows the voice. `trim` False keeps the model's own silence at both ends."""

    voice: str = "af_heart"
    speed: float = 1.0
    language: str | None = None
    trim: bool = True


@dataclass(frozen=True, kw_only=True)
class SpokenWord:
    """One word as said: seconds from the start of its piece's audio, code points into the text given to `plan`."""

    text: str
    start_s: float
    end_s: float
    char_start: int
    char_end: int


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What one decoding speaks: `text[char_start:char_end]` of what was given to `plan`, and its phonemes.

    `tokens` are vocabulary ids without the zero at both ends. `pause_after_s` is the silence its punctuation asks for
    before whatever follows; the caller inserts it (zero when `trim` is off: the model's own silence stands there).
    """

    text: str
    char_start: int
    char_end: int
    phonemes: str
    tokens: tuple[int, ...]
    options: VoiceOptions
    pause_after_s: float
    words: tuple[tuple[int, int, int, int], ...] = ()
    """Per word: char_start, char_end in the planned text, then first and one-past-last index into `tokens`."""


class Cancelled(Exception):
    """Raised out of a running step after its token was cancelled."""


class CancelToken:
    """Asks running inference to end. Thread-safe; cancelling twice is cancelling once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` once on cancel (now, if that has been); returns a function that takes it back."""
        with self._lock:
            if not self._cancelled:
                self._callbacks.append(callback)
                return lambda: self._forget(callback)
        callback()
        return lambda: None

    def _forget(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

    def check(self) -> None:
        """Raises Cancelled if `cancel` has been called."""
        if self._cancelled:
            raise Cancelled


class Decoding(Protocol):
    """One piece on its way to audio."""

    @property
    def words(self) -> Sequence[SpokenWord]: ...

    @property
    def duration_s(self) -> float:
        """Length of the whole piece's audio as `step` will give it (trimmed if asked), to within one frame (25 ms)."""
        ...

    def prepare(self) -> None:
        """Do what the first step needs, so that it is no longer than the others. A step does it if nobody has.

        Raises Cancelled, or EngineFailed when inference fails.
        """
        ...

    def step(self) -> bytes | None:
        """The next PCM (24 kHz, s16le, never empty), or None when all has been given.

        Raises Cancelled, or EngineFailed when inference fails.
        """
        ...


type Begin = Callable[[Piece, CancelToken], Decoding]


class Synthesizer(Protocol):
    """A voice engine. `plan` raises RequestRefused with code unknown_voice, bad_speed or bad_language."""

    def check(self, options: VoiceOptions) -> None:
        """Raise what `plan` would raise for these options, without any text."""
        ...

    def plan(
        self, text: str, options: VoiceOptions, pronounced: Sequence[tuple[int, int, str]] = ()
    ) -> Sequence[Piece]:
        """Pieces that together say all of `text`, in order; none if there is nothing to say.

        `pronounced` holds words of `text` (start, end, phonemes; in order and apart) that are said by those phonemes.
        """
        ...

    def begin(self, piece: Piece, cancel: CancelToken) -> Decoding: ...

    def symbols(self) -> frozenset[str]:
        """The phoneme symbols that `pronounced` may hold; any other is dropped."""
        ...

    def voices(self) -> Sequence[str]:
        """Names of the plain voices; blends of them are valid too."""
        ...

    def warm(self, begin: Begin | None = None) -> None:
        """Load everything and run once, so that the first request is as fast as the tenth.

        What is run is begun by `begin`, if that is given, so that somebody may look on.
        """
        ...
