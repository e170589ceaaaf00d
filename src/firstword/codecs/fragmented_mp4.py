"""AAC in fragmented MP4 (ISO/IEC 14496-12), the form that Media Source Extensions take.

The container is written here: the library's muxer cuts every fragment alike, and a first fragment that is short while
the others are long is what makes an early start cheap. The edit list skips the encoder's priming samples.
"""

import struct
from typing import Any, Final

import av

from firstword.codecs.frames import frame_of

__all__ = ["FragmentedMp4Encoder"]

_FRAME: Final = 1024
_FIRST_FRAGMENT_S: Final = 0.06
_FRAGMENT_S: Final = 0.25
_MATRIX: Final = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)


class FragmentedMp4Encoder:
    """AAC-LC at 32 kbit/s; the first fragment after about 60 ms of encoded audio, then one each 250 ms."""

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._codec: Any = av.CodecContext.create("aac", "w")
        self._codec.sample_rate = rate_hz
        self._codec.layout = "mono"
        self._codec.format = "fltp"
        self._codec.bit_rate = 32_000
        self._codec.open()
        self._position = 0
        self._frames: list[bytes] = []
        self._sent_frames = 0
        self._fragments = 0

    def encode(self, pcm: bytes) -> bytes:
        if not pcm:
            return b""
        frame = frame_of(pcm, self._rate_hz, self._position)
        self._position += frame.samples
        self._frames += [bytes(packet) for packet in self._codec.encode(frame)]
        wanted_s = _FRAGMENT_S if self._fragments else _FIRST_FRAGMENT_S
        ready = len(self._frames) * _FRAME >= wanted_s * self._rate_hz
        return self._head() + self._fragment() if ready else b""

    def flush(self) -> bytes:
        self._frames += [bytes(packet) for packet in self._codec.encode(None)] if self._position else []
        return self._head() + (self._fragment() if self._frames else b"")

    def _head(self) -> bytes:
        return b"" if self._fragments else _init_segment(self._rate_hz, bytes(self._codec.extradata), _FRAME)

    def _fragment(self) -> bytes:
        self._fragments += 1
        data = _fragment(self._fragments, self._sent_frames * _FRAME, self._frames)
        self._sent_frames += len(self._frames)
        self._frames = []
        return data


def _box(name: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), name) + body


def _full(name: bytes, version: int, flags: int, *parts: bytes) -> bytes:
    return _box(name, struct.pack(">I", version << 24 | flags), *parts)


def _descriptor(tag: int, body: bytes) -> bytes:
    return bytes((tag, 0x80, 0x80, 0x80, len(body))) + body


def _init_segment(rate_hz: int, config: bytes, priming: int) -> bytes:
    """`ftyp` and `moov`: one AAC track of unknown length whose first `priming` samples are not presented."""
    decoder = struct.pack(">BBxxxII", 0x40, 0x15, 0, 32_000) + _descriptor(5, config)
    esds = _full(b"esds", 0, 0, _descriptor(3, b"\0\0\0" + _descriptor(4, decoder) + _descriptor(6, b"\x02")))
    mp4a = _box(b"mp4a", struct.pack(">6xH8xHH4xHxx", 1, 1, 16, rate_hz), esds)
    tables = (
        _full(name, 0, 0, b"\0" * size) for name, size in ((b"stts", 4), (b"stsc", 4), (b"stsz", 8), (b"stco", 4))
    )
    samples = _box(b"stbl", _full(b"stsd", 0, 0, struct.pack(">I", 1), mp4a), *tables)
    references = _box(b"dinf", _full(b"dref", 0, 0, struct.pack(">I", 1), _full(b"url ", 0, 1)))
    media = _box(
        b"mdia",
        _full(b"mdhd", 0, 0, struct.pack(">IIIIHH", 0, 0, rate_hz, 0, 0x55C4, 0)),
        _full(b"hdlr", 0, 0, struct.pack(">I4s12x", 0, b"soun"), b"sound\0"),
        _box(b"minf", _full(b"smhd", 0, 0, b"\0" * 4), references, samples),
    )
    track = _box(
        b"trak",
        _full(b"tkhd", 0, 3, struct.pack(">IIIII8xHHHH", 0, 0, 1, 0, 0, 0, 0, 0x100, 0), _MATRIX, b"\0" * 8),
        _box(b"edts", _full(b"elst", 0, 0, struct.pack(">IIiI", 1, 0, priming, 0x10000))),
        media,
    )
    movie = _full(
        b"mvhd", 0, 0, struct.pack(">IIIIIH10x", 0, 0, rate_hz, 0, 0x10000, 0x100), _MATRIX, b"\0" * 24, b"\0\0\0\2"
    )
    extends = _box(b"mvex", _full(b"trex", 0, 0, struct.pack(">IIIII", 1, 1, _FRAME, 0, 0)))
    return _box(b"ftyp", b"iso6\0\0\0\1iso6mp41") + _box(b"moov", movie, track, extends)


def _fragment(number: int, start: int, frames: list[bytes]) -> bytes:
    """`moof` and `mdat` of whole AAC frames; `start` is their first sample on the track's clock."""

    def movie(offset: int) -> bytes:
        sizes = struct.pack(f">{len(frames)}I", *map(len, frames))
        run = _full(b"trun", 0, 0x201, struct.pack(">Ii", len(frames), offset), sizes)
        header = _full(b"tfhd", 0, 0x020000, struct.pack(">I", 1))
        time = _full(b"tfdt", 1, 0, struct.pack(">Q", start))
        return _box(b"moof", _full(b"mfhd", 0, 0, struct.pack(">I", number)), _box(b"traf", header, time, run))

    return movie(len(movie(0)) + 8) + _box(b"mdat", *frames)
