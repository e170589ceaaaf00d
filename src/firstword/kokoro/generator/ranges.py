"""What the convolutions of the first stage are given and what they make, over many utterances: what int8 needs to know.

Measured once (`scripts/fit-predictor ranges`) and kept beside the predictor, so that the same graph is made everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.layout import NORMS, STAGES

__all__ = ["FIRST_STAGE", "Range", "load_ranges", "ranges_for", "save_ranges"]

type Floats = NDArray[np.float32]

_RESOURCE: Final = "ranges.npz"
FIRST_STAGE: Final = tuple(norm for norm in NORMS if norm.block in {block.name for block in STAGES[0].blocks})
"""The norms before those convolutions: 18."""


@dataclass(frozen=True, kw_only=True)
class Range:
    """Of the convolution after one norm: least and most of every channel it is given, [channels], as our graph has it
    (the snake times its alpha), and least and most of what it makes. Nearly every window keeps within them."""

    low: Floats
    high: Floats
    made_low: float
    made_high: float


def save_ranges(ranges: Mapping[str, Range], model_sha256: str, path: Path) -> None:
    """`ranges` by the name of the norm; those of FIRST_STAGE are written."""
    of = [ranges[norm.name] for norm in FIRST_STAGE]
    np.savez_compressed(
        path,
        model_sha256=np.array(model_sha256),
        low=np.stack([each.low for each in of]),
        high=np.stack([each.high for each in of]),
        made=np.array([[each.made_low, each.made_high] for each in of], dtype=np.float32),
    )


def load_ranges(path: Path) -> tuple[str, dict[str, Range]]:
    """The model they were measured on, and the ranges by norm. Raises AssetCorrupt if this is no such file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            model, low, high, made = (stored[name] for name in ("model_sha256", "low", "high", "made"))
            rows = zip(FIRST_STAGE, low, high, made, strict=True)
            ranges = {
                norm.name: Range(low=least, high=most, made_low=float(made_low), made_high=float(made_high))
                for norm, least, most, (made_low, made_high) in rows
            }
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError) as error:
        raise AssetCorrupt(f"{path.name} holds no ranges.", hint="Reinstall firstword.") from error
    if any(ranges[norm.name].low.shape != (norm.channels,) for norm in FIRST_STAGE):
        raise AssetCorrupt(f"{path.name} holds ranges of another generator.", hint="Reinstall firstword.")
    return str(model), ranges


def ranges_for(model_sha256: str) -> dict[str, Range] | None:
    """Those that come with firstword, if they were measured on this model. Raises AssetCorrupt if damaged."""
    with as_file(files("firstword.kokoro.generator").joinpath(_RESOURCE)) as path:
        model, ranges = load_ranges(path)
    return ranges if model == model_sha256 else None
