"""The GPU check run on the CPU: everything it does but the device."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECK = [sys.executable, "scripts/gpu_check.py", "--weights", "packages", "--trials", "1"]


@pytest.mark.model
@pytest.mark.slow
def test_it_profiles_speaks_the_reference_sentences_and_judges(real_assets: Path) -> None:
    ran = subprocess.run(
        [*CHECK, "--provider", "CPUExecutionProvider"], cwd=ROOT, capture_output=True, text=True, timeout=280
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    found = json.loads(ran.stdout)
    assert found["verdict"]["ok"] is True
    assert found["nodes"]["ms"]["CPUExecutionProvider"] > 0
    assert len(found["speech"]["sentences"]) == 3
    assert found["speech"]["real_time_factor"] > 0


def test_a_machine_without_cuda_is_told_so() -> None:
    ran = subprocess.run(CHECK, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 1
    assert "offers no CUDAExecutionProvider" in ran.stderr
