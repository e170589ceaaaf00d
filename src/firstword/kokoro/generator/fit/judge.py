"""How far windowed decoding is from whole decoding of the same utterance by the same graph. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Fidelity", "compare", "summary"]

type Floats = NDArray[np.float32]
_FRAME: Final = 512
_HOP: Final = 128
_AUDIBLE_DB: Final = -10.0


@dataclass(frozen=True, kw_only=True)
class Fidelity:
    """`distance_db`: root mean square over bins of the difference of log spectra, mean over audible frames."""

    voice: str
    seconds: float
    snr_db: float
    distance_db: float
    level_db: float


def compare(voice: str, whole: Floats, windowed: Floats, sample_rate_hz: int = 24_000) -> Fidelity:
    noise = float(np.sum(np.square(whole - windowed, dtype=np.float64))) + 1e-20
    signal = float(np.sum(np.square(whole, dtype=np.float64))) + 1e-20
    first, second = _log_spectra(whole), _log_spectra(windowed)
    audible = first.max(axis=1) > _AUDIBLE_DB
    differences = np.sqrt(np.mean(np.square(first - second), axis=1))
    power = float(np.sum(np.square(windowed, dtype=np.float64))) + 1e-20
    return Fidelity(
        voice=voice,
        seconds=len(whole) / sample_rate_hz,
        snr_db=10 * float(np.log10(signal / noise)),
        distance_db=float(differences[audible].mean()) if audible.any() else 0.0,
        level_db=10 * float(np.log10(power / signal)),
    )


def summary(results: Sequence[Fidelity]) -> dict[str, float]:
    """Medians, and the worst of each."""
    snr = np.array([result.snr_db for result in results])
    distance = np.array([result.distance_db for result in results])
    level = np.abs([result.level_db for result in results])
    return {
        "utterances": len(results),
        "snr_db_median": float(np.median(snr)),
        "snr_db_worst": float(snr.min()),
        "distance_db_median": float(np.median(distance)),
        "distance_db_worst": float(distance.max()),
        "level_db_median": float(np.median(level)),
        "level_db_worst": float(level.max()),
    }


def _log_spectra(samples: Floats) -> NDArray[np.float64]:
    """Frames of 512 samples every 128 under a Hann window, as 20 log10(|X| + 1e-4)."""
    padded = np.pad(samples.astype(np.float64), (0, max(0, _FRAME - len(samples))))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FRAME)[::_HOP] * np.hanning(_FRAME)
    spectra: NDArray[np.float64] = 20 * np.log10(np.abs(np.fft.rfft(frames, axis=1)) + 1e-4)
    return spectra
