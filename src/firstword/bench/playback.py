"""What a listener hears of audio that arrives in chunks: when each sample sounds, and where playback runs dry.

The listener has no prebuffer: playback starts with the first byte and stalls whenever nothing is there. Pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from firstword.audio import BYTES_PER_SAMPLE

__all__ = ["Heard", "Stall", "listen"]


@dataclass(frozen=True, kw_only=True)
class Stall:
    """Silence the listener had to bear, and the position in the arrivals of the chunk that ended it."""

    start_ms: float
    end_ms: float
    chunk: int

    @property
    def length_ms(self) -> float:
        return self.end_ms - self.start_ms


@dataclass(frozen=True, kw_only=True)
class Heard:
    """`spans[i]` is when chunk i sounded, from and to in milliseconds."""

    spans: tuple[tuple[float, float], ...]
    stalls: tuple[Stall, ...]

    @property
    def underrun_ms(self) -> float:
        return sum(stall.length_ms for stall in self.stalls)

    def sounds_at_ms(self, offset_s: float) -> float | None:
        """When the sample at `offset_s` of the audio sounded; None beyond the end."""
        passed_ms = 0.0
        for start_ms, end_ms in self.spans:
            length_ms = end_ms - start_ms
            if offset_s * 1000 < passed_ms + length_ms:
                return start_ms + offset_s * 1000 - passed_ms
            passed_ms += length_ms
        return None


def listen(arrivals: Iterable[tuple[float, int]], sample_rate_hz: int) -> Heard:
    """Play chunks given as (arrival in ms, bytes of PCM), in order."""
    spans: list[tuple[float, float]] = []
    stalls: list[Stall] = []
    free_ms: float | None = None
    for index, (t_ms, size) in enumerate(arrivals):
        if free_ms is None:
            free_ms = t_ms
        if t_ms > free_ms:
            stalls.append(Stall(start_ms=free_ms, end_ms=t_ms, chunk=index))
            free_ms = t_ms
        end_ms = free_ms + size / (BYTES_PER_SAMPLE * sample_rate_hz) * 1000
        spans.append((free_ms, end_ms))
        free_ms = end_ms
    return Heard(spans=tuple(spans), stalls=tuple(stalls))
