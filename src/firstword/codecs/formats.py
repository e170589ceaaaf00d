"""The formats that exist: their names, file suffixes, content types and sample rates, as one table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firstword.errors import UnknownFormat

__all__ = ["FORMATS", "AudioFormat", "audio_format", "format_of_file"]

_ANY_RATE: Final = (8_000, 16_000, 22_050, 24_000, 44_100, 48_000)
_OPUS_RATES: Final = (8_000, 16_000, 24_000, 48_000)


@dataclass(frozen=True, kw_only=True)
class AudioFormat:
    """`rates_hz` are the sample rates that may be asked for, `default_rate_hz` the one that is used if none is."""

    name: str
    content_type: str
    suffixes: tuple[str, ...]
    rates_hz: tuple[int, ...] = _ANY_RATE
    default_rate_hz: int = 24_000

    def rate_hz(self, asked_hz: int | None = None) -> int:
        """The sample rate to use. Raises UnknownFormat, listing what is, for one that is not."""
        if asked_hz is None:
            return self.default_rate_hz
        if asked_hz not in self.rates_hz:
            known = ", ".join(str(rate) for rate in self.rates_hz)
            raise UnknownFormat(f"{self.name} at {asked_hz} Hz is not to be had; its rates: {known}.")
        return asked_hz


_TABLE: Final = (
    AudioFormat(name="wav", content_type="audio/wav", suffixes=(".wav",)),
    AudioFormat(name="pcm", content_type="audio/pcm", suffixes=(".pcm", ".raw")),
    AudioFormat(
        name="ulaw", content_type="audio/basic", suffixes=(".ulaw", ".ul"), rates_hz=(8_000,), default_rate_hz=8_000
    ),
    AudioFormat(name="mp3", content_type="audio/mpeg", suffixes=(".mp3",)),
    AudioFormat(name="aac", content_type="audio/aac", suffixes=(".aac",)),
    AudioFormat(name="mp4", content_type="audio/mp4", suffixes=(".mp4", ".m4a")),
    AudioFormat(name="opus", content_type="audio/ogg", suffixes=(".opus", ".ogg"), rates_hz=_OPUS_RATES),
    AudioFormat(name="webm", content_type="audio/webm", suffixes=(".webm",), rates_hz=_OPUS_RATES),
    AudioFormat(name="flac", content_type="audio/flac", suffixes=(".flac",)),
)
FORMATS: Final = {entry.name: entry for entry in _TABLE}


def audio_format(name: str) -> AudioFormat:
    """The format of that name. Raises UnknownFormat, listing what exists."""
    if name not in FORMATS:
        raise UnknownFormat(f"There is no format {name!r}; one of: {', '.join(FORMATS)}.")
    return FORMATS[name]


def format_of_file(path: Path) -> AudioFormat:
    """The format a file's suffix names. Raises UnknownFormat, listing the suffixes that do."""
    for entry in _TABLE:
        if path.suffix.lower() in entry.suffixes:
            return entry
    known = ", ".join(suffix for entry in _TABLE for suffix in entry.suffixes)
    raise UnknownFormat(f"The suffix of {path.name!r} names no format; one of: {known}.")
