"""A voice that tells how fast it is: the time its steps take goes into a pace and into what steps cost.

Only work is measured, not how long a step waited for its turn. Steps of one piece run one after another, in any thread.
Above it: `service`.
"""

import time
from collections.abc import Callable, Sequence

from firstword.audio import duration_s
from firstword.kokoro.synthesizer import CancelToken, Decoding, Piece, SpokenWord, Synthesizer
from firstword.speech.costs import StepCosts
from firstword.text.pace import Pace

__all__ = ["MeasuredVoice"]


class MeasuredVoice:
    """What speaks the pieces that `voice` planned. A piece that does not come to its end teaches `pace` nothing."""

    def __init__(
        self,
        voice: Synthesizer,
        pace: Pace,
        costs: StepCosts | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.pace = pace
        self.costs = costs or StepCosts()
        self._voice = voice
        self._clock = clock

    def begin(self, piece: Piece, cancel: CancelToken) -> Decoding:
        began_s = self._clock()
        decoding = self._voice.begin(piece, cancel)
        work_s = self._clock() - began_s
        self.costs.begun(work_s, len(piece.tokens))
        return _MeasuredDecoding(decoding, len(piece.text), work_s, self.pace, self.costs, self._clock)


class _MeasuredDecoding:
    def __init__(
        self,
        decoding: Decoding,
        characters: int,
        work_s: float,
        pace: Pace,
        costs: StepCosts,
        clock: Callable[[], float],
    ) -> None:
        self._decoding = decoding
        self._characters = characters
        self._work_s = work_s
        self._pace = pace
        self._costs = costs
        self._clock = clock
        self._first_s: float | None = None
        self._bytes = 0

    @property
    def words(self) -> Sequence[SpokenWord]:
        return self._decoding.words

    @property
    def duration_s(self) -> float:
        return self._decoding.duration_s

    def prepare(self) -> None:
        began_s = self._clock()
        self._decoding.prepare()
        work_s = self._clock() - began_s
        self._work_s += work_s
        self._costs.prepared(work_s, self.duration_s)

    def step(self) -> bytes | None:
        began_s = self._clock()
        pcm = self._decoding.step()
        work_s = self._clock() - began_s
        self._work_s += work_s
        if pcm is not None:
            self._costs.stepped(work_s)
            self._bytes += len(pcm)
            self._first_s = self._work_s if self._first_s is None else self._first_s
        else:
            self._costs.spoken(self._work_s, duration_s(self._bytes))
            self._pace.learn(
                characters=self._characters,
                audio_s=duration_s(self._bytes),
                first_s=self._first_s,
                whole_s=self._work_s,
            )
        return pcm
