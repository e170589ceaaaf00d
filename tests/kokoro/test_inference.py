"""A run ends when it is cancelled while it computes: it is not only the next one that does not begin. Memory is used
again by later runs, and not planned for each length there was.
"""

from pathlib import Path
from typing import cast

import numpy as np
from onnx import TensorProto, helper, save

from fakes.running import a_cancel_ends_what_runs, long_graph
from firstword.kokoro.backends import open_backend
from firstword.kokoro.inference import Inference
from firstword.kokoro.synthesizer import CancelToken


def test_a_cancel_ends_the_run_that_is_under_way_and_the_next_is_whole(tmp_path: Path) -> None:
    a_cancel_ends_what_runs(Inference(long_graph(tmp_path), threads=1))


def test_a_run_does_not_change_what_an_earlier_one_gave_of_any_length(tmp_path: Path) -> None:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in "xy")
    nodes = [helper.make_node("Sin", ["x"], ["sine"]), helper.make_node("Mul", ["sine", "x"], ["y"])]
    graph = helper.make_graph(nodes, "wave", [x], [y])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(tmp_path / "w.onnx"))
    wave = Inference(tmp_path / "w.onnx", threads=1)
    given = [np.linspace(0, length, length, dtype=np.float32) for length in (5_000, 70, 5_000, 9_000, 70)]
    said = [wave.run(("y",), {"x": each}, CancelToken())[0] for each in given]
    assert all(np.allclose(got, np.sin(each) * each, atol=1e-2) for got, each in zip(said, given, strict=True))


def test_a_plan_of_memory_is_kept_for_each_size_of_window_and_not_for_each_length_of_text(tmp_path: Path) -> None:
    backend, graph = open_backend("onnxruntime", 2), long_graph(tmp_path)
    assert backend.lane
    for load, kept in ((backend.parts, False), (backend.generator, True), (backend.lane, True)):
        session = cast("Inference", load(graph))._session
        assert session.get_session_options().enable_mem_pattern is kept
