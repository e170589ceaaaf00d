"""Sample rates: a stream of 24 kHz PCM as a stream at another rate, without a seam between its pieces."""

from av.audio.resampler import AudioResampler

from firstword.audio import SAMPLE_RATE_HZ
from firstword.codecs.frames import frame_of, pcm_of

__all__ = ["Resampler"]


class Resampler:
    """`feed` gives what is settled, `flush` the filter's tail. At an equal rate PCM passes untouched."""

    def __init__(self, to_hz: int, from_hz: int = SAMPLE_RATE_HZ) -> None:
        self._from_hz = from_hz
        self._position = 0
        self._swr = None if to_hz == from_hz else AudioResampler(format="s16", layout="mono", rate=to_hz)

    def feed(self, pcm: bytes) -> bytes:
        if self._swr is None or not pcm:
            return pcm
        frame = frame_of(pcm, self._from_hz, self._position)
        self._position += frame.samples
        return b"".join(pcm_of(out) for out in self._swr.resample(frame))

    def flush(self) -> bytes:
        if self._swr is None or self._position == 0:
            return b""
        return b"".join(pcm_of(out) for out in self._swr.resample(None))
