"""The tree as it is committed: nothing large is in it by chance."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGE_BYTES = 1_000_000
MEANT = {"src/firstword/kokoro/generator/predictor.npz"}


def test_only_what_is_meant_to_be_is_large() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    paths = [path for path in listed.stdout.split("\0") if path and (ROOT / path).exists()]
    assert paths
    assert {path for path in paths if (ROOT / path).stat().st_size > LARGE_BYTES} == MEANT
