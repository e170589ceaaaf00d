"""Which library, how many threads, spinning or not, windows in int8 or not: what `firstword doctor --tune` measured
best here, and kept.

One file in the cache directory, for one machine, one set of packages and one model; for any other it does not count.
Whatever a setting names outright wins over it. Nothing is measured here: `firstword.bench.tuning` does that.
"""

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from firstword.config import VoiceSettings
from firstword.errors import ConfigError
from firstword.kokoro.backends import auto_backend
from firstword.kokoro.inference import thread_count
from firstword.kokoro.recipe import RECIPE

__all__ = ["FILE", "FLOAT32", "INT8", "Choice", "candidates", "choose", "chosen", "keep", "key_of"]

_log = logging.getLogger(__name__)
FILE: Final = "tuning.json"
FLOAT32: Final = "float32"
INT8: Final = "int8"
_PACKAGES: Final = ("onnxruntime", "onnxruntime-gpu", "openvino")
_MOST_THREADS: Final = 256


@dataclass(frozen=True, kw_only=True)
class Choice:
    """How the model is run. `windows`: int8 where convolutions of the first stage are in int8, else float32 (or what
    the backend makes of it). `origin` says who chose: default, tuned or settings."""

    backend: str
    threads: int
    spinning: bool
    windows: str = FLOAT32
    origin: str = "default"

    @property
    def named(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        spinning, windows = ", spinning" if self.spinning else "", ", int8 windows" if self.windows == INT8 else ""
        return f"{self.backend}, {threads}{spinning}{windows}"

    def __str__(self) -> str:
        return f"{self.named} ({self.origin})"


def key_of(model_sha256: str) -> dict[str, Any]:
    """All that a measurement depends on."""
    return {
        "processor": _processor(),
        "cores": thread_count(0, most=_MOST_THREADS),
        "packages": {name: found for name in _PACKAGES if (found := _version(name)) is not None},
        "graphs": RECIPE,
        "model": model_sha256,
    }


def candidates(precision: str) -> list[Choice]:
    """What there is to compare here; the first is the default."""
    default = auto_backend(precision)
    most = thread_count(0)
    backends = ["cuda", "onnxruntime"] if default == "cuda" else ["onnxruntime"]
    every = [
        Choice(backend=backend, threads=threads, spinning=spinning)
        for backend in backends
        for threads in sorted({most, max(1, most // 2)}, reverse=True)
        for spinning in ((False, True) if threads > 1 else (False,))
    ]
    every.append(Choice(backend="onnxruntime", threads=most, spinning=False, windows=INT8))
    if find_spec("openvino") is not None:
        every += [Choice(backend="openvino", threads=threads, spinning=False) for threads in sorted({most, 1})[::-1]]
    return sorted(every, key=lambda choice: choice.backend != default)


def choose(settings: VoiceSettings, cache: Path, model_sha256: str, precision: str) -> Choice:
    """What the settings name; what they leave open as it was tuned, if it was, else the default.

    A backend or a thread count that the settings name is not what was measured together, so then nothing is taken
    from there. Raises ConfigError for int8 windows on CUDA, which has no kernels for them.
    """
    named = settings.backend != "auto" or settings.threads > 0
    found = chosen(cache, key_of(model_sha256)) if settings.tuned and not named else None
    base = found or Choice(
        backend=auto_backend(precision) if settings.backend == "auto" else settings.backend,
        threads=thread_count(settings.threads),
        spinning=False,
        origin="settings" if named else "default",
    )
    if settings.spinning != "auto":
        base = replace(base, spinning=settings.spinning == "on", origin="settings")
    if settings.windows != "auto":
        base = replace(base, windows=settings.windows, origin="settings")
    if base.windows == INT8 and base.backend == "cuda":
        raise ConfigError("CUDA cannot decode windows in int8.", hint="Unset FIRSTWORD_VOICE_WINDOWS.")
    return base


def chosen(cache: Path, key: Mapping[str, Any]) -> Choice | None:
    """What was kept for exactly this key; None if nothing was, or if it cannot be read."""
    try:
        kept = json.loads((cache / FILE).read_bytes())
        if kept["key"] != key:
            return None
        values = {"windows": FLOAT32, **kept["choice"]}
        choice = Choice(
            **{name: values[name] for name in ("backend", "threads", "spinning", "windows")}, origin="tuned"
        )
        known = choice.windows in (FLOAT32, INT8)
        if (
            not (known and isinstance(choice.backend, str) and isinstance(choice.spinning, bool))
            or type(choice.threads) is not int
            or not 1 <= choice.threads <= _MOST_THREADS
        ):
            raise ValueError("no choice")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("what was tuned cannot be read, defaults are used", extra={"error": type(error).__name__})
        return None
    return choice


def keep(cache: Path, key: Mapping[str, Any], choice: Choice) -> bool:
    """Write it in place of what was there, whole or not at all. False if the cache cannot be written."""
    values = {name: value for name, value in asdict(choice).items() if name != "origin"}
    text = json.dumps({"key": dict(key), "choice": values}, indent=1)
    staged = cache / f".{FILE}-{os.getpid()}"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        staged.write_text(text)
        staged.replace(cache / FILE)
    except OSError as error:
        _log.warning("what was tuned is not kept", extra={"error": error.strerror})
        with suppress(OSError):
            staged.unlink(missing_ok=True)
        return False
    return True


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """Model and what it can do: the same name may hide another generation in a virtual machine."""
    wanted = ("model name", "cpu family", "model", "stepping", "flags", "Features", "CPU part")
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n", 1)[0].splitlines()
    except OSError:
        return " ".join(os.uname()[3:]) if hasattr(os, "uname") else "unknown"
    pairs = (line.partition(":") for line in lines)
    return "; ".join(value.strip() for name, _, value in pairs if name.strip() in wanted)
