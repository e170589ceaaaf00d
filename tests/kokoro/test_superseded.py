"""Graphs of an earlier recipe go; nothing that anybody may be using does."""

import multiprocessing
import os
import time
from pathlib import Path

from firstword.kokoro.superseded import remove_superseded

_LONG_AGO = time.time() - 7200


def graphs(directory: Path, *, used: float = _LONG_AGO) -> Path:
    (directory / "cut").mkdir(parents=True)
    (directory / "cut" / "front.onnx").write_bytes(b"graph" * 100)
    os.utime(directory, (used, used))
    return directory


def test_graphs_of_the_same_model_by_an_earlier_recipe_are_removed(tmp_path: Path) -> None:
    home = graphs(tmp_path / "6e74-12")
    for earlier in ("6e74-3", "6e74-11"):
        graphs(tmp_path / earlier)
    for other in ("6e74-13", "aaaa-3", "6e74-x", "notes"):
        graphs(tmp_path / other)
    (tmp_path / "6e74-2").write_text("a file")
    remove_superseded(home)
    assert {path.name for path in tmp_path.iterdir()} == {"6e74-12", "6e74-13", "aaaa-3", "6e74-x", "notes", "6e74-2"}
    assert (home / "cut" / "front.onnx").is_file()


def test_what_was_used_a_moment_ago_stays_and_loading_counts_as_use(tmp_path: Path) -> None:
    older = graphs(tmp_path / "6e74-3", used=time.time())
    remove_superseded(graphs(tmp_path / "6e74-4"))
    assert (older / "cut" / "front.onnx").is_file()
    os.utime(older, (_LONG_AGO, _LONG_AGO))
    remove_superseded(older)  # as a process of the earlier version does when it has loaded them
    remove_superseded(tmp_path / "6e74-4")
    assert (older / "cut" / "front.onnx").is_file()


def test_what_a_killed_process_left_behind_is_removed(tmp_path: Path) -> None:
    home = graphs(tmp_path / "6e74-4")
    half_made = graphs(home / ".made-abc")
    going = graphs(tmp_path / ".going-6e74-3-999")
    being_made = graphs(home / ".made-new", used=time.time())
    remove_superseded(home)
    assert not half_made.exists()
    assert not going.exists()
    assert being_made.exists()


def test_two_processes_at_once_both_go_on(tmp_path: Path) -> None:
    homes = [graphs(tmp_path / "6e74-60")] * 2
    for number in range(40):
        graphs(tmp_path / f"6e74-{number}")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(remove_superseded, homes, chunksize=1)
    assert [path.name for path in tmp_path.iterdir()] == ["6e74-60"]


def test_a_cache_that_is_not_there_is_no_matter(tmp_path: Path) -> None:
    remove_superseded(tmp_path / "none" / "6e74-4")
    assert list(tmp_path.iterdir()) == []
