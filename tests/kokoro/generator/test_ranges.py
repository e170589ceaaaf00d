"""What int8 knows of its tensors: kept, and only ever used for the model it was measured on."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from firstword.errors import AssetCorrupt
from firstword.kokoro.generator.predictor import predictor_for
from firstword.kokoro.generator.ranges import FIRST_STAGE, Range, load_ranges, ranges_for, save_ranges


def made_up(seed: int) -> dict[str, Range]:
    random = np.random.default_rng(seed)
    return {
        norm.name: Range(
            low=-random.random(norm.channels, dtype=np.float32),
            high=random.random(norm.channels, dtype=np.float32),
            made_low=-2.5,
            made_high=4.0,
        )
        for norm in FIRST_STAGE
    }


def test_ranges_survive_their_file(tmp_path: Path) -> None:
    ranges = made_up(1)
    save_ranges(ranges, "ab" * 32, tmp_path / "ranges.npz")
    model, again = load_ranges(tmp_path / "ranges.npz")
    assert model == "ab" * 32
    assert set(again) == set(ranges)
    for name, each in ranges.items():
        assert np.array_equal(again[name].low, each.low)
        assert np.array_equal(again[name].high, each.high)
        assert (again[name].made_low, again[name].made_high) == (each.made_low, each.made_high)


def test_those_that_come_with_firstword_are_of_the_model_its_predictor_is_of() -> None:
    pinned = json.loads(files("firstword.kokoro.assets").joinpath("packages.json").read_text(encoding="utf-8"))
    model = pinned["files"]["model.onnx"]["sha256"]
    ranges = ranges_for(model)
    assert predictor_for(model) is not None
    assert ranges is not None
    assert len(ranges) == 18  # three blocks, six convolutions a block
    assert all(np.all(each.low < each.high) for each in ranges.values())
    assert all(each.made_low < 0 < each.made_high for each in ranges.values())


def test_for_another_model_there_are_none() -> None:
    assert ranges_for("0" * 64) is None


@pytest.mark.parametrize("damage", ["empty", "cut", "other"])
def test_a_damaged_file_is_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "ranges.npz"
    save_ranges(made_up(2), "ab" * 32, path)
    if damage == "other":
        np.savez(path, model_sha256=np.array("x"), low=np.zeros((18, 3)), high=np.ones((18, 3)), made=np.ones((18, 2)))
    else:
        path.write_bytes(b"" if damage == "empty" else path.read_bytes()[:200])
    with pytest.raises(AssetCorrupt):
        load_ranges(path)
