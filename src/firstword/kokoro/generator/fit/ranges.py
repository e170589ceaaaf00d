"""Measures what the convolutions of the residual blocks are given and what they make, window by window."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.fit.collect import Prepared
from firstword.kokoro.generator.layout import STAGES, Norm
from firstword.kokoro.generator.ranges import Range
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.window_graph import WindowGraph, write_window_graph
from firstword.kokoro.inference import Arrays, Inference
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["measure_ranges"]

type Floats = NDArray[np.float32]

_BLOCKS: Final = frozenset(block.name for stage in STAGES for block in stage.blocks)
_HELD_BY: Final = 98
"""Of a hundred windows. By the extremes of all, steps are too wide: 22 in place of 25 dB; by those of 80, clipping is
heard of: 18 dB at worst in place of 23."""
_KINDS: Final = ("given.low", "given.high", "made.low", "made.high")


def measure_ranges(weights: Weights, spoken: Iterable[Prepared], scratch: Path, *, threads: int) -> dict[str, Range]:
    """By the norm before the convolution, over all windows of what is `spoken`, from foretold statistics."""
    graph = scratch / "seen.onnx"
    names: list[str] = []
    write_window_graph(weights, graph, lambda of: _SeenWindowGraph(of, names))
    seen = _Seen(Inference(graph, threads=threads), names)
    for of in spoken:
        for _ in of.generator.by(seen).stretches(of.source, of.style, of.kept, CancelToken()):
            pass
    return seen.ranges()


class _SeenWindowGraph(WindowGraph):
    """Tells least and most of what goes into the convolutions of residual blocks, and of what comes out; the norms they
    follow are added to `names`."""

    def __init__(self, weights: Weights, names: list[str]) -> None:
        super().__init__(weights)
        self._names = names

    def after_snake(self, norm: Norm, x: str, *, padding: int, dilation: int) -> str:
        y = super().after_snake(norm, x, padding=padding, dilation=dilation)
        if norm.block in _BLOCKS:
            self._names.append(norm.name)
            for kind, tensor, axes, size in (("given", x, [0, 2, 3], norm.channels), ("made", y, [0, 1, 2, 3], 1)):
                for bound, reduce in (("low", "ReduceMin"), ("high", "ReduceMax")):
                    name = f"{kind}.{bound}.{norm.name}"
                    flat = self.op(reduce, tensor, axes=axes, keepdims=0)
                    self.told[self.op("Reshape", flat, self.integers([size]), out=name)] = [size]
        return y


class _Seen:
    """A `Runnable` that keeps the bounds of every window."""

    def __init__(self, graph: Inference, names: Sequence[str]) -> None:
        self._graph = graph
        self._names = names
        self._windows: list[list[Floats]] = []

    def run(self, outputs: Sequence[str], feeds: Arrays, cancel: CancelToken) -> list[Floats]:
        told = [f"{kind}.{name}" for name in self._names for kind in _KINDS]
        values = self._graph.run([*outputs, *told], feeds, cancel)
        self._windows.append(values[len(outputs) :])
        return values[: len(outputs)]

    def ranges(self) -> dict[str, Range]:
        bounds = (np.stack(of) for of in zip(*self._windows, strict=True))
        ranges = {}
        for name in self._names:
            low, high, made_low, made_high = (
                np.percentile(next(bounds), 100 - _HELD_BY if kind.endswith("low") else _HELD_BY, axis=0)
                for kind in _KINDS
            )
            ranges[name] = Range(
                low=low.astype(np.float32),
                high=high.astype(np.float32),
                made_low=float(made_low[0]),
                made_high=float(made_high[0]),
            )
        return ranges
