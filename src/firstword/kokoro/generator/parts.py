"""The files windowed decoding needs of a model: graphs of its generator, and what it works out itself.

Writing them needs the `onnx` package, which is imported only then.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.lanes import LANED
from firstword.kokoro.generator.layout import NORMS
from firstword.kokoro.generator.ranges import Range

__all__ = ["LANED_WINDOW", "PART_NAMES", "WINDOW", "write_parts", "write_window"]

PART_NAMES: Final = ("whole.onnx", "style.npy", "inner.npz")
WINDOW: Final = ("window.onnx",)
LANED_WINDOW: Final = tuple(f"{subgraph.name}.onnx" for subgraph in LANED)


def write_parts(model: Path, into: Path) -> None:
    """Write all of PART_NAMES below `into`. Raises AssetError for an unknown export.

    style.npy is [2, CHANNELS, 129]: scale and shift of every norm as a linear function of the decoder's half of the
    style (128) and of one.
    """
    from firstword.kokoro.generator.weights import Weights
    from firstword.kokoro.generator.whole_graph import write_whole_graph

    weights = Weights(model)
    write_whole_graph(weights, into / "whole.onnx")
    rows: list[list[NDArray[np.float32]]] = [[], []]
    for norm in NORMS:
        layer = weights.linear(f"{norm.name}.fc")
        both = np.concatenate([layer.weight, layer.bias[None]], axis=0).T
        for half, part in zip(rows, np.split(both, 2), strict=True):
            half.append(part)
    inner: dict[str, NDArray[np.float32]] = {}
    for norm in NORMS:
        layer = weights.convolution(f"{norm.block}.convs{norm.half}.{norm.turn}")
        inner[f"{norm.name}.alpha"] = weights.vector(f"{norm.block}.alpha{norm.half}.{norm.turn}")
        inner[f"{norm.name}.sum"] = layer.weight.sum(axis=2)
        inner[f"{norm.name}.bias"] = layer.bias
    with (into / "inner.npz").open("wb") as file:
        np.savez(file, allow_pickle=False, **inner)
    style = np.stack([np.concatenate(half) for half in rows]).astype(np.float32)
    style[0, :, -1] += 1.0  # a norm multiplies by one plus what the style says
    np.save(into / "style.npy", style)


def write_window(model: Path, ranges: Mapping[str, Range] | None, laned: bool, into: Path) -> None:
    """Write WINDOW or LANED_WINDOW below `into`; with the ranges of this model partly in int8."""
    from firstword.kokoro.generator.int8_graph import Int8WindowGraph
    from firstword.kokoro.generator.weights import Weights
    from firstword.kokoro.generator.window_graph import write_laned_window, write_window_graph

    form = None if ranges is None else partial(Int8WindowGraph, ranges=ranges)
    if laned:
        write_laned_window(Weights(model), into, form)
    else:
        write_window_graph(Weights(model), into / WINDOW[0], form)
