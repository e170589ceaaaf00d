"""A test voice: one tone per word, no model, no weights, exact timings.

It stands in for Kokoro wherever speech itself does not matter, behind the same seam and by the same rules: pieces at
words, timings before audio, cancel inside a step, PCM that never differs for the same input. How many steps a piece
takes, how long each takes and whether one fails are the caller's to set.
"""

import re
import threading
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.audio import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ, duration_s, float_to_pcm
from firstword.errors import EngineFailed
from firstword.kokoro.planning import Pronunciation, WordSpan, plan_pieces
from firstword.kokoro.synthesizer import Begin, CancelToken, Piece, SpokenWord, VoiceOptions
from firstword.kokoro.vocabulary import SYMBOLS
from firstword.kokoro.voices import VOICES, check_options

__all__ = ["ToneVoice", "wait_or_cancel"]

_WORD = re.compile(r"[^\W_]+(?:['’.:][^\W_]+)*")
_VOCABULARY: Final = {symbol: number for number, symbol in enumerate(" .!?…,;:—abcdefghijklmnopqrstuvwxyz", start=1)}
_LANGUAGES: Final = tuple(dict.fromkeys(voice.language for voice in VOICES.values()))
_SECONDS_A_LETTER: Final = 0.06
_GAP_S: Final = 0.05
_EDGE_S: Final = 0.3


def wait_or_cancel(seconds: float, cancel: CancelToken) -> None:
    """Wait that long, or until cancelled. The default of `ToneVoice`; a test hands over one that it controls."""
    if seconds > 0:
        ended = threading.Event()
        forget = cancel.on_cancel(ended.set)
        ended.wait(seconds)
        forget()


class ToneVoice:
    """A `Synthesizer` that plays tones.

    A piece is given in `steps` parts; before each, `wait(step_delay_s, cancel)` is called. A piece whose text holds
    the word `fails_on` raises EngineFailed in place of its second step (its first, if there is only one).
    """

    def __init__(
        self,
        *,
        steps: int = 4,
        step_delay_s: float = 0.0,
        wait: Callable[[float, CancelToken], None] = wait_or_cancel,
        fails_on: str | None = None,
        max_piece_tokens: int = 300,
    ) -> None:
        self._steps = max(1, steps)
        self._delay_s = step_delay_s
        self._wait = wait
        self._fails_on = fails_on
        self._max_piece_tokens = max_piece_tokens

    def check(self, options: VoiceOptions) -> None:
        check_options(options, _LANGUAGES)

    def plan(
        self,
        text: str,
        options: VoiceOptions,
        pronounced: Sequence[tuple[int, int, str]] = (),  # noqa: ARG002  # a tone follows from the letters
    ) -> Sequence[Piece]:
        self.check(options)
        return plan_pieces(text, _pronounce(text), _VOCABULARY, options, self._max_piece_tokens)

    def begin(self, piece: Piece, cancel: CancelToken) -> "_ToneDecoding":
        cancel.check()
        fails = self._fails_on is not None and self._fails_on in _WORD.findall(piece.text)
        fail_at = min(1, self._steps - 1) if fails else None
        return _ToneDecoding(piece, cancel, self._steps, lambda: self._wait(self._delay_s, cancel), fail_at)

    def symbols(self) -> frozenset[str]:
        """Those of the real voice, so that the same requests are refused."""
        return SYMBOLS

    def voices(self) -> Sequence[str]:
        return tuple(VOICES)

    def warm(self, begin: Begin | None = None) -> None:
        """Nothing to load."""


class _ToneDecoding:
    def __init__(
        self, piece: Piece, cancel: CancelToken, steps: int, wait: Callable[[], None], fail_at: int | None
    ) -> None:
        self._cancel = cancel
        self._wait = wait
        self._fail_at = fail_at
        self._pcm, self.words = _play(piece)
        size = -(-len(self._pcm) // (steps * BYTES_PER_SAMPLE)) * BYTES_PER_SAMPLE
        self._parts = [self._pcm[at : at + size] for at in range(0, len(self._pcm), size)]
        self._next = 0

    @property
    def duration_s(self) -> float:
        return duration_s(len(self._pcm))

    def prepare(self) -> None:
        """A tone needs nothing."""

    def step(self) -> bytes | None:
        self._cancel.check()
        if self._next == len(self._parts):
            return None
        self._wait()
        self._cancel.check()
        if self._next == self._fail_at:
            raise EngineFailed("The test voice failed, as it was asked to.")
        self._next += 1
        return self._parts[self._next - 1]


def _pronounce(text: str) -> Pronunciation:
    """A letter is said as a letter (any beyond a-z as one of them); what is between words keeps its punctuation."""
    phonemes, words, end = "", [], 0
    for match in _WORD.finditer(text):
        phonemes += _gap(text[end : match.start()])
        letters = "".join(chr(ord("a") + ord(letter) % 26) for letter in match[0].lower())
        end = match.end()
        words.append(
            WordSpan(char_start=match.start(), char_end=end, first=len(phonemes), last=len(phonemes) + len(letters))
        )
        phonemes += letters
    return Pronunciation(phonemes=phonemes + _gap(text[end:]), words=tuple(words))


def _gap(text: str) -> str:
    """The first mark between two words, and a space."""
    mark = next((symbol for symbol in text if symbol in _VOCABULARY and symbol != " "), "")
    return mark + (" " if text else "")


def _play(piece: Piece) -> tuple[bytes, tuple[SpokenWord, ...]]:
    edge_s = 0.0 if piece.options.trim else _EDGE_S
    at, sounds, words = round(edge_s * SAMPLE_RATE_HZ), [np.zeros(round(edge_s * SAMPLE_RATE_HZ))], []
    gap = np.zeros(round(_GAP_S / piece.options.speed * SAMPLE_RATE_HZ))
    for index, (char_start, char_end, first, last) in enumerate(piece.words):
        if index:
            sounds.append(gap)
            at += len(gap)
        sounds.append(_tone(piece.tokens[first:last], piece.options.speed))
        end = at + len(sounds[-1])
        words.append(
            SpokenWord(
                text=piece.text[char_start - piece.char_start : char_end - piece.char_start],
                start_s=at / SAMPLE_RATE_HZ,
                end_s=end / SAMPLE_RATE_HZ,
                char_start=char_start,
                char_end=char_end,
            )
        )
        at = end
    return float_to_pcm(np.concatenate([*sounds, sounds[0]])), tuple(words)


def _tone(tokens: tuple[int, ...], speed: float) -> NDArray[np.float64]:
    """A tone whose pitch follows from the word, faded in and out so that no edge clicks."""
    length = round(max(1, len(tokens)) * _SECONDS_A_LETTER / speed * SAMPLE_RATE_HZ)
    hertz = 200.0 + sum((index + 1) * token for index, token in enumerate(tokens)) % 400
    fade = np.minimum(1.0, np.minimum(np.arange(length), np.arange(length)[::-1]) / (0.01 * SAMPLE_RATE_HZ))
    tone: NDArray[np.float64] = 0.3 * fade * np.sin(2 * np.pi * hertz / SAMPLE_RATE_HZ * np.arange(length))
    return tone
