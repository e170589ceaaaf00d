"""The directory that assets are kept in: what is there is whole, or is named and fetched again.

A file appears by one atomic rename after its SHA-256 was checked, under a lock between processes; a reader therefore
sees nothing or all of it. A set that is complete is used without writing, so the cache may be read-only.
"""

import errno
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import platformdirs
from filelock import FileLock, Timeout

from firstword.config import AssetSettings
from firstword.errors import AssetCorrupt, AssetError, AssetMissing
from firstword.kokoro.assets.manifest import MANIFEST, Manifest, Progress, Source, quiet, sha256_of
from firstword.kokoro.assets.sources import open_source

__all__ = ["AssetStore", "FileState", "open_store"]

type State = Literal["ok", "missing", "corrupt"]
_CACHE_HINT = "Set FIRSTWORD_ASSETS_CACHE_DIR to a directory that can be written."


@dataclass(frozen=True, kw_only=True)
class FileState:
    name: str
    bytes: int
    state: State


def open_store(settings: AssetSettings) -> "AssetStore":
    """The store of the source that the settings name; touches neither disk nor network. Raises ConfigError."""
    base = Path(settings.cache_dir) if settings.cache_dir else Path(platformdirs.user_cache_path("firstword"))
    return AssetStore(open_source(settings), base.expanduser(), lock_timeout_s=settings.download_timeout_s)


class AssetStore:
    """One source's set below the cache directory `base`."""

    def __init__(self, source: Source, base: Path, *, lock_timeout_s: float) -> None:
        self._source = source
        self._lock_timeout_s = lock_timeout_s
        self.base = base
        self.directory = source.directory or base / "assets" / source.slug

    def manifest(self) -> Manifest:
        """The manifest of what was fetched; of the source, if nothing has been."""
        try:
            return self._held_manifest()
        except (FileNotFoundError, AssetCorrupt):
            return self._source.manifest()

    def verify(self) -> list[FileState]:
        """Read and hash every file of the set; fetches nothing."""
        states = []
        for name, record in sorted(self.manifest().files.items()):
            path = self.directory / name
            try:
                whole = path.stat().st_size == record.bytes and sha256_of(path) == record.sha256
                state: State = "ok" if whole else "corrupt"
            except FileNotFoundError:
                state = "missing"
            states.append(FileState(name=name, bytes=record.bytes, state=state))
        return states

    def ensure(self, progress: Progress = quiet) -> Path:
        """The directory, with every file of the set whole: fetches what is missing or corrupt. Raises AssetError."""
        with _translated(self.directory):
            if self._complete():
                return self.directory
            self.directory.mkdir(parents=True, exist_ok=True)
            with self._locked():
                self._repair(progress)
        return self.directory

    def _held_manifest(self) -> Manifest:
        path = self.directory / MANIFEST
        return Manifest.decode(path.read_bytes(), str(path))

    def _complete(self) -> bool:
        try:
            self._held_manifest()
        except (FileNotFoundError, AssetCorrupt):
            return False
        return not _broken(self.verify())

    def _repair(self, progress: Progress) -> None:
        """Fetch what is broken, once we hold the lock (another process may have done it while we waited)."""
        manifest = self.manifest()
        wanted = _broken(self.verify())
        if wanted:
            need = sum(manifest.files[name].bytes for name in wanted)
            free = shutil.disk_usage(self.directory).free
            if free < need:
                raise OSError(errno.ENOSPC, f"{need} bytes are needed, {free} are free")
            with tempfile.TemporaryDirectory(dir=self.directory, prefix=".fetch-") as staging:
                self._source.fetch(wanted, Path(staging), progress)
                for name in wanted:
                    self._place(Path(staging) / name, name, manifest)
        staged = self.directory / f".{MANIFEST}"
        staged.write_bytes(manifest.encode())
        staged.replace(self.directory / MANIFEST)

    def _place(self, staged: Path, name: str, manifest: Manifest) -> None:
        record = manifest.files[name]
        if not staged.is_file():
            raise AssetMissing(f"The source did not deliver {name}.")
        if staged.stat().st_size != record.bytes or sha256_of(staged) != record.sha256:
            raise AssetCorrupt(f"{name} arrived with other contents than its manifest says.", hint="Try again.")
        target = self.directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        staged.replace(target)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = FileLock(str(self.directory / ".lock"))
        try:
            lock.acquire(timeout=self._lock_timeout_s)
        except Timeout as error:
            raise AssetError(
                f"Another process has been fetching into {self.directory} for {self._lock_timeout_s:g} s.",
                hint="Wait for it, or end it.",
            ) from error
        try:
            yield
        finally:
            lock.release()


def _broken(states: list[FileState]) -> list[str]:
    return [state.name for state in states if state.state != "ok"]


@contextmanager
def _translated(directory: Path) -> Iterator[None]:
    """Errors of the disk as ours."""
    try:
        yield
    except OSError as error:
        match error.errno:
            case errno.ENOSPC | errno.EDQUOT:
                message, hint = f"There is no space left for assets in {directory}.", f"Free some. {_CACHE_HINT}"
            case errno.EACCES | errno.EPERM | errno.EROFS:
                message, hint = f"Assets cannot be written to {directory}.", _CACHE_HINT
            case _:
                message, hint = f"Assets in {directory} cannot be read or written ({error.strerror}).", _CACHE_HINT
        raise AssetError(message, hint=hint) from error
