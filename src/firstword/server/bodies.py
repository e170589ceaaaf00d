"""The two forms in which speech leaves over HTTP: bytes of one audio format, or server-sent events around them.

Both take the items of an utterance and give whole chunks to send. Encoding leaves the event loop unless the format
is PCM as it is. The encoders themselves stand in `codecs`; nothing here knows of sockets.
"""

import asyncio
import base64
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import msgspec

from firstword.audio import SAMPLE_RATE_HZ, duration_s
from firstword.codecs.encoder import Encoder, make_encoder
from firstword.codecs.formats import audio_format
from firstword.errors import SpeechError
from firstword.protocol.sse import KEEP_ALIVE, encode_event
from firstword.server.invocation import Invocation
from firstword.speech.items import Audio, Done, Failed, Item, SentenceBegun, Waiting, WordTimings

__all__ = ["Encoding", "binary_body", "chunk_event", "error_event", "sse_body"]


async def binary_body(items: AsyncIterator[Item], asked: Invocation) -> AsyncGenerator[bytes]:
    """The audio alone. Raises the SpeechError with which the utterance failed."""
    encoder = Encoding(asked)
    async for item in items:
        match item:
            case Audio():
                if data := await encoder.encode(item.pcm):
                    yield data
            case Done():
                if data := await encoder.flush():
                    yield data
            case Failed():
                raise item.error
            case SentenceBegun() | WordTimings() | Waiting():
                pass


async def sse_body(
    items: AsyncIterator[Item], asked: Invocation, *, request_id: str, voice: str
) -> AsyncGenerator[bytes]:
    """Whole events, the first before any inference. Ends with `audio_stream_end` or `error`."""
    encoder = Encoding(asked)
    rate_hz = audio_format(asked.format).rate_hz(asked.sample_rate)
    form = "pcm_s16le" if asked.format == "pcm" else asked.format
    yield _event("audio_stream_start", request_id, format=form, voice=voice, sample_rate=rate_hz)
    chunks, pcm_bytes = 0, 0
    async for item in items:
        match item:
            case Audio():
                pcm_bytes += len(item.pcm)
                if data := await encoder.encode(item.pcm):
                    yield chunk_event(request_id, chunks, data)
                    chunks += 1
            case SentenceBegun():
                yield _event(
                    "sentence",
                    request_id,
                    index=item.index,
                    text=item.text,
                    audio_offset_s=item.audio_offset_s,
                    char_start=item.char_start,
                    char_end=item.char_end,
                )
            case WordTimings() if asked.timings:
                yield _event("timings", request_id, index=item.index, words=item.words)
            case WordTimings():
                pass
            case Waiting():
                yield KEEP_ALIVE
            case Failed():
                yield error_event(item.error, request_id)
            case Done():
                if data := await encoder.flush():
                    yield chunk_event(request_id, chunks, data)
                    chunks += 1
                length_s = round(duration_s(pcm_bytes, SAMPLE_RATE_HZ), 6)
                yield _event("audio_stream_end", request_id, total_chunks=chunks, duration_s=length_s)


def error_event(error: SpeechError, request_id: str) -> bytes:
    return _event(
        "error", request_id, code=error.code, message=error.one_line(), terminal=True, retryable=error.retryable
    )


def _event(kind: str, request_id: str, **fields: Any) -> bytes:
    return encode_event(msgspec.json.encode({"type": kind, "request_id": request_id, **fields}).decode(), event=kind)


def chunk_event(request_id: str, seq: int, data: bytes) -> bytes:
    """One piece of encoded audio as it stands on the wire."""
    return _event("audio_chunk", request_id, seq=seq, data=base64.b64encode(data).decode())


class Encoding:
    """An encoder for one answer that stays off the event loop unless it has nothing to do."""

    def __init__(self, asked: Invocation) -> None:
        self._encoder = make_encoder(asked.format, asked.sample_rate)
        self._plain = asked.format in ("wav", "pcm") and asked.sample_rate in (None, SAMPLE_RATE_HZ)

    async def encode(self, pcm: bytes) -> bytes:
        return self._encoder.encode(pcm) if self._plain else await _encode_aside(self._encoder, pcm)

    async def flush(self) -> bytes:
        return self._encoder.flush() if self._plain else await _encode_aside(self._encoder, None)


async def _encode_aside(encoder: Encoder, pcm: bytes | None) -> bytes:
    """The one way by which encoding leaves the event loop."""
    return await (asyncio.to_thread(encoder.flush) if pcm is None else asyncio.to_thread(encoder.encode, pcm))
