"""Numbers as people and programs read them: tables, JSON, and what machine they came from."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.table import Table

from firstword import __version__
from firstword.errors import FirstwordError

_FASTER_BY: Final = ("avx2", "avx512f", "avx_vnni", "avx512_vnni", "avx512_bf16", "amx_bf16", "asimddp", "i8mm", "bf16")
_LIBRARIES: Final = ("onnxruntime", "onnxruntime-gpu", "openvino")

__all__ = ["machine", "print_json", "table", "to_json", "write_json"]


def machine() -> dict[str, Any]:
    """What a reader needs to know of this machine to place its numbers."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "instructions": _instructions(),
        "libraries": _libraries(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "firstword": __version__,
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _instructions() -> list[str]:
    """What the processor says of itself that a voice is faster by."""
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return []
    flags = set(info.read_text().split("\n\n", 1)[0].split())
    return [name for name in _FASTER_BY if name in flags]


def _libraries() -> dict[str, str]:
    """Versions of what may run the voice here."""
    found = {}
    for name in _LIBRARIES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def to_json(value: Any) -> str:
    """Indented JSON of dataclasses, structs and plain values."""
    return json.dumps(msgspec.to_builtins(value), indent=2, ensure_ascii=False)


def print_json(value: Any) -> None:
    """JSON on stdout, and nothing else there."""
    sys.stdout.write(to_json(value) + "\n")


def write_json(value: Any, path: Path) -> None:
    """Raises FirstwordError where the file cannot be written."""
    try:
        path.write_text(to_json(value) + "\n", encoding="utf-8")
    except OSError as error:
        raise FirstwordError(f"{path} could not be written: {error.strerror}.", code="output") from error


def table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[object]], console: Console, *, prose: bool = False
) -> None:
    """A table of rows. Columns after the first hold numbers, which stand right, unless they are `prose`."""
    result = Table(title=title, title_justify="left", header_style="bold", box=None, padding=(0, 2, 0, 0))
    for index, name in enumerate(head):
        result.add_column(name, justify="left" if prose or index == 0 else "right", overflow="fold")
    for row in rows:
        result.add_row(*("–" if cell is None else str(cell) for cell in row))
    console.print(result)
