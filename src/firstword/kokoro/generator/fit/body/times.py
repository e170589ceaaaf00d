"""How long the body takes whole, and how long for the first window alone, by sentence length."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from firstword.kokoro.generator.fit.body.spoken import Body, Spoken
from firstword.kokoro.generator.windows import windows
from firstword.kokoro.source import STEP_S
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions

__all__ = ["TIMED", "BodyTimes", "body_times"]

TIMED: Final = (
    "The boats came home at first light this morning.",
    "She opened the window slowly, and the cold morning air filled the whole room.",
    "He walked along the river until the lights of the town were far behind him, and then he sat down on a flat stone "
    "and listened to the water for a long time.",
    "When the last guests had gone home she turned off the lamps one by one, carried the glasses into the kitchen, and "
    "stood at the window for a while, watching the snow fall on the street.",
)
_CONTEXT_FRAMES: Final = 8
"""Less than the reach: what is wrong for want of the rest is below what the export's int8 rounds."""


@dataclass(frozen=True, kw_only=True)
class BodyTimes:
    """Medians in ms, of a sentence with so many seconds of speech; `whole` and `window` by library."""

    seconds: float
    front: float
    as_shipped: float
    whole: Mapping[str, float]
    window: Mapping[str, float]


def body_times(voice: KokoroVoice, spoken: Spoken, text: str, bodies: Mapping[str, Body], turns: int) -> BodyTimes:
    """All in turn, so that what else the machine does meets all alike. `bodies` by the name of their library."""
    piece = voice.plan(text, VoiceOptions())[0]
    model, style = voice.parts(piece)
    prosody = spoken.prosody
    first = next(iter(windows(*spoken.kept)))
    steps = first.fed_first - 1, first.fed_last
    runs: dict[str, Callable[[], object]] = {
        "front": lambda: model.front(piece.tokens, style, 1.0, CancelToken()),
        "as_shipped": lambda: model.body(prosody, style, CancelToken()),
    }
    for name, body in bodies.items():
        affine = body.affine(style, body.measure(prosody, style)[1])
        runs[f"{name} whole"] = partial(body.measure, prosody, style)
        runs[f"{name} window"] = partial(body.window, prosody, affine, steps, _CONTEXT_FRAMES)
    taken = _medians(runs, turns)
    return BodyTimes(
        seconds=(spoken.kept[1] - spoken.kept[0]) * STEP_S,
        front=taken["front"],
        as_shipped=taken["as_shipped"],
        whole={name: taken[f"{name} whole"] for name in bodies},
        window={name: taken[f"{name} window"] for name in bodies},
    )


def _medians(runs: Mapping[str, Callable[[], object]], turns: int) -> dict[str, float]:
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(-1, turns):  # the first is not counted
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            if turn >= 0:
                taken[name].append(1000 * (time.perf_counter() - started))
    return {name: float(np.median(values)) for name, values in taken.items()}
