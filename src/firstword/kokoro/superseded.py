"""Removes graphs that nothing asks for any more: those made of the same model by an earlier recipe, and half-made ones.

Safe while other processes, of this version or an older one, load or make theirs: what was made or loaded in the last
minutes stays, and a directory is renamed, which only one process can, before it is emptied.
"""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["remove_superseded"]

_GRACE_S: Final = 600.0
"""Loading takes seconds; making takes a minute where the machine is busy."""
_GOING: Final = ".going-"
_HALF_MADE: Final = ".made-"


def remove_superseded(home: Path, *, grace_s: float = _GRACE_S) -> None:
    """`home` is `MODEL-RECIPE` and stays, marked as used now; its siblings of the same model and a lower recipe go.

    Never fails: what cannot be removed now is tried again by the next process.
    """
    with suppress(OSError):
        os.utime(home)
    model, _, recipe = home.name.rpartition("-")
    oldest = time.time() - grace_s
    for path in _entries(home.parent):
        name, _, number = path.name.rpartition("-")
        earlier = name == model and number.isdecimal() and int(number) < int(recipe)
        if (earlier or path.name.startswith(_GOING)) and _used(path) < oldest:
            _remove(path)
    for path in _entries(home):
        if path.name.startswith(_HALF_MADE) and _used(path) < oldest:
            shutil.rmtree(path, ignore_errors=True)


def _remove(path: Path) -> None:
    going = path
    if not path.name.startswith(_GOING):
        going = path.with_name(f"{_GOING}{path.name}-{os.getpid()}")
        try:
            path.rename(going)
        except OSError:
            return  # another process has it, or it is not ours to move
    shutil.rmtree(going, ignore_errors=True)


def _entries(directory: Path) -> list[Path]:
    try:
        return [path for path in directory.iterdir() if path.is_dir() and not path.is_symlink()]
    except OSError:
        return []


def _used(path: Path) -> float:
    """When it was last changed or used; now, if it is gone meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()
