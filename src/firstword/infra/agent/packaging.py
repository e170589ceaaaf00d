"""The agent as an archive that AgentCore runs without any image: wheels for its arm64 machines, and our source."""

import shutil
import subprocess
import sys
from pathlib import Path

import firstword
from firstword.errors import InfraError
from firstword.infra.images.context import requirements_file

__all__ = ["agent_archive"]

_INSTALL_TIMEOUT_S = 600
_MAIN = '''"""What AgentCore runs."""

import os
import sys

os.environ.setdefault("FIRSTWORD_AGENT_HOST", "0.0.0.0")
os.environ.setdefault("FIRSTWORD_AGENT_PORT", "8080")

from firstword.cli.main import run

sys.argv = ["firstword", "agent"]
run()
'''


def agent_archive(directory: Path, machine: str = "aarch64") -> Path:
    """Lay the archive out in `directory` and return it. Raises InfraError when a wheel cannot be had."""
    directory.mkdir(parents=True)
    _install(directory, machine)
    skipped = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(Path(firstword.__file__).parent, directory / "firstword", ignore=skipped)
    (directory / "main.py").write_text(_MAIN)
    return directory


def _install(directory: Path, machine: str) -> None:
    """Wheels of the locked requirements for that machine, by hash. They are fetched, never run, here."""
    if shutil.which("uv"):
        command = ["uv", "pip", "install", "--quiet", "--python-platform", f"{machine}-manylinux_2_28"]
        command += ["--python-version", "3.12", "--no-build"]
    else:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--only-binary=:all:"]
        command += ["--python-version", "3.12", "--implementation", "cp"]
        for platform in (f"manylinux_2_28_{machine}", f"manylinux_2_17_{machine}", f"manylinux2014_{machine}"):
            command += ["--platform", platform]
    command += ["--no-deps", "--require-hashes", "--target", str(directory), "-r", str(requirements_file("agent"))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InfraError("The agent's wheels did not arrive.", code="no_wheels") from error
    if done.returncode != 0:
        said = " ".join(done.stderr.split())[-400:]
        raise InfraError(f"The agent's wheels could not be had: {said}", code="no_wheels")
