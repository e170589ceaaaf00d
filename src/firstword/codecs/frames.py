"""PCM bytes as the codec library's frames, and its frames as PCM bytes."""

from fractions import Fraction

import av

from firstword.audio import BYTES_PER_SAMPLE

__all__ = ["frame_of", "pcm_of"]


def frame_of(pcm: bytes, sample_rate_hz: int, position: int) -> av.AudioFrame:
    """A mono s16 frame; `position` is its first sample's place in the stream."""
    frame = av.AudioFrame(format="s16", layout="mono", samples=len(pcm) // BYTES_PER_SAMPLE)
    frame.planes[0].update(pcm)
    frame.sample_rate = sample_rate_hz
    frame.pts = position
    frame.time_base = Fraction(1, sample_rate_hz)
    return frame


def pcm_of(frame: av.AudioFrame) -> bytes:
    """The bytes of a mono s16 frame, without the padding of its plane."""
    return bytes(frame.planes[0])[: frame.samples * BYTES_PER_SAMPLE]
