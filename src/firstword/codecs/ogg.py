"""Opus in Ogg (RFC 3533, RFC 7845).

The pages are written here: the library's muxer makes all of them alike, and a page costs 28 bytes, a third of what a
20 ms packet of speech holds. Two pages of one packet make an early start (a reader looks for the second before it
plays the first), pages of 100 ms behind them cost little.
The last page's position says where the audio ends, so that what comes out is as long as what went in.
"""

import random
import struct
from typing import Any, Final

import av

from firstword.codecs.containers import OPUS_BIT_RATE
from firstword.codecs.frames import frame_of

__all__ = ["OggOpusEncoder"]

_CLOCK_HZ: Final = 48_000
_PACKET: Final = 960
_EARLY_PAGES: Final = 2
_PACKETS_PER_PAGE: Final = 5
_FIRST, _LAST = 0x02, 0x04
_VENDOR: Final = b"firstword"


class OggOpusEncoder:
    """Opus; pages after 20 and 40 ms of audio, then one each 100 ms."""

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._codec: Any = av.CodecContext.create("libopus", "w")
        self._codec.sample_rate = rate_hz
        self._codec.layout = "mono"
        self._codec.format = "s16"
        self._codec.bit_rate = OPUS_BIT_RATE
        self._codec.options = {"application": "audio", "frame_duration": "20"}
        self._codec.open()
        self._serial = random.getrandbits(32)  # files that stand one behind another in a stream must differ
        self._pages = 0
        self._position = 0
        self._sent_packets = 0
        self._packets: list[bytes] = []

    def encode(self, pcm: bytes) -> bytes:
        if not pcm:
            return b""
        frame = frame_of(pcm, self._rate_hz, self._position)
        self._position += frame.samples
        self._packets += [bytes(packet) for packet in self._codec.encode(frame)]
        out = self._head()
        while len(self._packets) >= (wanted := 1 if self._sent_packets < _EARLY_PAGES else _PACKETS_PER_PAGE):
            out += self._audio(wanted)
        return out

    def flush(self) -> bytes:
        # The encoder owes at least one packet: what it held back to look ahead.
        self._packets += [bytes(packet) for packet in self._codec.encode(None)] if self._position else []
        out = self._head()
        while len(self._packets) > _PACKETS_PER_PAGE:
            out += self._audio(_PACKETS_PER_PAGE)
        return out + self._audio(len(self._packets), last=True)

    def _head(self) -> bytes:
        if self._pages:
            return b""
        comment = b"OpusTags" + struct.pack("<I", len(_VENDOR)) + _VENDOR + struct.pack("<I", 0)
        return self._page([bytes(self._codec.extradata)], 0, _FIRST) + self._page([comment], 0)

    def _audio(self, count: int, *, last: bool = False) -> bytes:
        packets, self._packets = self._packets[:count], self._packets[count:]
        self._sent_packets += count
        position = self._sent_packets * _PACKET
        if last:
            (skipped,) = struct.unpack_from("<H", self._codec.extradata, 10)
            position = min(position, skipped + self._position * _CLOCK_HZ // self._rate_hz)
        return self._page(packets, position, _LAST if last else 0)

    def _page(self, packets: list[bytes], position: int, flags: int = 0) -> bytes:
        lacing = b"".join(b"\xff" * (len(packet) // 255) + bytes((len(packet) % 255,)) for packet in packets)
        head = struct.pack("<4sBBQIII", b"OggS", 0, flags, position, self._serial, self._pages, 0)
        page = bytearray(head + bytes((len(lacing),)) + lacing + b"".join(packets))
        struct.pack_into("<I", page, 22, _checksum(page))
        self._pages += 1
        return bytes(page)


def _checksum(data: bytes | bytearray) -> int:
    """Ogg's CRC: polynomial 04c11db7, no reflection, nothing inverted."""
    value = 0
    for byte in data:
        value = (value << 8 & 0xFFFFFFFF) ^ _TABLE[value >> 24 ^ byte]
    return value


def _entry(value: int) -> int:
    value <<= 24
    for _ in range(8):
        value = (value << 1 & 0xFFFFFFFF) ^ (0x04C11DB7 if value & 0x80000000 else 0)
    return value


_TABLE: Final = tuple(_entry(value) for value in range(256))
