"""Convolutions as products: the same integers, whatever there is to convolve, and the same voice to the last bit."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from firstword.kokoro.backends import has_vnni
from firstword.kokoro.graphs import BODY_OUTPUTS, FRONT_OUTPUTS, PARTS, cut, write_products
from firstword.kokoro.inference import Inference
from firstword.kokoro.int8_products import as_products
from firstword.kokoro.synthesizer import CancelToken

CHANNELS, ROWS = 64, 70


def _convolution(taps: int, zero: int, rng: np.random.Generator, **attributes: Any) -> Any:
    weights = rng.integers(0, 256, (ROWS, CHANNELS, taps)).astype(np.uint8)
    given = helper.make_tensor_value_info("x", TensorProto.UINT8, [1, CHANNELS, "steps"])
    given_zero = helper.make_tensor_value_info("x_zero", TensorProto.UINT8, [])
    said = helper.make_tensor_value_info("y", TensorProto.INT32, [1, ROWS, "said"])
    plain: dict[str, Any] = {"kernel_shape": [taps], "pads": [taps // 2, taps // 2], "strides": [1]} | attributes
    node = helper.make_node("ConvInteger", ["x", "w", "x_zero", "w_zero"], ["y"], **plain)
    constants = [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(np.array(zero, np.uint8), "w_zero")]
    graph = helper.make_graph([node], "convolution", [given, given_zero], [said], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def _run(model: Any, path: Path, feeds: dict[str, NDArray[Any]]) -> NDArray[Any]:
    onnx.save(model, str(path))
    return Inference(path, threads=1).run(("y",), feeds, CancelToken())[0]


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([(1, 1), (3, 1), (5, 1), (3, 2), (7, 3), (11, 5)]),
    st.integers(0, 255),
    st.integers(0, 255),
    st.integers(1, 80),
    st.integers(0, 2**31),
)
def test_the_product_is_the_convolution_whatever_its_weights_and_zero_points(
    tmp_path_factory: pytest.TempPathFactory, kernel: tuple[int, int], zero: int, x_zero: int, steps: int, seed: int
) -> None:
    rng, (taps, apart) = np.random.default_rng(seed), kernel
    reach = taps // 2 * apart
    model = _convolution(taps, zero, rng, dilations=[apart], pads=[reach, reach])
    feeds = {"x": rng.integers(0, 256, (1, CHANNELS, steps)).astype(np.uint8), "x_zero": np.array(x_zero, np.uint8)}
    directory = tmp_path_factory.mktemp("graphs")
    convolved = _run(model, directory / "convolution.onnx", feeds)
    assert as_products(model) == 1
    assert [node.op_type for node in model.graph.node].count("MatMulInteger") == 1
    said = ReferenceEvaluator(model).run(None, feeds)
    assert isinstance(said, list)
    assert np.array_equal(said[0], convolved)
    if has_vnni():
        assert np.array_equal(_run(model, directory / "product.onnx", feeds), convolved)


@pytest.mark.parametrize("attributes", [{"strides": [2]}, {"dilations": [2]}, {"pads": [0, 0]}, {"pads": [2, 0]}])
def test_a_convolution_of_another_kind_stays(attributes: dict[str, list[int]]) -> None:
    model = _convolution(3, 7, np.random.default_rng(1), **attributes)
    before = model.SerializeToString()
    assert as_products(model) == 0
    assert model.SerializeToString() == before


@pytest.mark.model
@pytest.mark.skipif(not has_vnni(), reason="products of signed weights may saturate on this processor")
def test_every_part_is_the_same_to_the_last_bit(real_assets: Path, tmp_path: Path) -> None:
    directory, products = tmp_path / "cut", tmp_path / "products"
    directory.mkdir()
    products.mkdir()
    cut(real_assets / "model.onnx", directory)
    write_products({name: directory / f"{name}.onnx" for name in PARTS}, products)
    style = np.random.default_rng(3).normal(0.0, 0.2, (1, 256)).astype(np.float32)
    feeds: dict[str, NDArray[Any]] = {
        "tokens": np.array([[0, *range(43, 120), 16, *range(50, 90), 0]], dtype=np.int64),
        "style": style,
        "speed": np.array([1.0], dtype=np.float32),
    }
    prosody = _same("front", FRONT_OUTPUTS, feeds, directory, products)
    feeds = {**dict(zip(FRONT_OUTPUTS[1:], prosody[1:], strict=True)), "style": style}
    source = _same("body", BODY_OUTPUTS, feeds, directory, products)
    feeds = {**dict(zip(BODY_OUTPUTS, source, strict=True)), "style": style}
    _same("generator", ("audio",), feeds, directory, products)


def _same(name: str, outputs: tuple[str, ...], feeds: dict[str, NDArray[Any]], *homes: Path) -> list[NDArray[Any]]:
    one, other = (Inference(home / f"{name}.onnx", threads=2).run(outputs, feeds, CancelToken()) for home in homes)
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))
    return list(one)
