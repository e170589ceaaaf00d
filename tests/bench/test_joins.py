"""The fault finder finds what was put in, and nothing in speech that is whole."""

from pathlib import Path

import numpy as np
import pytest

from firstword import audio
from firstword.bench import corpus
from firstword.bench.joins import find_faults
from firstword.bench.voice import Spoken, speak
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.loader import load_synthesizer

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


def test_a_sound_that_dies_away_at_the_pitch_of_a_block_is_no_repetition() -> None:
    """200 Hz at -46 dBFS, as the end of a word has it: every 5 ms it is nearly what it was."""
    t = np.arange(2 * RATE) / RATE
    assert _kinds(0.0052 * np.exp2(-(t - 1.0) / 0.02) * np.sin(2 * np.pi * 200 * t) * (np.abs(t - 1.0) < 0.1)) == []


@pytest.mark.parametrize("block_ms", [5, 20])
def test_a_quiet_block_that_comes_twice_is_found(block_ms: int) -> None:
    samples, size = 0.03 * _voice(), block_ms * 24
    assert "repeat" in _kinds(np.concatenate((samples[:RATE], samples[RATE - size :])))


def test_a_click_in_a_hiss_that_jumps_as_much_is_found_at_a_join() -> None:
    """Of 7 kHz, as an s is: from sample to sample it moves as far as the click."""
    t, strength = np.arange(2 * RATE) / RATE, np.random.default_rng(7).standard_normal(2 * RATE)
    hiss = 0.3 * np.sin(2 * np.pi * 7_000 * t + np.cumsum(0.05 * strength)) * (1 + 0.1 * np.sin(2 * np.pi * 90 * t))
    assert _kinds(hiss, (1.0,)) == []
    clicked = hiss.copy()
    clicked[RATE] += 0.5
    assert _kinds(clicked, ()) == []
    assert _kinds(clicked, (1.0,)) == ["click"]


@pytest.fixture(scope="module")
def spoken(real_assets: Path) -> Spoken:
    """Two sentences in the real voice, decoded in windows."""
    voice = load_synthesizer(VoiceSettings(), AssetSettings(source=f"dir:{real_assets}"))
    return speak(voice, " ".join(corpus.clips()[:2]))


def _with(fault: str, samples: np.ndarray, at: int, start: int) -> np.ndarray:
    match fault:
        case "gap put in":
            return np.concatenate((samples[:at], np.zeros(120, "<i2"), samples[at:]))
        case "gap cut out":
            return np.concatenate((samples[:at], np.zeros(120, "<i2"), samples[at + 120 :]))
        case "click":
            return np.concatenate((samples[:at], [32_767], samples[at + 1 :]))
        case "repeat of 5 ms":
            return np.concatenate((samples[:at], samples[at - 120 :]))
        case _:
            return np.concatenate((samples[:at], samples[start:]))


@pytest.mark.model
@pytest.mark.parametrize("fault", ["gap put in", "gap cut out", "click", "repeat of 5 ms", "repeat of the piece"])
def test_at_every_join_of_the_real_voice_a_fault_is_found_where_there_is_sound(spoken: Spoken, fault: str) -> None:
    assert find_faults(spoken.pcm, spoken.joins_s) == []
    samples = np.frombuffer(spoken.pcm, dtype="<i2")
    joins = [round(join_s * RATE) for join_s in spoken.joins_s]
    loud = [
        (at, start)
        for at, start in zip(joins, [0, *joins], strict=False)
        if np.sqrt(np.mean(np.square(samples[at - 120 : at + 120] / 32_768))) > 0.01
    ]
    assert len(loud) >= 2
    for at, start in loud:
        broken = _with(fault, samples, at, start).astype("<i2").tobytes()
        kinds = {found.kind for found in find_faults(broken, spoken.joins_s)}
        assert fault.split()[0] in kinds
