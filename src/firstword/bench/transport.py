"""What each format costs on the way: bytes, delay, processor time, and what is left of the words and the sound.

24 clips, each with an encoder of its own as one spoken turn has. Bytes on the wire of server-sent events are counted
with the server's own writer, so that the envelope is in them; small packets pay far more than base64's third.
"""

import base64
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from firstword import audio
from firstword.bench import corpus
from firstword.bench.hearing import opinion, transcribe, word_error_rate
from firstword.bench.statistics import median
from firstword.bench.voice import Spoken, open_voice, speak
from firstword.codecs.decoder import make_decoder
from firstword.codecs.encoder import make_encoder

__all__ = ["FormatCost", "Transport", "run"]

FORMATS = ("pcm", "wav", "ulaw", "mp3", "aac", "mp4", "opus", "webm", "flac")
_PACKET_MS = 20
_BATCH_MS = 200


@dataclass(frozen=True, kw_only=True)
class FormatCost:
    """Of all clips together unless it says otherwise. `sse_*` are bytes of complete events, envelope included."""

    format: str
    raw_bytes: int
    base64_bytes: int
    base64_over_raw: float
    sse_bytes_20_ms: int
    sse_bytes_200_ms: int
    kbit_per_s: float
    pcm_over_raw: float
    audio_before_first_bytes_ms: float | None
    encode_ms_per_audio_s: float
    decoded_s: float
    word_error_rate: float
    dnsmos: float
    dnsmos_p808: float


@dataclass(frozen=True, kw_only=True)
class Transport:
    clips: int
    audio_s: float
    pcm_bytes: int
    formats: tuple[FormatCost, ...]


def run(progress: Callable[[str], None], formats: Sequence[str] = FORMATS) -> Transport:
    """Speak the clips once, then encode, decode and hear them in each format."""
    voice = open_voice()
    clips = []
    for text in corpus.clips():
        progress(f"speaking: {text}")
        clips.append(speak(voice, text))
    costs = []
    for name in formats:
        progress(f"measuring {name}")
        costs.append(_cost(name, clips))
    size = sum(len(clip.pcm) for clip in clips)
    return Transport(clips=len(clips), audio_s=round(audio.duration_s(size), 3), pcm_bytes=size, formats=tuple(costs))


def _cost(name: str, clips: Sequence[Spoken]) -> FormatCost:
    pcm_bytes = sum(len(clip.pcm) for clip in clips)
    audio_s = audio.duration_s(pcm_bytes)
    started = time.process_time()
    encoded = [_packets(name, clip.pcm, _PACKET_MS) for clip in clips]
    spent_s = time.process_time() - started
    raw = sum(len(packet) for packets in encoded for packet in packets)
    coded = sum(len(base64.b64encode(b"".join(packets))) for packets in encoded)
    batched = [_packets(name, clip.pcm, _BATCH_MS) for clip in clips]
    heard = [_decoded(name, b"".join(packets)) for packets in encoded]
    errors = [word_error_rate(clip.text, transcribe(pcm, rate)) for clip, (pcm, rate) in zip(clips, heard, strict=True)]
    scores = [opinion(pcm, rate) for pcm, rate in heard]
    return FormatCost(
        format=name,
        raw_bytes=raw,
        base64_bytes=coded,
        base64_over_raw=round(coded / raw, 4),
        sse_bytes_20_ms=_event_bytes(encoded),
        sse_bytes_200_ms=_event_bytes(batched),
        kbit_per_s=round(raw * 8 / audio_s / 1000, 1),
        pcm_over_raw=round(pcm_bytes / raw, 2),
        audio_before_first_bytes_ms=median([_delay_ms(name, clip.pcm) for clip in clips]),
        encode_ms_per_audio_s=round(spent_s * 1000 / audio_s, 2),
        decoded_s=round(sum(audio.duration_s(len(pcm), rate) for pcm, rate in heard), 3),
        word_error_rate=round(fmean(errors), 4),
        dnsmos=round(fmean(score.overall for score in scores), 3),
        dnsmos_p808=round(fmean(score.p808 for score in scores), 3),
    )


def _packets(name: str, pcm: bytes, piece_ms: int) -> list[bytes]:
    encoder, size = make_encoder(name), piece_ms * 48
    packets = [encoder.encode(pcm[at : at + size]) for at in range(0, len(pcm), size)]
    return [packet for packet in [*packets, encoder.flush()] if packet]


def _decoded(name: str, data: bytes) -> tuple[bytes, int]:
    decoder = make_decoder(name)
    pcm = decoder.decode(data) + decoder.flush()
    return pcm, decoder.sample_rate_hz or audio.SAMPLE_RATE_HZ


def _delay_ms(name: str, pcm: bytes) -> float | None:
    """Milliseconds of audio given, in steps of 5 ms, until what has come out can be heard; None if it never can."""
    encoder, size, out = make_encoder(name), 5 * 48, b""
    for at in range(0, len(pcm), size):
        data = encoder.encode(pcm[at : at + size])
        out += data
        if data and _decoded(name, out)[0]:
            return (at + size) / 48
    return None


def _event_bytes(encoded: Sequence[Sequence[bytes]]) -> int:
    """Bytes of `audio_chunk` events as the server writes them, one a packet."""
    head = b'data: {"type":"audio_chunk","request_id":"0123456789ab","seq":,"data":""}\n\n'
    total = 0
    for packets in encoded:
        for seq, packet in enumerate(packets):
            total += len(head) + len(str(seq)) + len(base64.b64encode(packet))
    return total
