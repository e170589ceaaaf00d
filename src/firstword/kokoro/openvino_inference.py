"""One graph in OpenVINO. The only module that knows it; errors are translated as `inference` translates its own.

Before it is compiled, squares of sines become polynomials: OpenVINO has no fast sine, and of a window of our generator
its own took more than a third.
"""

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import openvino
from numpy.typing import NDArray
from openvino import opset14

from firstword.errors import AssetCorrupt, EngineFailed
from firstword.kokoro.inference import Arrays
from firstword.kokoro.synthesizer import Cancelled, CancelToken

__all__ = ["OpenVinoInference"]

_SQUARED_SINE: Final = (9.8695908, -32.468102, 42.683365, -29.634485, 10.950648)
"""sin(pi r)^2 as a polynomial in r^2, r from -1/2 to 1/2, without a constant term: off by 3e-6 at most."""


class OpenVinoInference:
    """A `Runnable`. The first run of each shape compiles for it; window sizes are few, so that is soon over."""

    def __init__(self, path: Path, *, threads: int) -> None:
        core: Any = openvino.Core()
        bfloat16 = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        try:
            model = core.read_model(str(path))
            _without_sines(model)
            self._model: Any = core.compile_model(
                model,
                "CPU",
                {
                    "INFERENCE_NUM_THREADS": threads,
                    "PERFORMANCE_HINT": "LATENCY",
                    "INFERENCE_PRECISION_HINT": "bf16" if bfloat16 else "f32",
                },
            )
        except RuntimeError as error:
            raise AssetCorrupt(f"{path.name} cannot be loaded.", hint="Run firstword models pull.") from error
        # A request keeps its buffers: making one anew took 40 ms of a window. One more only where two run at once.
        self._free: deque[Any] = deque()

    def run(self, outputs: Sequence[str], feeds: Arrays, cancel: CancelToken) -> list[NDArray[np.float32]]:
        cancel.check()
        try:
            request = self._free.pop()
        except IndexError:
            request = self._model.create_infer_request()
        try:
            request.start_async({name: np.ascontiguousarray(value) for name, value in feeds.items()})
            forget = cancel.on_cancel(request.cancel)
            try:
                request.wait()
            finally:
                forget()
        except RuntimeError as error:
            if cancel.cancelled:
                raise Cancelled from error
            raise EngineFailed("Inference failed.", retryable=True) from error
        cancel.check()  # OpenVINO may end a cancelled request without an error
        results = [np.array(request.get_tensor(name).data) for name in outputs]
        self._free.append(request)  # one that failed or was cancelled is not used again
        return results


def _without_sines(model: Any) -> None:
    """Put polynomials in place of every sin(x) * sin(x) of which the sine serves nothing else."""
    for sine in model.get_ordered_ops():
        if sine.get_type_name() != "Sin":
            continue
        heard_by = [target.get_node() for target in sine.output(0).get_target_inputs()]
        names = {node.get_friendly_name() for node in heard_by}
        if len(heard_by) == 2 and len(names) == 1 and heard_by[0].get_type_name() == "Multiply":
            heard_by[0].output(0).replace(_square_of_sine(sine.input_value(0)).output(0))


def _square_of_sine(x: Any) -> Any:
    """sin(x)^2 of an output, in operations that OpenVINO compiles into few passes."""
    turns = opset14.multiply(x, np.float32(1 / np.pi))
    part = opset14.subtract(turns, opset14.round(turns, "half_to_even"))
    square = opset14.multiply(part, part)
    value = opset14.multiply(square, np.float32(_SQUARED_SINE[-1]))
    for coefficient in _SQUARED_SINE[-2::-1]:
        value = opset14.multiply(opset14.add(value, np.float32(coefficient)), square)
    return value
