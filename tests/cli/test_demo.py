"""The main job as a user runs it: real model, real agent; with the test voice, and once with the real one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firstword import audio
from firstword.bench.hearing import transcribe, word_error_rate

pytestmark = [pytest.mark.llm, pytest.mark.slow, pytest.mark.timeout(600)]

TRIAL_KEYS = {
    "mode", "first_text_ms", "first_sentence_ms", "first_audio_ms", "first_audible_ms", "text_end_ms", "audio_end_ms",
    "audio_s", "underrun_ms", "text",
}  # fmt: skip


def _demo(out: Path, *argv: str, voice: str | None = None, timeout_s: float = 500) -> dict[str, Any]:
    command = [sys.executable, "-m", "firstword.cli", "demo", "--json", "--out", str(out), *argv]
    environ = {} if voice is None else {"FIRSTWORD_VOICE_ENGINE": voice}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=timeout_s, check=False, env=_environment(environ)
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _environment(more: dict[str, str]) -> dict[str, str]:
    from firstword.config import inherited_environment

    return dict(inherited_environment(more))


def _by_mode(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {trial["mode"]: trial for trial in told["trials"]}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Where the demo as it is left its files, and what it told."""
    out = tmp_path_factory.mktemp("demo")
    return out, _demo(out, voice="tone")


def test_every_mode_tells_its_times_and_leaves_its_sound(shown: tuple[Path, dict[str, Any]]) -> None:
    out, told = shown
    trials = _by_mode(told)
    assert set(trials) == {"bidi", "batch", "whole"}
    assert all(set(trial) >= TRIAL_KEYS for trial in trials.values())
    assert json.loads((out / "result.json").read_text())["trials"] == told["trials"]
    assert (out / "timeline.png").read_bytes().startswith(b"\x89PNG")
    for mode, trial in trials.items():
        pcm, _ = audio.wav_pcm((out / f"{mode}.wav").read_bytes())
        assert audio.duration_s(len(pcm)) == pytest.approx(trial["audio_s"], abs=0.001)


def test_the_modes_differ_in_when_synthesis_starts(shown: tuple[Path, dict[str, Any]]) -> None:
    trials = _by_mode(shown[1])
    bidi, batch, whole = (trials[mode] for mode in ("bidi", "batch", "whole"))
    assert bidi["text"] == batch["text"] == whole["text"] != ""
    assert bidi["first_audio_ms"] < bidi["text_end_ms"]
    assert batch["first_sentence_ms"] >= batch["text_end_ms"]
    assert whole["first_sentence_ms"] is None
    assert whole["first_audio_ms"] > whole["text_end_ms"]


@pytest.mark.model
def test_what_is_heard_is_what_was_written(tmp_path: Path) -> None:
    trials = _by_mode(_demo(tmp_path, "--prompt", "What is bread made of?"))
    errors = {}
    for mode, trial in trials.items():
        pcm, rate_hz = audio.wav_pcm((tmp_path / f"{mode}.wav").read_bytes())
        errors[mode] = word_error_rate(trial["text"], transcribe(pcm, rate_hz))
    assert errors["bidi"] <= errors["whole"] + 0.02
    assert max(errors.values()) < 0.15
