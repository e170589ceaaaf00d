"""OpenVINO as a back end, where it is installed: what is put in place of sines, and runs beside each other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

from fakes.running import a_cancel_ends_what_runs, long_graph
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import Cancelled, CancelToken, VoiceOptions

pytest.importorskip("openvino", reason="an extra")
from firstword.kokoro.openvino_inference import OpenVinoInference

_TEXTS = ("The tide was out.", "Four boats lay on the sand, and nobody was about.", "Hi.", "So they waited until noon.")

_STEP = 2**-8
"""What bfloat16 rounds by, where the processor has it."""


@pytest.fixture
def snake(tmp_path: Path) -> OpenVinoInference:
    """x + sin(x)^2 and the sine itself of another input."""
    nodes = [
        helper.make_node("Sin", ["x"], ["wave"]),
        helper.make_node("Mul", ["wave", "wave"], ["square"]),
        helper.make_node("Add", ["x", "square"], ["snake"]),
        helper.make_node("Sin", ["y"], ["sine"]),
    ]
    values = {
        name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "n"]) for name in ("x", "y", "snake", "sine")
    }
    graph = helper.make_graph(nodes, "snake", [values["x"], values["y"]], [values["snake"], values["sine"]])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.save(model, str(tmp_path / "snake.onnx"))
    return OpenVinoInference(tmp_path / "snake.onnx", threads=1)


def _angles(count: int) -> NDArray[np.float32]:
    return np.linspace(-3.0, 3.0, count, dtype=np.float32).reshape(1, -1)


def test_what_stands_for_the_square_of_a_sine_is_it_as_far_as_the_processor_counts(snake: OpenVinoInference) -> None:
    x = _angles(4_001)
    got, sine = snake.run(("snake", "sine"), {"x": x, "y": x}, CancelToken())
    assert np.max(np.abs(got - (x + np.sin(x) ** 2))) < 8 * _STEP
    assert np.max(np.abs(sine - np.sin(x))) < 2 * _STEP


def test_a_run_does_not_change_what_an_earlier_one_gave(snake: OpenVinoInference) -> None:
    (before,) = snake.run(("snake",), {"x": _angles(50), "y": _angles(50)}, CancelToken())
    kept = before.copy()
    snake.run(("snake",), {"x": -_angles(50), "y": _angles(50)}, CancelToken())
    assert np.array_equal(before, kept)


def test_runs_beside_each_other_give_what_each_gives_alone(snake: OpenVinoInference) -> None:
    sizes = range(100, 1_700, 100)
    alone = [_speak(snake, size) for size in sizes]
    beside: dict[int, NDArray[np.float32]] = {}

    def of(size: int) -> Callable[[], None]:
        return lambda: beside.update({size: _speak(snake, size)})

    threads = [Thread(target=of(size)) for size in sizes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert all(np.array_equal(beside[size], wanted) for size, wanted in zip(sizes, alone, strict=True))


def test_after_a_cancelled_run_others_go_on(snake: OpenVinoInference) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        snake.run(("snake",), {"x": _angles(9), "y": _angles(9)}, cancel)
    assert len(_speak(snake, 9)[0]) == 9


def _speak(graph: OpenVinoInference, size: int) -> NDArray[np.float32]:
    (got,) = graph.run(("snake",), {"x": _angles(size), "y": _angles(size)}, CancelToken())
    return got


def test_a_cancel_ends_the_run_that_is_under_way_and_the_next_is_whole(tmp_path: Path) -> None:
    a_cancel_ends_what_runs(OpenVinoInference(long_graph(tmp_path), threads=1))


@pytest.mark.model
def test_the_real_voice_says_the_same_alone_with_others_and_busy_threads_beside_it_and_loaded_anew(
    real_assets: Path,
) -> None:
    voice = _voice(real_assets)
    alone = [_say(voice, text) for text in _TEXTS]
    over = Event()
    busy = [Thread(target=_compute_until, args=(over,)) for _ in range(2)]
    for thread in busy:
        thread.start()
    try:
        with ThreadPoolExecutor(len(_TEXTS)) as pool:  # windows of several sentences run at once
            beside = list(pool.map(lambda text: _say(voice, text), 2 * _TEXTS, timeout=120))
    finally:
        over.set()
        for thread in busy:
            thread.join(timeout=30)
    assert beside == 2 * alone
    assert [_say(_voice(real_assets), text) for text in _TEXTS[:2]] == alone[:2]


def _voice(assets: Path) -> KokoroVoice:
    return KokoroVoice(VoiceSettings(backend="openvino"), AssetSettings(source=f"dir:{assets}"))


def _say(voice: KokoroVoice, text: str) -> bytes:
    return b"".join(
        pcm for piece in voice.plan(text, VoiceOptions()) for pcm in iter(voice.begin(piece, CancelToken()).step, None)
    )


def _compute_until(over: Event) -> None:
    values = np.ones((256, 256), dtype=np.float32)
    while not over.is_set():
        np.dot(values, values)
