"""First sound against sentence length: each way of decoding that is there, and the peers, in one run, interleaved.

From text to the first audible 10 ms, phonemes included; every voice is called directly, a peer in a process of its own
(`peers`). Leading silence is trimmed alike; what a peer leaves of it is counted. Beside the times, how far streamed
speech is from whole, sentence by sentence; `fidelity` says it of many.
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firstword import audio
from firstword.bench import corpus
from firstword.bench.fidelity import both_ways
from firstword.bench.peers import PEERS, System, running
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, ratio, summarize
from firstword.bench.voice import open_voice
from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import FirstwordError
from firstword.kokoro.generator.fit.corpus import Utterance
from firstword.kokoro.generator.fit.judge import Fidelity
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, Synthesizer, VoiceOptions

__all__ = ["WAYS", "FirstSound", "Point", "run"]

_STREAMED: Final = "streamed"
WAYS: Final = {
    "full": {"decode": "full", "backend": "onnxruntime"},
    _STREAMED: {"decode": "streamed", "backend": "onnxruntime"},
    "streamed, OpenVINO": {"decode": "streamed", "backend": "openvino"},
    "as this machine is tuned": {},
}

type Sample = tuple[float, float, float]
"""Seconds to the first audible 10 ms, of the whole, and of audio."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """`way` is one of WAYS, or a peer's name."""

    way: str
    audio_s: float
    first_audible_ms: Summary
    real_time_factor: Summary


@dataclass(frozen=True, kw_only=True)
class FirstSound:
    """`over_streamed`: first audible of the full decode, and of each peer, over that of the streamed one, by the length
    of the sentence as streamed. `fidelity`: the same sentences, streamed against whole by the same graph, onnxruntime
    (of one that is said in several pieces the first). `absent` are ways and peers that are not to be had here.
    """

    points: tuple[Point, ...]
    over_streamed: dict[str, dict[str, float | None]]
    fidelity: tuple[Fidelity, ...]
    absent: tuple[str, ...]


async def run(trials: int, progress: Callable[[str], None]) -> FirstSound:
    """Measure each way over the sentences of `corpus.lengths`."""
    texts = corpus.lengths()
    samples: dict[tuple[str, int], list[Sample]] = {}
    async with contextlib.AsyncExitStack() as stack:
        voices, absent = _voices(progress)
        peers: dict[str, System] = {}
        for peer in PEERS:
            progress(f"starting {peer.name}")
            try:
                peers[peer.name] = await stack.enter_async_context(running(peer))
            except FirstwordError:
                absent.append(peer.name)
        variants = [(way, index) for way in (*voices, *peers) for index in range(len(texts))]
        for (way, index), counts in interleaved(variants, trials, warm_ups=1):
            progress(f"{way}: sentence {index + 1}")
            said = _speak(voices[way], texts[index]) if way in voices else await _say(peers[way], texts[index])
            if counts:
                samples.setdefault((way, index), []).append(said)
    points = {key: _point(key[0], of) for key, of in sorted(samples.items())}
    others = ("full", *peers)
    return FirstSound(
        points=tuple(points.values()),
        over_streamed={way: _over_streamed(points, way, len(texts)) for way in others},
        fidelity=_fidelity(texts, progress),
        absent=tuple(absent),
    )


def _voices(progress: Callable[[str], None]) -> tuple[dict[str, Synthesizer], list[str]]:
    voices, absent = {}, []
    for way, settings in WAYS.items():
        progress(f"loading {way}")
        try:
            voices[way] = open_voice(**settings)
        except FirstwordError:
            absent.append(way)
    return voices, absent


def _over_streamed(points: dict[tuple[str, int], Point], way: str, count: int) -> dict[str, float | None]:
    ratios = {}
    for index in range(count):
        ours, other = points[_STREAMED, index], points[way, index]
        value = ratio(other.first_audible_ms.median, ours.first_audible_ms.median)
        ratios[f"{ours.audio_s:.0f} s"] = None if value is None else round(value, 2)
    return ratios


def _point(way: str, of: Sequence[Sample]) -> Point:
    return Point(
        way=way,
        audio_s=round(of[0][2], 3),
        first_audible_ms=summarize([round(first * 1000, 1) for first, _, _ in of]),
        real_time_factor=summarize([round(total / audio_s, 3) for _, total, audio_s in of]),
    )


def _speak(voice: Synthesizer, text: str) -> Sample:
    started, first_s, pcm = time.perf_counter(), None, b""
    for piece in voice.plan(text, VoiceOptions()):
        decoding = voice.begin(piece, CancelToken())
        while (step := decoding.step()) is not None:
            pcm += step
            if first_s is None and (offset_s := audio.first_audible_s(pcm)) is not None:
                first_s = time.perf_counter() - started + offset_s
    total_s = time.perf_counter() - started
    return first_s or total_s, total_s, audio.duration_s(len(pcm))


async def _say(peer: System, text: str) -> Sample:
    told = await peer.say(text)
    return told["first_audible_ms"] / 1000, told["elapsed_s"], told["audio_s"]


def _fidelity(texts: Sequence[str], progress: Callable[[str], None]) -> tuple[Fidelity, ...]:
    progress("streamed against whole")
    voice = KokoroVoice(VoiceSettings.load(decode=_STREAMED, backend="onnxruntime"), AssetSettings.load())
    return tuple(both_ways(voice, Utterance(text=text, options=VoiceOptions())) for text in texts)
