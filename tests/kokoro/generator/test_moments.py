"""Inner means: the closed form against samples, and the chain through a block."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.layout import CHANNELS, NORMS
from firstword.kokoro.generator.moments import InnerMeans


def written(path: Path, alpha: float) -> InnerMeans:
    """Layers whose convolutions sum to the identity and add one."""
    values: dict[str, NDArray[np.float32]] = {}
    for norm in NORMS:
        values[f"{norm.name}.alpha"] = np.full(norm.channels, alpha, np.float32)
        values[f"{norm.name}.sum"] = np.eye(norm.channels, dtype=np.float32)
        values[f"{norm.name}.bias"] = np.ones(norm.channels, np.float32)
    np.savez(path, allow_pickle=False, **values)
    return InnerMeans(path)


def test_the_closed_form_is_the_mean_of_many_samples(tmp_path: Path) -> None:
    alpha, deviation, mean = 0.7, 1.3, 0.4
    inner = written(tmp_path / "inner.npz", alpha)
    x = np.random.default_rng(3).normal(mean, deviation, 1_000_000)
    sampled = np.mean(x + np.sin(alpha * x) ** 2 / alpha)
    styled = np.stack([np.full(CHANNELS, deviation), np.full(CHANNELS, mean)]).astype(np.float32)
    second = next(norm for norm in NORMS if norm.half == 2)
    told = inner.means(styled)[second.offset]
    assert told == pytest.approx(sampled + 1.0, abs=0.01)


def test_a_block_adds_up_what_its_turns_make_and_starts_from_zero(tmp_path: Path) -> None:
    inner = written(tmp_path / "inner.npz", alpha=1.0)
    means = inner.means(np.zeros((2, CHANNELS), np.float32))  # nothing in, so each convolution gives its bias, one
    told = {(norm.half, norm.turn): float(means[norm.offset]) for norm in NORMS}
    assert told == {(1, 0): 0, (2, 0): 1, (1, 1): 1, (2, 1): 1, (1, 2): 2, (2, 2): 1}


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "inner.npz").write_bytes(b"half")
    with pytest.raises(AssetCorrupt, match=r"inner\.npz"):
        InnerMeans(tmp_path / "inner.npz")
