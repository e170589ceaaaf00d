"""A day of listeners in a second: an event loop whose clock jumps, and a voice whose steps cost time on it.

Everything else that runs is real: service, scheduler, listeners, utterances. Nothing here does I/O or uses a thread.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from firstword.audio import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ
from firstword.kokoro.synthesizer import CancelToken, Decoding, Piece, SpokenWord
from firstword.kokoro.tone import ToneVoice

__all__ = ["VirtualTime", "WorkingVoice"]

_WINDOW_BYTES = round(0.4 * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE


class _Jumps(selectors.SelectSelector):
    """Waits for nothing: time goes on by as much as was to be waited."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("everybody waits, and for nothing")
        self.now_s += max(1e-6, timeout)  # always a moment, so that rounding never holds time still
        return []


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, jumps: _Jumps) -> None:
        super().__init__(jumps)
        self._jumps = jumps

    def time(self) -> float:
        return self._jumps.now_s


class VirtualTime:
    """`clock` is for the service, `leave_loop` for its scheduler; `works` adds to what the step that runs takes."""

    def __init__(self) -> None:
        self._jumps = _Jumps()
        self._spent_s = 0.0
        self.worked_s = 0.0

    def run[T](self, main: Coroutine[Any, Any, T]) -> T:
        with asyncio.Runner(loop_factory=lambda: _Loop(self._jumps)) as runner:
            return runner.run(main)

    def clock(self) -> float:
        return self._jumps.now_s + self._spent_s

    def works(self, seconds: float) -> None:
        self._spent_s += seconds

    async def leave_loop(self, _pool: ThreadPoolExecutor, work: Callable[[], Callable[[], None]]) -> Callable[[], None]:
        settle = work()
        seconds, self._spent_s = self._spent_s, 0.0
        self.worked_s += seconds
        await asyncio.sleep(seconds)
        return settle


class WorkingVoice(ToneVoice):
    """The test voice in windows of 0.4 s; each second of its audio takes `rate` seconds, each step some more."""

    def __init__(self, time: VirtualTime, *, rate: float) -> None:
        super().__init__(steps=1)
        self._time = time
        self._rate = rate

    def begin(self, piece: Piece, cancel: CancelToken) -> "_Working":  # type: ignore[override]
        self._time.works(0.001 * len(piece.tokens))
        return _Working(super().begin(piece, cancel), self._time, self._rate)


class _Working:
    def __init__(self, inner: Decoding, time: VirtualTime, rate: float) -> None:
        self._inner = inner
        self._time = time
        self._rate = rate
        self._pcm: bytes | None = None
        self.words: Sequence[SpokenWord] = inner.words
        self.duration_s = inner.duration_s

    def prepare(self) -> None:
        self._time.works(0.02 * self.duration_s)

    def step(self) -> bytes | None:
        if self._pcm is None:
            self._pcm = self._inner.step() or b""
        pcm, self._pcm = self._pcm[:_WINDOW_BYTES], self._pcm[_WINDOW_BYTES:]
        self._time.works(self._rate * len(pcm) / (BYTES_PER_SAMPLE * SAMPLE_RATE_HZ))
        return pcm or None
