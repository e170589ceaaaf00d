"""Arithmetic on PCM: the one sample format that travels, its sizes, its conversion, its WAV header.

PCM here is 16-bit signed little-endian mono; 24 kHz unless a rate is named. Knows nothing of codecs (they stand
above, in `firstword.codecs`) and holds no state. Above it: everything that touches a sample.
"""

import struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BYTES_PER_SAMPLE",
    "PCM_FORMAT",
    "SAMPLE_RATE_HZ",
    "STREAMED_WAV_SIZE",
    "duration_s",
    "first_audible_s",
    "float_to_pcm",
    "pcm_to_float",
    "silence",
    "wav_header",
    "wav_pcm",
]

SAMPLE_RATE_HZ: Final = 24_000
BYTES_PER_SAMPLE: Final = 2
PCM_FORMAT: Final = "pcm_s16le"
STREAMED_WAV_SIZE: Final = 0xFFFFFFFF
"""Both size fields of a WAV whose length is not known when its header leaves."""


def float_to_pcm(samples: NDArray[np.floating]) -> bytes:
    """Float samples in -1..1 as PCM bytes, clipped at the ends of the range: a loud sample never changes its sign."""
    scaled = np.rint(np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0).astype(np.float64) * 32767.0)
    pcm: bytes = np.clip(scaled, -32768, 32767).astype("<i2").tobytes()
    return pcm


def pcm_to_float(pcm: bytes) -> NDArray[np.float32]:
    """PCM bytes as float32 samples in -1..1. Raises ValueError on an odd number of bytes."""
    return np.frombuffer(pcm, dtype="<i2").astype(np.float32) / np.float32(32767.0)


def duration_s(pcm_bytes: int, sample_rate_hz: int = SAMPLE_RATE_HZ) -> float:
    """Seconds that a number of PCM bytes plays for."""
    return pcm_bytes / (BYTES_PER_SAMPLE * sample_rate_hz)


def silence(seconds: float, sample_rate_hz: int = SAMPLE_RATE_HZ) -> bytes:
    """PCM of digital silence, a whole number of samples, nearest to the length asked for."""
    return bytes(BYTES_PER_SAMPLE * max(0, round(seconds * sample_rate_hz)))


def first_audible_s(
    pcm: bytes, *, sample_rate_hz: int = SAMPLE_RATE_HZ, window_s: float = 0.010, level_dbfs: float = -45.0
) -> float | None:
    """Where sound begins: the start, in seconds, of the first window whose RMS is above the level; None if none is."""
    samples = pcm_to_float(pcm)
    size = max(1, round(window_s * sample_rate_hz))
    whole = len(samples) // size
    if whole == 0:
        return None
    rms = np.sqrt(np.mean(np.square(samples[: whole * size].reshape(whole, size)), axis=1))
    loud = np.flatnonzero(rms > 10 ** (level_dbfs / 20))
    return float(loud[0] * size / sample_rate_hz) if len(loud) else None


def wav_header(pcm_bytes: int | None, sample_rate_hz: int = SAMPLE_RATE_HZ) -> bytes:
    """The 44 bytes before PCM in a WAV file. `None` for a stream of unknown length: both sizes are 0xFFFFFFFF."""
    data_size = STREAMED_WAV_SIZE if pcm_bytes is None else pcm_bytes
    riff_size = STREAMED_WAV_SIZE if pcm_bytes is None else pcm_bytes + 36
    byte_rate = sample_rate_hz * BYTES_PER_SAMPLE
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, sample_rate_hz, byte_rate, BYTES_PER_SAMPLE, 16)
    return b"RIFF" + struct.pack("<I", riff_size) + b"WAVE" + form + b"data" + struct.pack("<I", data_size)


def wav_pcm(wav: bytes) -> tuple[bytes, int]:
    """The PCM and the sample rate of a 16-bit mono WAV, streamed or sized. Raises ValueError if it is anything else."""
    if wav[:4] != b"RIFF" or wav[8:12] != b"WAVE":
        raise ValueError("not a RIFF/WAVE file")
    position, rate = 12, 0
    while position + 8 <= len(wav):
        name, size = wav[position : position + 4], struct.unpack_from("<I", wav, position + 4)[0]
        body = position + 8
        if name == b"fmt ":
            kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", wav, body)
            if (kind, channels, bits) != (1, 1, 16):
                raise ValueError(f"not 16-bit mono PCM (format {kind}, {channels} channels, {bits} bits)")
        elif name == b"data":
            end = len(wav) if size == STREAMED_WAV_SIZE else body + size
            return wav[body:end], rate
        position = body + size + (size & 1)
    raise ValueError("no data chunk")
