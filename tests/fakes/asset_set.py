"""A set of assets a few kilobytes large, and a source that gives it out, well or badly."""

import hashlib
from pathlib import Path

from firstword.kokoro.assets.manifest import MANIFEST, MODEL, FileRecord, Manifest, Progress, voice_file
from firstword.kokoro.voices import VOICES

CONTENTS = {name: name.encode() * 40 for name in (MODEL, *map(voice_file, VOICES))}
MANIFEST_OF_SET = Manifest(
    model="tiny",
    precision="int8",
    files={
        name: FileRecord(bytes=len(data), sha256=hashlib.sha256(data).hexdigest()) for name, data in CONTENTS.items()
    },
)


def write_set(directory: Path) -> Path:
    """The whole set with its manifest, as `dir:` and `s3://` hold it."""
    for name, data in CONTENTS.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(data)
    (directory / MANIFEST).write_bytes(MANIFEST_OF_SET.encode())
    return directory


class SetSource:
    """Counts what it is asked for; `spoil` is what it appends to every file, `error` what it raises instead."""

    slug = "tiny"
    directory: Path | None = None

    def __init__(self, *, spoil: bytes = b"", error: Exception | None = None) -> None:
        self.fetched: list[str] = []
        self.spoil = spoil
        self.error = error

    def manifest(self) -> Manifest:
        return MANIFEST_OF_SET

    def fetch(self, names: list[str], into: Path, progress: Progress) -> None:
        if self.error is not None:
            raise self.error
        for name in names:
            self.fetched.append(name)
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            (into / name).write_bytes(CONTENTS[name] + self.spoil)
            progress(name, len(CONTENTS[name]), len(CONTENTS[name]))
