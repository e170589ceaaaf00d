"""The generator for an utterance piece by piece: every layer hears what it was given of the piece before.

What a layer hears ahead is not there yet, so what comes out lags behind what goes in, by 7.6 steps in all. Nothing is
computed twice, and nothing differs from the whole but rounding. The norms' scale and shift are inputs.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from onnx import TensorProto

from firstword.kokoro.generator.graph import FFT, HOP, Builder
from firstword.kokoro.generator.lanes import LANED, entering, noise_of
from firstword.kokoro.generator.layout import CHANNELS, DILATIONS, STAGES, Block, Stage
from firstword.kokoro.generator.names import CROP, EARLY, HIDDEN, LATE, SAMPLES, SCALE, SHIFT
from firstword.kokoro.generator.past import PAST, block_reach, first_past, following, turn_reach
from firstword.kokoro.generator.weights import Weights

__all__ = ["WindowGraph", "write_laned_window", "write_window_graph"]

_END: Final = 2**31 - 1


def write_window_graph(weights: Weights, path: Path, form: "Callable[[Weights], WindowGraph] | None" = None) -> None:
    """Write it to `path`, in our form or another that hears and says the same, and may tell more.

    Inputs: hidden [1, 512, 1 + steps], the step before again; `EARLY` and `LATE`, the harmonics [1, 22, frames] that
    each stage hears meanwhile (`past` says which); scale and shift [1, CHANNELS, 1]; crop [3]: frames that are dropped
    after the first stage's noise, after the first stage and after the second's noise; every tensor of `PAST`.
    Outputs: samples, 300 for each step but those that were dropped, and what `following` makes of every tensor of
    `PAST`, for the next piece.
    """
    graph = (form or WindowGraph)(weights)
    graph.build()
    told: dict[str, list[Any]] = {SAMPLES: ["samples"], **_FOLLOWING, **graph.told}
    graph.save(path, {**_INPUTS, **_PAST}, told, **{CROP: TensorProto.INT64})


def write_laned_window(weights: Weights, into: Path, form: "Callable[[Weights], WindowGraph] | None" = None) -> None:
    """Write the same as the subgraphs of `LANED`, a file each."""
    graph = (form or WindowGraph)(weights)
    graph.build()
    between = {name: [1, stage.noise.channels, 1, None] for stage in STAGES for name in _between(stage)}
    shapes: Mapping[str, list[Any]] = {**_INPUTS, **_PAST, **_FOLLOWING, **between, SAMPLES: ["samples"]}
    for subgraph in LANED:
        inputs, outputs = ({name: shapes[name] for name in of} for of in (subgraph.hears, subgraph.says))
        types = {CROP: TensorProto.INT64} if CROP in inputs else {}
        graph.save(into / f"{subgraph.name}.onnx", inputs, outputs, **types)


def _between(stage: Stage) -> list[str]:
    """What one subgraph says and another hears of a stage."""
    return [noise_of(stage), entering(stage), *(block.name for block in stage.blocks)]


_INPUTS: Final[Mapping[str, list[Any]]] = {
    HIDDEN: [1, 512, "steps"],
    EARLY: [1, 22, "early"],
    LATE: [1, 22, "late"],
    SCALE: [1, CHANNELS, 1],
    SHIFT: [1, CHANNELS, 1],
    CROP: [3],
}
_PAST: Final[Mapping[str, list[Any]]] = {name: [1, channels, 1, frames] for name, (channels, frames) in PAST.items()}
_FOLLOWING: Final[Mapping[str, list[Any]]] = {following(name): shape for name, shape in _PAST.items()}


class WindowGraph(Builder):
    def __init__(self, weights: Weights) -> None:
        super().__init__(weights)
        self.told: dict[str, list[Any]] = {}
        """Further outputs and their shapes."""

    def build(self) -> None:
        for vector in (SCALE, SHIFT):
            self.norm_vector(vector)
        x = self._stage(0, STAGES[0], self.height_one(HIDDEN), EARLY)
        x = self._remembering("up", self._cropped(x, 1))
        x = self._stage(1, STAGES[1], x, LATE)
        self.waveform(self._remembering("post", x), padding=0, cut=FFT - HOP)

    def _stage(self, index: int, stage: Stage, x: str, harmonics: str) -> str:
        source = self.weights.convolution(f"noise_convs.{index}")
        noise = self.conv(self.height_one(harmonics), source.weight, source.bias, stride=stage.noise_stride, padding=0)
        for turn in range(len(DILATIONS)):
            noise = self._turn(stage.noise, turn, self._remembering(f"{stage.noise.name}.{turn}", noise))
        x = self.up(index, x, kernel=stage.kernel, stride=stage.stride, cut=stage.kernel - stage.stride)
        x = self.op("Add", x, self._cropped(noise, 2 * index, out=noise_of(stage)))
        x = self._remembering(f"stage.{index}", x, out=entering(stage))
        return self.third([self._block(stage, index, block, x) for block in stage.blocks])

    def _block(self, stage: Stage, index: int, block: Block, x: str) -> str:
        """The blocks hear differently far ahead; all wait for the one that hears farthest."""
        waits = max(block_reach(each) for each in stage.blocks) - block_reach(block)
        skipped = PAST[f"stage.{index}"][1] - first_past(stage, block)
        if skipped or waits:
            x = self.slice(x, skipped, -waits if waits else _END, 3)
        x = self._turn(block, 0, x)
        last = len(DILATIONS) - 1
        for turn in range(1, len(DILATIONS)):
            past = self._remembering(f"{block.name}.{turn}", x)
            x = self._turn(block, turn, past, out=block.name if turn == last else None)
        return x

    def _turn(self, block: Block, turn: int, x: str, out: str | None = None) -> str:
        """`x` has twice the turn's reach more frames than what comes out."""
        y = x
        for half, spread in ((1, DILATIONS[turn]), (2, 1)):
            norm = self.norms[f"{block.name}.adain{half}.{turn}"]
            scaled = self.op("Mul", y, f"{SCALE}.{norm.name}")
            y = self.snake(norm, self.op("Add", scaled, f"{SHIFT}.{norm.name}"))
            y = self.after_snake(norm, y, padding=0, dilation=spread)
        reach = turn_reach(block, turn)
        return self.op("Add", y, self.slice(x, reach, -reach, 3), out=out)

    def _remembering(self, name: str, x: str, out: str | None = None) -> str:
        """`x` after what there was of it before; its end goes out for the next piece."""
        both = self.op("Concat", name, x, axis=3, out=out)
        ends = self.integers([-PAST[name][1]]), self.integers([_END]), self.integers([3])
        self.op("Slice", both, *ends, out=following(name))
        return both

    def _cropped(self, x: str, place: int, out: str | None = None) -> str:
        start = self.slice(CROP, place, place + 1, 0)
        return self.op("Slice", x, start, self.integers([_END]), self.integers([3]), out=out)
