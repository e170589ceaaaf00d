"""What each format costs on the way: bytes, delay, processor time, and what is left of the words and the sound.

24 clips, each with an encoder of its own as one spoken turn has. Bytes on the wire of server-sent events are those of
the server's own writer, so that the envelope is in them; small packets pay far more than base64's third. Formats are
interleaved clip by clip, and every clip's figures are kept.
"""

import base64
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean
from typing import Final

from firstword import audio
from firstword.bench import corpus
from firstword.bench.delivery import Delivery
from firstword.bench.hearing import Opinion, opinion, transcribe, word_errors, words
from firstword.bench.statistics import Summary, summarize
from firstword.bench.voice import Spoken, open_voice, speak
from firstword.codecs.decoder import make_decoder
from firstword.codecs.encoder import make_encoder
from firstword.errors import CodecError
from firstword.server.bodies import chunk_event

__all__ = ["DELIVERED", "FORMATS", "ClipCost", "FormatCost", "Transport", "clip_cost", "measure_formats", "speak_clips"]

FORMATS: Final = ("pcm", "wav", "ulaw", "mp3", "aac", "mp4", "opus", "webm", "flac")
DELIVERED: Final = ("pcm", "mp3", "mp4", "opus")
"""Formats whose delivery as events is looked at: large and small events, and what OpenAI and browsers ask for."""
_PACKET_MS: Final = 20
_BATCH_MS: Final = 200
_STEP_MS: Final = 5
_BYTES_PER_MS: Final = 48
_REQUEST_ID: Final = "0123456789abcdef0123456789abcdef"  # as long as those the server makes
_WARM_UPS: Final = 3


@dataclass(frozen=True, kw_only=True)
class ClipCost:
    """One clip in one format. `sse_*` are bytes of whole events that carry 20 or 200 ms of speech each.

    `first_bytes_ms` is the audio given until what had come out could be decoded if it ended there, `first_heard_ms`
    until a streaming decoder gave sound without waiting for more; None if it never did.
    """

    raw_bytes: int
    base64_bytes: int
    sse_bytes_20_ms: int
    sse_bytes_200_ms: int
    first_bytes_ms: float | None
    first_heard_ms: float | None
    encode_ms_per_audio_s: float
    decoded_s: float
    heard: str
    word_errors: int
    dnsmos: float
    dnsmos_p808: float


@dataclass(frozen=True, kw_only=True)
class FormatCost:
    """All clips together. `*_over_pcm` compare with PCM, clip by clip."""

    format: str
    raw_bytes: int
    base64_bytes: int
    base64_over_raw: float
    sse_bytes_20_ms: int
    sse_bytes_200_ms: int
    sse_20_ms_over_raw: float
    sse_200_ms_over_raw: float
    kbit_per_s: float
    pcm_over_raw: float
    first_bytes_ms: Summary | None
    first_heard_ms: Summary | None
    encode_ms_per_audio_s: Summary
    decoded_s: float
    word_errors: int
    word_error_rate: float
    heard_differently: int
    dnsmos: float
    dnsmos_p808: float
    dnsmos_over_pcm: Summary
    clips: tuple[ClipCost, ...]


@dataclass(frozen=True, kw_only=True)
class Transport:
    clips: int
    words: int
    audio_s: float
    pcm_bytes: int
    formats: tuple[FormatCost, ...]
    delivery: tuple[Delivery, ...]


def speak_clips(progress: Callable[[str], None]) -> list[Spoken]:
    """The clips in the voice of this machine."""
    voice = open_voice()
    clips = []
    for text in corpus.clips():
        progress(f"speaking: {text}")
        clips.append(speak(voice, text))
    return clips


def measure_formats(
    clips: Sequence[Spoken],
    progress: Callable[[str], None],
    formats: Sequence[str] = FORMATS,
    delivery: Sequence[Delivery] = (),
) -> Transport:
    """Encode, decode and hear every clip in each format; `formats` begins with pcm, which the others stand beside."""
    for name in formats:
        for clip in clips[:_WARM_UPS]:
            _packets(name, clip.pcm, _PACKET_MS)
    costs: dict[str, list[ClipCost]] = {name: [] for name in formats}
    for clip in clips:
        progress(f"encoding and hearing: {clip.text}")
        for name in formats:
            costs[name].append(clip_cost(name, clip))
    size = sum(len(clip.pcm) for clip in clips)
    return Transport(
        clips=len(clips),
        words=sum(len(words(clip.text)) for clip in clips),
        audio_s=round(audio.duration_s(size), 3),
        pcm_bytes=size,
        formats=tuple(_together(name, of, clips, costs[formats[0]]) for name, of in costs.items()),
        delivery=tuple(delivery),
    )


def clip_cost(name: str, clip: Spoken) -> ClipCost:
    """One clip through one format's encoder and decoder, and into both ears."""
    started = time.process_time()
    packets = _packets(name, clip.pcm, _PACKET_MS)
    spent_ms = (time.process_time() - started) * 1000
    data = b"".join(packets)
    pcm, rate_hz = _decoded(name, data)
    heard, score = _heard(pcm, rate_hz)
    first_bytes_ms, first_heard_ms = _delays_ms(name, clip.pcm)
    return ClipCost(
        raw_bytes=len(data),
        base64_bytes=len(base64.b64encode(data)),
        sse_bytes_20_ms=_event_bytes(packets),
        sse_bytes_200_ms=_event_bytes(_packets(name, clip.pcm, _BATCH_MS)),
        first_bytes_ms=first_bytes_ms,
        first_heard_ms=first_heard_ms,
        encode_ms_per_audio_s=round(spent_ms / audio.duration_s(len(clip.pcm)), 3),
        decoded_s=round(audio.duration_s(len(pcm), rate_hz), 4),
        heard=heard,
        word_errors=word_errors(clip.text, heard),
        dnsmos=round(score.overall, 4),
        dnsmos_p808=round(score.p808, 4),
    )


@lru_cache(maxsize=32)
def _heard(pcm: bytes, rate_hz: int) -> tuple[str, Opinion]:
    """Lossless formats give the same samples: heard once."""
    return transcribe(pcm, rate_hz), opinion(pcm, rate_hz)


def _together(name: str, of: Sequence[ClipCost], clips: Sequence[Spoken], pcm: Sequence[ClipCost]) -> FormatCost:
    pcm_bytes = sum(len(clip.pcm) for clip in clips)
    raw, coded = sum(cost.raw_bytes for cost in of), sum(cost.base64_bytes for cost in of)
    small, large = sum(cost.sse_bytes_20_ms for cost in of), sum(cost.sse_bytes_200_ms for cost in of)
    errors = sum(cost.word_errors for cost in of)
    return FormatCost(
        format=name,
        raw_bytes=raw,
        base64_bytes=coded,
        base64_over_raw=round(coded / raw, 5),
        sse_bytes_20_ms=small,
        sse_bytes_200_ms=large,
        sse_20_ms_over_raw=round(small / raw, 3),
        sse_200_ms_over_raw=round(large / raw, 3),
        kbit_per_s=round(raw * 8 / audio.duration_s(pcm_bytes) / 1000, 1),
        pcm_over_raw=round(pcm_bytes / raw, 3),
        first_bytes_ms=_summary([cost.first_bytes_ms for cost in of]),
        first_heard_ms=_summary([cost.first_heard_ms for cost in of]),
        encode_ms_per_audio_s=summarize([cost.encode_ms_per_audio_s for cost in of]),
        decoded_s=round(sum(cost.decoded_s for cost in of), 3),
        word_errors=errors,
        word_error_rate=round(errors / sum(len(words(clip.text)) for clip in clips), 4),
        heard_differently=sum(words(a.heard) != words(b.heard) for a, b in zip(of, pcm, strict=True)),
        dnsmos=round(fmean(cost.dnsmos for cost in of), 3),
        dnsmos_p808=round(fmean(cost.dnsmos_p808 for cost in of), 3),
        dnsmos_over_pcm=summarize([round(a.dnsmos - b.dnsmos, 4) for a, b in zip(of, pcm, strict=True)]),
        clips=tuple(of),
    )


def _summary(samples: Sequence[float | None]) -> Summary | None:
    there = [sample for sample in samples if sample is not None]
    return summarize(there) if there else None


def _packets(name: str, pcm: bytes, piece_ms: int) -> list[bytes]:
    encoder, size = make_encoder(name), piece_ms * _BYTES_PER_MS
    packets = [encoder.encode(pcm[at : at + size]) for at in range(0, len(pcm), size)]
    return [packet for packet in [*packets, encoder.flush()] if packet]


def _decoded(name: str, data: bytes, *, whole: bool = True) -> tuple[bytes, int]:
    """What a decoder gives for these bytes; with `whole` False only what it gives while it waits for more."""
    decoder = make_decoder(name)
    try:
        pcm = decoder.decode(data)
        pcm += decoder.flush() if whole else b""
        return pcm, decoder.sample_rate_hz or audio.SAMPLE_RATE_HZ
    except CodecError:
        return b"", audio.SAMPLE_RATE_HZ
    finally:
        decoder.close()


def _delays_ms(name: str, pcm: bytes) -> tuple[float | None, float | None]:
    """Milliseconds of audio given, in steps of 5, until there is sound in what came out; until it can be heard."""
    encoder, size, out, there_ms = make_encoder(name), _STEP_MS * _BYTES_PER_MS, b"", None
    for at in range(0, len(pcm), size):
        data = encoder.encode(pcm[at : at + size])
        out += data
        given_ms = (at + size) / _BYTES_PER_MS
        if data and there_ms is None and _decoded(name, out)[0]:
            there_ms = given_ms
        if data and there_ms is not None and _decoded(name, out, whole=False)[0]:
            return there_ms, given_ms
    return there_ms, None


def _event_bytes(packets: Sequence[bytes]) -> int:
    """Bytes of `audio_chunk` events as the server writes them, one a packet."""
    return sum(len(chunk_event(_REQUEST_ID, seq, packet)) for seq, packet in enumerate(packets))
