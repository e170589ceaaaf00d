"""The fault finder finds what was put in, and nothing in speech that is whole."""

import numpy as np
import pytest

from firstword import audio
from firstword.bench.joins import find_faults

RATE = 24_000


def _voice(seconds: float = 2.0) -> np.ndarray:
    """A voiced, changing sound: harmonics under a moving pitch, with breath noise."""
    t = np.arange(int(RATE * seconds)) / RATE
    phase = 2 * np.pi * np.cumsum(130 + 25 * np.sin(2 * np.pi * 1.3 * t)) / RATE
    wave = sum(np.sin(k * phase + k) / k for k in range(1, 20))
    return np.asarray(0.15 * wave + 0.004 * np.random.default_rng(3).standard_normal(len(t)))


def _kinds(samples: np.ndarray, joins_s: tuple[float, ...] = (1.0,)) -> list[str]:
    return [fault.kind for fault in find_faults(audio.float_to_pcm(samples), joins_s)]


def test_whole_speech_has_no_fault() -> None:
    assert _kinds(_voice(), tuple(np.arange(0.1, 1.9, 0.1))) == []


@pytest.mark.parametrize("gap_ms", [3, 5, 20, 40])
def test_a_gap_is_found(gap_ms: int) -> None:
    samples = _voice()
    samples[RATE : RATE + gap_ms * 24] = 0.0
    assert "gap" in _kinds(samples)


def test_a_pause_of_punctuation_is_no_gap() -> None:
    samples = np.concatenate((_voice(0.5), np.zeros(int(0.25 * RATE)), _voice(0.5)))
    assert "gap" not in _kinds(samples)


@pytest.mark.parametrize("height", [0.3, -0.5])
def test_a_click_is_found(height: float) -> None:
    samples = _voice()
    samples[RATE] += height
    assert _kinds(samples) == ["click"]


@pytest.mark.parametrize("block_ms", [5, 20, 100, 250])
def test_a_repeated_block_is_found(block_ms: int) -> None:
    samples, size = _voice(), block_ms * 24
    assert "repeat" in _kinds(np.concatenate((samples[:RATE], samples[RATE - size :])))


def test_a_piece_of_any_length_that_comes_twice_is_found() -> None:
    samples, size = _voice(), 4_321
    twice = np.concatenate((samples[:RATE], samples[RATE - size :]))
    assert "repeat" in _kinds(twice, ((RATE - size) / RATE, 1.0))
    assert _kinds(samples, ((RATE - size) / RATE, 1.0)) == []


def test_silence_twice_is_no_repetition() -> None:
    assert _kinds(np.zeros(2 * RATE)) == []
