"""An audio file written as the audio comes, that appears whole or not at all.

The format decides the bytes (`firstword.codecs`); this module decides when a file exists: it grows under another name
beside its place, takes the place when all is written, and is removed when anything fails. A link stays a link, and what
is no file (a device, a pipe) is written into and never replaced; nor is standard output, whatever it leads to. Above
it: `simple`, `say`.
"""

import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from firstword.audio import SAMPLE_RATE_HZ, wav_header
from firstword.codecs.formats import FORMATS, AudioFormat, audio_format, format_of_file
from firstword.errors import CodecError, OutputError, UnknownFormat

__all__ = ["STANDARD_OUTPUT", "AudioFile", "file_format", "open_audio_file"]

STANDARD_OUTPUT = Path("-")
"""Written to as the audio comes; WAV unless a format is named."""


class AudioFile:
    """Give it PCM (24 kHz, s16le, mono) with `write`."""

    def __init__(self, file: BinaryIO, format_name: str, rate_hz: int, *, live: bool = False) -> None:
        self._file = file
        self._live = live
        self._format = format_name
        self._rate_hz = rate_hz
        self._encoder = None if format_name in ("wav", "pcm") else _encoder(format_name)
        self._pcm_bytes = 0
        if format_name == "wav":
            file.write(wav_header(None, rate_hz))

    def write(self, pcm: bytes) -> None:
        self._pcm_bytes += len(pcm)
        self._file.write(pcm if self._encoder is None else self._encoder.encode(pcm))
        if self._live:
            self._file.flush()

    def finish(self) -> None:
        if self._encoder is not None:
            self._file.write(self._encoder.flush())
        elif self._format == "wav" and not self._live and self._file.seekable():
            self._file.seek(0)
            self._file.write(wav_header(self._pcm_bytes, self._rate_hz))


@contextmanager
def open_audio_file(path: Path, format_name: str | None = None, rate_hz: int = SAMPLE_RATE_HZ) -> Iterator[AudioFile]:
    """A file in the format of that name, or of the path's suffix; STANDARD_OUTPUT is a file too.

    Raises CodecError for a format that does not exist or is not the suffix's, OutputError where the file system
    refuses: no such folder, no right to write, no space left.
    """
    chosen = file_format(path, format_name)
    live = path == STANDARD_OUTPUT
    try:
        with _opened(path) as file:
            audio = AudioFile(file, chosen.name, rate_hz, live=live)
            yield audio
            audio.finish()
    except OSError as error:
        where = "to standard output" if live else path
        raise OutputError(f"Cannot write {where}: {error.strerror or type(error).__name__}.") from error


def file_format(path: Path, format_name: str | None = None) -> AudioFormat:
    """The format to write a file in. Raises CodecError for one that does not exist or that the suffix contradicts."""
    if path == STANDARD_OUTPUT:
        return audio_format(format_name or "wav")
    if format_name is None:
        return format_of_file(path)
    named = audio_format(format_name)
    told = next((entry for entry in FORMATS.values() if path.suffix.lower() in entry.suffixes), named)
    if told != named:
        raise UnknownFormat(
            f"The suffix of {path.name} says {told.name}, the format asked for is {named.name}.",
            hint=f"Name the file {path.stem}{named.suffixes[0]}, or leave the format out.",
        )
    return named


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    if path == STANDARD_OUTPUT:
        return open(sys.stdout.fileno(), "wb", closefd=False)
    if path.is_dir():
        raise IsADirectoryError(None, "Is a directory")
    return path.open("wb") if path.exists() and not path.is_file() else _whole_or_not_at_all(path)


@contextmanager
def _whole_or_not_at_all(path: Path) -> Iterator[BinaryIO]:
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with part.open("xb") as file:
            yield file
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


class _Encoder(Protocol):
    def encode(self, pcm: bytes) -> bytes: ...
    def flush(self) -> bytes: ...


def _encoder(format_name: str) -> _Encoder:
    try:
        from firstword.codecs.encoder import make_encoder  # the codec library is an extra
    except ImportError as error:
        hint = "Install firstword[codecs], or write .wav."
        raise CodecError(f"The codec library for {format_name} is not installed.", hint=hint) from error
    return make_encoder(format_name)
