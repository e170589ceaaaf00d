"""Lays out a build context and names it by its contents, so that an image is built once and never overwritten."""

import hashlib
import shutil
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal

import firstword
from firstword.errors import InfraError

__all__ = ["BuildContext", "agent_context", "requirements_file", "speech_context"]

_SKIPPED = shutil.ignore_patterns("__pycache__", "*.pyc")


@dataclass(frozen=True, kw_only=True)
class BuildContext:
    """`tag` is the fingerprint of everything that goes in; `platform` is what it must run on."""

    image: Literal["speech", "agent"]
    directory: Path
    platform: Literal["linux/amd64", "linux/arm64"]
    arguments: dict[str, str]
    target: str = ""
    tag: str = ""


def speech_context(
    directory: Path,
    *,
    device: Literal["cpu", "gpu"],
    espeak: bool = True,
    japanese: bool = False,
    weights: Path | None = None,
) -> BuildContext:
    """The speech server's context in `directory` (made, must be empty). With `weights`, a whole set of assets, they
    are baked into the image; otherwise it reads them from /opt/ml/model. `japanese` adds Open JTalk, 128 MB."""
    _lay_out(directory, "speech", f"server-{device}")
    target = "speech"
    if weights is not None:
        shutil.copytree(weights, directory / "weights", ignore=shutil.ignore_patterns(".*"))
        target = "speech-with-weights"
    backend = "cuda" if device == "gpu" else "auto"
    arguments = {"DEVICE": device, "BACKEND": backend, "ESPEAK": _yes(espeak), "JAPANESE": _yes(japanese)}
    return _context("speech", directory, "linux/amd64", arguments, target)


def agent_context(
    directory: Path,
    *,
    platform: Literal["linux/amd64", "linux/arm64"] = "linux/arm64",
    python: str = "python3.12",
) -> BuildContext:
    """The agent's context. AgentCore runs arm64 only; amd64 is for trying it on a laptop. `python` is the interpreter
    of the base image it is built on, the same for the machine that builds and for `platform`."""
    _lay_out(directory, "agent", "agent")
    return _context("agent", directory, platform, {"PYTHON": python}, "")


def requirements_file(name: str) -> Path:
    """The hash-locked requirements called `name`: in the wheel beside this module, in a checkout at its root."""
    packaged = Path(__file__).parent / "requirements" / f"{name}.txt"
    checkout = Path(firstword.__file__).parents[2] / "requirements" / f"{name}.txt"
    for path in (packaged, checkout):
        if path.is_file():
            return path
    raise InfraError(f"The locked requirements {name}.txt are missing.", hint="Reinstall firstword.")


def _lay_out(directory: Path, image: str, requirements: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with as_file(files("firstword.infra.images")) as home:
        shutil.copytree(home / image, directory, dirs_exist_ok=True, ignore=_SKIPPED)
        shutil.copy(home / "unpack-wheels", directory)
    shutil.copy(requirements_file(requirements), directory / "requirements.txt")
    shutil.copytree(Path(firstword.__file__).parent, directory / "firstword", ignore=_SKIPPED)


def _yes(wanted: bool) -> str:
    return "yes" if wanted else "no"


def _context(
    image: Literal["speech", "agent"],
    directory: Path,
    platform: Literal["linux/amd64", "linux/arm64"],
    arguments: dict[str, str],
    target: str,
) -> BuildContext:
    digest = hashlib.sha256(repr((platform, sorted(arguments.items()), target)).encode())
    for path in sorted(path for path in directory.rglob("*") if path.is_file()):
        digest.update(f"\0{path.relative_to(directory).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return BuildContext(
        image=image,
        directory=directory,
        platform=platform,
        arguments=arguments,
        target=target,
        tag=digest.hexdigest()[:16],
    )
