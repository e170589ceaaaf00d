"""Reading a format back while it arrives: bytes in, 16-bit mono PCM out.

    decode(data) -> PCM       all that can be decoded of what has come
    flush()      -> PCM       the rest

MP3 and ADTS are frames one behind another, which are cut out and decoded as they come. A container's reader pulls its
input, so it runs in a thread of its own that reads from a feed; `decode` returns when that thread waits for more, which
makes its result depend on the bytes alone and not on timing. `close` (or `flush`) ends the thread.
"""

import threading
from typing import Any, Protocol

import av
from av.audio.resampler import AudioResampler
from av.error import FFmpegError

from firstword.audio import wav_pcm
from firstword.codecs.formats import audio_format
from firstword.codecs.frames import pcm_of
from firstword.codecs.telephony import ulaw_to_linear
from firstword.errors import CodecError

__all__ = ["Decoder", "decode_whole", "make_decoder"]

_DEMUXERS = {"mp4": "mp4", "opus": "ogg", "webm": "webm", "flac": "flac"}


class Decoder(Protocol):
    @property
    def sample_rate_hz(self) -> int | None:
        """Known once the header has come."""
        ...

    def decode(self, data: bytes) -> bytes: ...

    def flush(self) -> bytes: ...

    def close(self) -> None: ...


def make_decoder(name: str, sample_rate_hz: int | None = None) -> Decoder:
    """A fresh decoder. For pcm and ulaw, which carry no header, the rate is the one given. Raises CodecError."""
    chosen = audio_format(name)
    if name in _DEMUXERS:
        return _ContainerDecoder(_DEMUXERS[name])
    if name in ("mp3", "aac"):
        return _FrameDecoder(name)
    if name == "wav":
        return _WavDecoder()
    return _HeaderlessDecoder(chosen.rate_hz(sample_rate_hz), companded=name == "ulaw")


def decode_whole(data: bytes, name: str) -> tuple[bytes, int]:
    """PCM and sample rate of a complete file. Raises CodecError if it is not what its name says."""
    decoder = make_decoder(name)
    pcm = decoder.decode(data) + decoder.flush()
    if decoder.sample_rate_hz is None:
        raise CodecError(f"These {len(data)} bytes are no {name}.", code="undecodable")
    return pcm, decoder.sample_rate_hz


class _HeaderlessDecoder:
    def __init__(self, sample_rate_hz: int, *, companded: bool) -> None:
        self.sample_rate_hz: int | None = sample_rate_hz
        self._companded = companded
        self._odd = b""

    def decode(self, data: bytes) -> bytes:
        if self._companded:
            return ulaw_to_linear(data)
        data = self._odd + data
        whole = len(data) - len(data) % 2
        self._odd = data[whole:]
        return data[:whole]

    def flush(self) -> bytes:
        return b""

    def close(self) -> None:
        pass


class _WavDecoder:
    """Holds back what comes until the header is whole, then passes samples on."""

    def __init__(self) -> None:
        self.sample_rate_hz: int | None = None
        self._head = b""
        self._samples: _HeaderlessDecoder | None = None

    def decode(self, data: bytes) -> bytes:
        if self._samples is not None:
            return self._samples.decode(data)
        self._head += data
        if len(self._head) < _WAV_HEAD_BYTES:
            return b""
        try:
            pcm, self.sample_rate_hz = wav_pcm(self._head)
        except ValueError as error:
            raise CodecError(f"The data is no WAV: {error}.", code="undecodable") from error
        self._samples = _HeaderlessDecoder(self.sample_rate_hz, companded=False)
        return self._samples.decode(pcm)

    def flush(self) -> bytes:
        return b""

    def close(self) -> None:
        pass


class _FrameDecoder:
    """Frames that carry their own headers and stand alone."""

    def __init__(self, name: str) -> None:
        self.sample_rate_hz: int | None = None
        self._name = name
        self._codec: Any = av.CodecContext.create(name, "r")
        self._as_pcm: AudioResampler | None = None
        self._head = b""
        self._ended = False

    def decode(self, data: bytes) -> bytes:
        if not data or self._ended:
            return b""  # an empty piece would tell the parser that this is the end
        if len(self._head) < len(_ID3):
            self._head += data[: len(_ID3)]
            self._check_head()
        return self._pcm(self._codec.parse(data))

    def _check_head(self) -> None:
        """The parser would go on to search noise for something that looks like a frame, and find it."""
        mask, wanted = _SYNC[self._name]
        synced = self._head[0] == 0xFF and (len(self._head) < 2 or self._head[1] & mask == wanted)
        if not synced and not _ID3.startswith(self._head[: len(_ID3)]):
            raise CodecError(f"The data is no {self._name}.", code="undecodable")

    def flush(self) -> bytes:
        if self._ended:
            return b""
        self._ended = True
        pcm = self._pcm([*self._codec.parse(b""), None])
        if self._head and self.sample_rate_hz is None:
            raise CodecError(f"The data is no {self._name}.", code="undecodable")
        return pcm

    def close(self) -> None:
        pass

    def _pcm(self, packets: list[Any]) -> bytes:
        pcm = bytearray()
        for packet in packets:
            try:
                frames = self._codec.decode(packet)
            except FFmpegError:
                continue  # a damaged frame is left out; the next has a header of its own
            for frame in frames:
                if self._as_pcm is None:
                    self.sample_rate_hz = frame.sample_rate
                    self._as_pcm = AudioResampler(format="s16", layout="mono", rate=frame.sample_rate)
                for piece in self._as_pcm.resample(frame):
                    pcm += pcm_of(piece)
        return bytes(pcm)


class _Feed:
    """A file whose reader waits for the writer; the writer can wait until the reader does.

    A read is answered in full or at the end: demuxers parse differently after a short read.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._ended = False
        self._hungry = False
        self._turn = threading.Condition()

    def read(self, size: int) -> bytes:
        with self._turn:
            while len(self._data) < size and not self._ended:
                self._hungry = True
                self._turn.notify_all()
                self._turn.wait()
            data = bytes(self._data[:size])
            del self._data[:size]
            return data

    def give(self, data: bytes, *, last: bool = False) -> None:
        with self._turn:
            self._data += data
            self._ended = self._ended or last
            self._hungry = False
            self._turn.notify_all()

    def wait_until_eaten(self) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self._hungry)

    def reader_left(self) -> None:
        with self._turn:
            self._ended = self._hungry = True
            self._turn.notify_all()


class _ContainerDecoder:
    def __init__(self, demuxer: str) -> None:
        self.sample_rate_hz: int | None = None
        self._demuxer = demuxer
        self._feed = _Feed()
        self._pcm = bytearray()
        self._failure: FFmpegError | None = None
        self._given = False
        self._thread = threading.Thread(target=self._run, name=f"decode-{demuxer}", daemon=True)
        self._thread.start()

    def decode(self, data: bytes) -> bytes:
        if data and self._thread.is_alive():
            self._given = True
            self._feed.give(data)
            self._feed.wait_until_eaten()
        return self._take()

    def flush(self) -> bytes:
        self.close()
        if self.sample_rate_hz is None and self._failure is None and self._given:
            raise CodecError(f"The data is no {self._demuxer}.", code="undecodable")
        return self._take()

    def close(self) -> None:
        self._feed.give(b"", last=True)
        self._thread.join()

    def _take(self) -> bytes:
        if self._failure is not None and self.sample_rate_hz is None:
            raise CodecError(f"The data is no {self._demuxer}.", code="undecodable") from self._failure
        data = bytes(self._pcm)
        self._pcm.clear()
        return data

    def _run(self) -> None:
        try:
            with av.open(self._feed, "r", format=self._demuxer, buffer_size=_READ_BYTES, options=_EAGER) as container:
                self._decode(container)
        except FFmpegError as error:
            self._failure = error
        finally:
            self._feed.reader_left()

    def _decode(self, container: Any) -> None:
        stream = container.streams.audio[0]
        if not stream.codec_context.sample_rate:
            return
        self.sample_rate_hz = stream.codec_context.sample_rate
        as_pcm = AudioResampler(format="s16", layout="mono", rate=self.sample_rate_hz)
        for frame in container.decode(stream):
            for piece in as_pcm.resample(frame):
                self._pcm += pcm_of(piece)


_ID3 = b"ID3"
_SYNC = {"mp3": (0xE6, 0xE2), "aac": (0xF6, 0xF0)}
"""Of a frame's second byte: sync and layer III, sync and layer 0."""
_WAV_HEAD_BYTES = 44
_READ_BYTES = 32
"""What a reader waits for before it looks at anything: the end of a fragment must not wait for the next."""
_EAGER = {"probesize": "2048", "analyzeduration": "0"}
