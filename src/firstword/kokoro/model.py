"""Kokoro in three steps: front, body, generator. Arrays in and out; knows nothing of text or PCM.

Time is counted in steps of 12.5 ms (300 samples), two to a frame of the model.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.graphs import BODY_OUTPUTS, FRONT_OUTPUTS, open_parts
from firstword.kokoro.inference import Inference
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["SAMPLES_PER_STEP", "STEP_S", "Model", "Prosody", "Source"]

SAMPLES_PER_STEP: Final = 300
STEP_S: Final = 0.0125

type Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Prosody:
    """What the front says. `ends` is the step at which each token ends, zeros at both ends of the text included."""

    ends: NDArray[np.int64]
    features: Floats
    pitch: Floats
    loudness: Floats

    @property
    def steps(self) -> int:
        return int(self.ends[-1])


@dataclass(frozen=True, kw_only=True)
class Source:
    """What the generator speaks from: `hidden` [1, 512, steps], `harmonics` [1, 22, 60 x steps + 1]."""

    hidden: Floats
    harmonics: Floats


class Model:
    """The three parts, loaded from one model file."""

    def __init__(self, path: Path, cache: Path, *, threads: int) -> None:
        with open_parts(path, cache) as parts:
            self._front = Inference(parts["front"], threads=threads)
            self._body = Inference(parts["body"], threads=threads)
            self._generator = Inference(parts["generator"], threads=threads)

    def front(self, tokens: tuple[int, ...], style: Floats, speed: float, cancel: CancelToken) -> Prosody:
        feeds: dict[str, NDArray[Any]] = {
            "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
            "style": style,
            "speed": np.array([speed], dtype=np.float32),
        }
        durations, features, pitch, loudness = self._front.run(FRONT_OUTPUTS, feeds, cancel)
        ends = 2 * np.cumsum(durations.reshape(-1).astype(np.int64))
        return Prosody(ends=ends, features=features, pitch=pitch, loudness=loudness)

    def body(self, prosody: Prosody, style: Floats, cancel: CancelToken) -> Source:
        values = (prosody.features, prosody.pitch, prosody.loudness)
        feeds = {**dict(zip(FRONT_OUTPUTS[1:], values, strict=True)), "style": style}
        hidden, harmonics = self._body.run(BODY_OUTPUTS, feeds, cancel)
        return Source(hidden=hidden, harmonics=harmonics)

    def generate(self, source: Source, style: Floats, cancel: CancelToken) -> Floats:
        """All samples at once, 300 a step, -1..1 and now and then beyond."""
        feeds = {**dict(zip(BODY_OUTPUTS, (source.hidden, source.harmonics), strict=True)), "style": style}
        (samples,) = self._generator.run(("audio",), feeds, cancel)
        return samples.reshape(-1)
