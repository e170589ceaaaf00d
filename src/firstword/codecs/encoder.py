"""The seam of the encoders, and the one place that makes them.

    encode(pcm) -> bytes      what the format lets out so far; may be empty
    flush()     -> bytes      the rest; it carries real audio, so it is always sent

PCM is 24 kHz s16le mono in pieces of any whole number of samples; an encoder resamples to its rate itself. An encoder
serves one spoken turn and holds less than a second of audio.
"""

from typing import Protocol

import av
from av.codec import Codec
from av.codec.codec import UnknownCodecError
from av.format import ContainerFormat

from firstword.audio import BYTES_PER_SAMPLE, wav_header
from firstword.codecs.containers import CONTAINERS, ContainerEncoder
from firstword.codecs.formats import AudioFormat, audio_format
from firstword.codecs.fragmented_mp4 import FragmentedMp4Encoder
from firstword.codecs.ogg import OggOpusEncoder
from firstword.codecs.resample import Resampler
from firstword.codecs.telephony import linear_to_ulaw
from firstword.errors import CodecError

__all__ = ["Encoder", "check_library", "encode_whole", "make_encoder"]


class Encoder(Protocol):
    def encode(self, pcm: bytes) -> bytes: ...

    def flush(self) -> bytes: ...


def make_encoder(name: str, sample_rate_hz: int | None = None) -> Encoder:
    """A fresh encoder. Raises CodecError for a format or rate that does not exist."""
    chosen = audio_format(name)
    rate_hz = chosen.rate_hz(sample_rate_hz)
    return _Whole(Resampler(rate_hz), _inner(chosen, rate_hz))


def encode_whole(pcm: bytes, name: str, sample_rate_hz: int | None = None) -> bytes:
    """A complete file. A WAV made here carries its exact sizes."""
    encoder = make_encoder(name, sample_rate_hz)
    data = encoder.encode(pcm) + encoder.flush()
    if name != "wav":
        return data
    header = len(wav_header(None))
    return wav_header(len(data) - header, audio_format(name).rate_hz(sample_rate_hz)) + data[header:]


def check_library() -> None:
    """Raise CodecError, naming them, if the codec library lacks an encoder or a container that the formats need."""
    missing = []
    for codec in sorted({container.codec for container in CONTAINERS.values()}):
        try:
            Codec(codec, "w")
        except UnknownCodecError:
            missing.append(f"encoder {codec}")
    for muxer in sorted({container.muxer for container in CONTAINERS.values()}):
        try:
            ContainerFormat(muxer, "w")
        except ValueError:
            missing.append(f"container {muxer}")
    if missing:
        raise CodecError(
            f"PyAV {av.__version__} has no {', no '.join(missing)}.",
            code="codec_missing",
            hint="Install PyAV from its binary wheel.",
        )


def _inner(chosen: AudioFormat, rate_hz: int) -> Encoder:
    match chosen.name:
        case "pcm":
            return _Raw(b"")
        case "wav":
            return _Raw(wav_header(None, rate_hz))
        case "ulaw":
            return _Ulaw()
        case "mp4":
            return FragmentedMp4Encoder(rate_hz)
        case "opus":
            return OggOpusEncoder(rate_hz)
        case name:
            return ContainerEncoder(CONTAINERS[name], rate_hz)


class _Raw:
    """PCM as it is, behind a header that leaves with the first of it."""

    def __init__(self, header: bytes) -> None:
        self._header = header

    def encode(self, pcm: bytes) -> bytes:
        header, self._header = self._header, b""
        return header + pcm

    def flush(self) -> bytes:
        return self.encode(b"")


class _Ulaw:
    def encode(self, pcm: bytes) -> bytes:
        return linear_to_ulaw(pcm)

    def flush(self) -> bytes:
        return b""


class _Whole:
    """Resampling in front of an encoder, and the check that whole samples come in."""

    def __init__(self, resampler: Resampler, inner: Encoder) -> None:
        self._resampler = resampler
        self._inner = inner
        self._flushed = False

    def encode(self, pcm: bytes) -> bytes:
        if len(pcm) % BYTES_PER_SAMPLE:
            raise CodecError(f"{len(pcm)} bytes of PCM are no whole number of samples.", code="odd_pcm")
        if self._flushed:
            raise CodecError("An encoder takes nothing more once it is flushed.", code="flushed")
        return self._inner.encode(self._resampler.feed(pcm))

    def flush(self) -> bytes:
        if self._flushed:
            return b""
        self._flushed = True
        return self._inner.encode(self._resampler.flush()) + self._inner.flush()
