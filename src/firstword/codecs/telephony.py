"""µ-law (ITU-T G.711), the format of telephone lines: 8 bits a sample on a logarithmic scale."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["linear_to_ulaw", "ulaw_to_linear"]

_BIAS: Final = 0x84
_CLIP: Final = 32_635


def linear_to_ulaw(pcm: bytes) -> bytes:
    """One byte for each 16-bit sample."""
    samples = np.frombuffer(pcm, dtype="<i2").astype(np.int32)
    sign = np.where(samples < 0, 0x80, 0)
    magnitude = np.minimum(np.abs(samples), _CLIP) + _BIAS
    exponent = np.floor(np.log2(magnitude)).astype(np.int32) - 7
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    return _bytes(~(sign | (exponent << 4) | mantissa))


def ulaw_to_linear(data: bytes) -> bytes:
    """16-bit PCM of µ-law bytes."""
    code = ~np.frombuffer(data, dtype=np.uint8) & 0xFF
    exponent = (code >> 4) & 0x07
    magnitude = ((((code.astype(np.int32) & 0x0F) << 3) + _BIAS) << exponent) - _BIAS
    pcm: bytes = np.where(code & 0x80, -magnitude, magnitude).astype("<i2").tobytes()
    return pcm


def _bytes(values: NDArray[np.int32]) -> bytes:
    data: bytes = (values & 0xFF).astype(np.uint8).tobytes()
    return data
