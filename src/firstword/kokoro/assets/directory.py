"""A directory that already holds the assets, such as one a container mounts. Used in place, never written to."""

from pathlib import Path

from firstword.errors import AssetMissing, AssetSourceError
from firstword.kokoro.assets.manifest import MANIFEST, Manifest, Progress

__all__ = ["DirectorySource"]


class DirectorySource:
    """`directory` must hold a whole set with its manifest (`firstword models path` names one to copy)."""

    def __init__(self, directory: str) -> None:
        self._place = Path(directory).expanduser()
        self.directory: Path | None = self._place
        self.slug = "dir"

    def manifest(self) -> Manifest:
        path = self._place / MANIFEST
        try:
            return Manifest.decode(path.read_bytes(), str(path))
        except OSError as error:
            raise AssetMissing(
                f"{self._place} holds no assets: its {MANIFEST} cannot be read.",
                hint="Copy the directory that firstword models path names, all of it.",
            ) from error

    def fetch(self, names: list[str], into: Path, progress: Progress) -> None:  # noqa: ARG002
        raise AssetSourceError(
            f"{self._place} holds {names[0]} missing or corrupt"
            + (f", and {len(names) - 1} more." if names[1:] else "."),
            hint="Copy the directory that firstword models path names, all of it.",
        )
