"""Encoders whose container the codec library writes: MP3, AAC in ADTS, Opus in WebM, FLAC.

The options make each container let go of bytes as early as its codec permits. An MP3 frame that may borrow from its
neighbours (the reservoir) waits for them; a FLAC header reserves 8 KiB of padding; a WebM cluster closes on size or
time.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import av

from firstword.codecs.frames import frame_of

__all__ = ["CONTAINERS", "Container", "ContainerEncoder"]


@dataclass(frozen=True, kw_only=True)
class Container:
    codec: str
    muxer: str
    bit_rate: int | None = None
    sample_format: str = "s16"
    muxer_options: dict[str, str] = field(default_factory=dict)
    codec_options: dict[str, str] = field(default_factory=dict)


OPUS_BIT_RATE: Final = 30_000
"""Bits a second. At 24,000 a listener model already hears a loss against PCM (docs/decisions/0041-opus-bit-rate.md)."""

CONTAINERS: Final = {
    "mp3": Container(
        codec="libmp3lame",
        muxer="mp3",
        bit_rate=48_000,
        sample_format="s16p",
        muxer_options={"write_xing": "0", "id3v2_version": "0"},
        codec_options={"reservoir": "0"},
    ),
    "aac": Container(codec="aac", muxer="adts", bit_rate=32_000, sample_format="fltp"),
    "webm": Container(
        codec="libopus",
        muxer="webm",
        bit_rate=OPUS_BIT_RATE,
        muxer_options={"live": "1", "cluster_time_limit": "100"},
        codec_options={"application": "audio", "frame_duration": "20"},
    ),
    "flac": Container(
        codec="flac",
        muxer="flac",
        muxer_options={"metadata_header_padding": "0"},
        codec_options={"frame_size": "480"},
    ),
}


class _Sink:
    """Where the muxer writes: collects, cannot seek."""

    def __init__(self) -> None:
        self._data = bytearray()

    def write(self, data: bytes) -> int:
        self._data += data
        return len(data)

    def take(self) -> bytes:
        data = bytes(self._data)
        self._data.clear()
        return data


class ContainerEncoder:
    """One file, written as it goes, at one sample rate."""

    def __init__(self, container: Container, rate_hz: int) -> None:
        self._sink = _Sink()
        self._rate_hz = rate_hz
        self._position = 0
        options = {"flush_packets": "1", **container.muxer_options}
        self._output: Any = av.open(self._sink, "w", format=container.muxer, options=options, buffer_size=512)
        stream: Any = self._output.add_stream(
            container.codec, rate=rate_hz, layout="mono", options=container.codec_options
        )
        stream.codec_context.format = container.sample_format
        if container.bit_rate is not None:
            stream.bit_rate = container.bit_rate
        self._stream = stream

    def encode(self, pcm: bytes) -> bytes:
        if not pcm:
            return b""
        frame = frame_of(pcm, self._rate_hz, self._position)
        self._position += frame.samples
        self._output.mux(self._stream.encode(frame))
        return self._sink.take()

    def flush(self) -> bytes:
        self._output.mux(self._stream.encode(None))
        self._output.close()
        return self._sink.take()
