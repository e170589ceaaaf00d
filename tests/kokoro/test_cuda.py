"""A GPU that is asked for is used or its absence told: never the CPU in its place, unseen."""

import warnings
from importlib.util import find_spec
from pathlib import Path

import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from firstword.errors import ConfigError
from firstword.kokoro.backends import has_bfloat16, open_backend
from firstword.kokoro.inference import Inference, heavy_elsewhere


def test_a_provider_that_does_not_start_is_an_error_and_not_the_cpu(tmp_path: Path) -> None:
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [value], [out])
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # onnxruntime's own word that it knows no such provider
        with pytest.raises(ConfigError, match="does not start"):
            Inference(path, threads=1, provider="CUDAExecutionProvider")


def test_heavy_operators_that_another_provider_was_given_are_found() -> None:
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 2])
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 2])
    nodes = [helper.make_node("MatMul", ["x", "x"], ["z"]), helper.make_node("Relu", ["z"], ["y"])]
    model = helper.make_model(
        helper.make_graph(nodes, "g", [value], [out]), opset_imports=[helper.make_opsetid("", 17)], ir_version=9
    )
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    assert heavy_elsewhere(session, "CUDAExecutionProvider") == {"MatMul"}
    assert heavy_elsewhere(session, "CPUExecutionProvider") == set()


def test_cuda_refuses_int8_weights() -> None:
    with pytest.raises(ConfigError, match="int8"):
        open_backend("cuda", 1, precision="int8")


def test_without_a_device_auto_is_the_cpu() -> None:
    openvino = find_spec("openvino") is not None and has_bfloat16()
    assert open_backend("auto", 1, precision="int8").name == ("openvino" if openvino else "onnxruntime")
