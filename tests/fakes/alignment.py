"""Whether audio that went through a codec is still the audio that went in."""

import numpy as np

from firstword.audio import pcm_to_float

__all__ = ["likeness"]


def likeness(source: bytes, heard: bytes) -> float:
    """The highest correlation of two pieces of PCM over all shifts of one against the other: 1.0 if they are alike."""
    one, other = pcm_to_float(source).astype(np.float64), pcm_to_float(heard).astype(np.float64)
    size = len(one) + len(other)
    shifted = np.fft.irfft(np.fft.rfft(one, size).conj() * np.fft.rfft(other, size), size)
    return float(shifted.max() / np.sqrt(np.sum(one**2) * np.sum(other**2)))
