"""A run ends when it is cancelled while it computes: it is not only the next one that does not begin."""

from pathlib import Path

from fakes.running import a_cancel_ends_what_runs, long_graph
from firstword.kokoro.inference import Inference


def test_a_cancel_ends_the_run_that_is_under_way_and_the_next_is_whole(tmp_path: Path) -> None:
    a_cancel_ends_what_runs(Inference(long_graph(tmp_path), threads=1))
