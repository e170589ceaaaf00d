"""The locked requirements that images install from: whole, hashed, without torch, licences told."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from firstword.infra.images.context import requirements_file

ROOT = Path(__file__).parents[2]
LOCKS = ("server-cpu", "server-gpu", "agent")


def _pins(name: str) -> dict[str, list[str]]:
    """Hashes by `name==version`."""
    pins: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=\S)", requirements_file(name).read_text()):
        if match := re.match(r"([a-z0-9._-]+==\S+)", block):
            pins[match[1]] = re.findall(r"--hash=sha256:([0-9a-f]{64})", block)
    return pins


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_pinned_with_hashes_and_nothing_names_an_index(name: str) -> None:
    text = requirements_file(name).read_text()
    assert "index" not in text
    assert "://" not in text
    assert "firstword" not in text
    pins = _pins(name)
    assert len(pins) > 40
    assert all(pins.values())


@pytest.mark.parametrize("name", LOCKS)
def test_no_lock_holds_torch(name: str) -> None:
    names = {pin.partition("==")[0] for pin in _pins(name)}
    assert not {found for found in names if found.startswith(("torch", "triton", "tensorflow", "jax"))}


def test_cpu_and_gpu_differ_in_the_runtime_and_what_it_brings() -> None:
    cpu, gpu = ({pin.partition("==")[0] for pin in _pins(f"server-{device}")} for device in ("cpu", "gpu"))
    assert cpu - gpu == {"onnxruntime"}
    assert "onnxruntime-gpu" in gpu - cpu
    assert all(name.startswith("nvidia-") for name in gpu - cpu - {"onnxruntime-gpu"})


def test_every_package_of_the_speech_images_under_the_gpl_or_lgpl_is_named_in_their_notices() -> None:
    page = (ROOT / "docs" / "reference" / "licences.md").read_text()
    notices = (ROOT / "src" / "firstword" / "infra" / "images" / "speech" / "NOTICES").read_text().lower()
    rows = re.findall(r"^\| ([a-z0-9._-]+) \| ([^|]*(?:GPL|General Public)[^|]*) \| ([^|]*) \|$", page, re.M)
    assert {name for name, _, _ in rows} >= {"espeakng-loader", "phonemizer-fork", "num2words", "av"}
    for name, _, images in rows:
        assert "agent" not in images, "the agent image carries no notices"
        known = {"espeakng-loader": "espeakng_loader", "av": "pyav"}.get(name, name)
        assert known in notices, name


def test_the_licences_page_is_current() -> None:
    ran = subprocess.run([sys.executable, "scripts/licences", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
