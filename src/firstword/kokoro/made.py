"""Files made once out of others and kept: whole or made again, put in place at once, safe under two processes.

Where the cache cannot be written they are made in a temporary directory, for this once.
"""

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from firstword.errors import AssetError
from firstword.kokoro.assets.manifest import sha256_of

__all__ = ["made_once"]

_log = logging.getLogger(__name__)
_DIGESTS: Final = "digests.json"


@contextmanager
def made_once(kept: Path, names: Sequence[str], make: Callable[[Path], None]) -> Iterator[Mapping[str, Path]]:
    """The files `names` by their stem, to be read before the block ends; `make` writes them into a directory.

    They stand in `kept`, a directory named for everything they depend on. Raises AssetError if there is no space.
    """
    if _whole(kept, names):
        yield _paths(kept, names)
        return
    made = _scratch(kept.parent)
    home = kept if made.parent == kept.parent else made
    try:
        make(made)
        digests = {name: sha256_of(made / name) for name in names}
        (made / _DIGESTS).write_text(json.dumps(digests))
        if home == kept:
            _move(made, kept, names)
        yield _paths(home, names)
    except OSError as error:
        raise AssetError(
            f"The model's parts cannot be written ({error.strerror}).",
            hint="Set FIRSTWORD_ASSETS_CACHE_DIR to a directory with 400 MB of space.",
        ) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _scratch(parent: Path) -> Path:
    try:
        parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(dir=parent, prefix=".made-"))
    except OSError as error:
        _log.warning("the model's parts are not kept", extra={"error": error.strerror})
        return Path(tempfile.mkdtemp(prefix="firstword-"))


def _paths(directory: Path, names: Sequence[str]) -> dict[str, Path]:
    return {Path(name).stem: directory / name for name in names}


def _whole(directory: Path, names: Sequence[str]) -> bool:
    """Whether the files there are those that were put there."""
    try:
        digests = json.loads((directory / _DIGESTS).read_text())
        return all(sha256_of(directory / name) == digests[name] for name in names)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _move(made: Path, kept: Path, names: Sequence[str]) -> None:
    """Put the directory in place by one rename. Whoever else made the same in the meantime made the same."""
    if not _whole(kept, names):
        shutil.rmtree(kept, ignore_errors=True)
    try:
        os.rename(made, kept)  # noqa: PTH104  # the point is that it is this one call
    except OSError:
        if not _whole(kept, names):
            raise
