"""What a set of assets consists of: every file by name, size and SHA-256.

A set is a directory of `model.onnx` and `voices/NAME.bin`, with its manifest beside them as
`manifest.json`. The cache, `dir:` and `s3://` all have this one layout, so that any may be copied to another.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

import msgspec

from firstword.errors import AssetCorrupt
from firstword.kokoro.voices import VOICES

__all__ = ["MANIFEST", "MODEL", "FileRecord", "Manifest", "Progress", "Source", "quiet", "sha256_of", "voice_file"]

MANIFEST: Final = "manifest.json"
MODEL: Final = "model.onnx"

type Progress = Callable[[str, int, int], None]
"""Called with what is being fetched, bytes so far and bytes in all, as often as the source likes."""


class FileRecord(msgspec.Struct, frozen=True, kw_only=True):
    """`sha256` in lower-case hex."""

    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`precision` is that of the weights: int8, fp32 or fp16. File names are relative, with forward slashes."""

    model: str
    precision: str
    files: dict[str, FileRecord]

    @property
    def total_bytes(self) -> int:
        return sum(record.bytes for record in self.files.values())

    def encode(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=1)

    @classmethod
    def decode(cls, data: bytes, whence: str) -> "Manifest":
        """Raises AssetCorrupt, naming `whence`, if this is no manifest, lacks a file or names one outside its set."""
        try:
            manifest = msgspec.json.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise AssetCorrupt(f"{whence} is not a manifest of assets.") from error
        for name in manifest.files:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or "\\" in name or not path.name:
                raise AssetCorrupt(f"{whence} names a file outside its own directory.")
        missing = sorted({MODEL, *map(voice_file, VOICES)} - set(manifest.files))
        if missing:
            raise AssetCorrupt(f"{whence} lacks {', '.join(missing[:3])}.")
        return manifest


class Source(Protocol):
    """A place that assets come from. Every failure of that place is an AssetSourceError."""

    slug: str
    """Names the directory of this source in the cache."""
    directory: Path | None
    """Where the set lies already, if it is used in place; it is then never written to."""

    def manifest(self) -> Manifest:
        """What the source holds now."""
        ...

    def fetch(self, names: list[str], into: Path, progress: Progress) -> None:
        """Write these files of the manifest below `into`, an existing directory. The store checks them."""
        ...


def quiet(*_: object) -> None:
    """A `Progress` that shows nothing."""


def voice_file(name: str) -> str:
    return f"voices/{name}.bin"


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
