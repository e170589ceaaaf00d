"""First sound against sentence length: each way of decoding that is there, in one process, one run, interleaved.

From text to the first audible 10 ms, phonemes included, the voice called directly. Leading silence is trimmed alike.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firstword import audio
from firstword.bench import corpus
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, ratio, summarize
from firstword.bench.voice import open_voice
from firstword.errors import FirstwordError
from firstword.kokoro.synthesizer import CancelToken, Synthesizer, VoiceOptions

__all__ = ["WAYS", "FirstSound", "Point", "run"]

WAYS: Final = {
    "full": {"decode": "full", "backend": "onnxruntime"},
    "streamed": {"decode": "streamed", "backend": "onnxruntime"},
    "streamed, OpenVINO": {"decode": "streamed", "backend": "openvino"},
    "as this machine is tuned": {},
}


@dataclass(frozen=True, kw_only=True)
class Point:
    way: str
    audio_s: float
    first_audible_ms: Summary
    real_time_factor: Summary


@dataclass(frozen=True, kw_only=True)
class FirstSound:
    """`full_over_streamed`: first audible of the full decode over that of the streamed one, by sentence length.

    `absent` are ways that this installation does not have.
    """

    points: tuple[Point, ...]
    full_over_streamed: dict[str, float | None]
    absent: tuple[str, ...]


def run(trials: int, progress: Callable[[str], None], ways: Sequence[str] = tuple(WAYS)) -> FirstSound:
    """Measure each way over the sentences of `corpus.lengths`."""
    voices, absent = {}, []
    for way in ways:
        progress(f"loading {way}")
        try:
            voices[way] = open_voice(**WAYS[way])
        except FirstwordError:
            absent.append(way)
    texts = corpus.lengths()
    samples: dict[tuple[str, int], list[tuple[float, float, float]]] = {}
    for (way, index), counts in interleaved(
        [(way, i) for way in voices for i in range(len(texts))], trials, warm_ups=1
    ):
        progress(f"{way}: sentence {index + 1}")
        sample = _speak(voices[way], texts[index])
        if counts:
            samples.setdefault((way, index), []).append(sample)
    points = tuple(_point(way, of) for (way, _), of in sorted(samples.items()))
    medians = {(point.way, round(point.audio_s)): point.first_audible_ms.median for point in points}
    lengths = sorted({length for way, length in medians if way == "full"})
    ratios = {f"{length} s": ratio(medians["full", length], medians.get(("streamed", length))) for length in lengths}
    rounded = {name: None if value is None else round(value, 2) for name, value in ratios.items()}
    return FirstSound(points=points, full_over_streamed=rounded, absent=tuple(absent))


def _point(way: str, of: Sequence[tuple[float, float, float]]) -> Point:
    return Point(
        way=way,
        audio_s=round(of[0][2], 3),
        first_audible_ms=summarize([round(first * 1000, 1) for first, _, _ in of]),
        real_time_factor=summarize([round(total / audio_s, 3) for _, total, audio_s in of]),
    )


def _speak(voice: Synthesizer, text: str) -> tuple[float, float, float]:
    """Seconds to the first audible step's end, of the whole, and of audio."""
    started, first_s, pcm = time.perf_counter(), None, b""
    for piece in voice.plan(text, VoiceOptions()):
        decoding = voice.begin(piece, CancelToken())
        while (step := decoding.step()) is not None:
            pcm += step
            if first_s is None and (offset_s := audio.first_audible_s(pcm)) is not None:
                first_s = time.perf_counter() - started + offset_s
    total_s = time.perf_counter() - started
    return first_s or total_s, total_s, audio.duration_s(len(pcm))
