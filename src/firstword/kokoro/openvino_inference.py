"""One graph in OpenVINO. The only module that knows it; errors are translated as `inference` translates its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openvino
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt, EngineFailed
from firstword.kokoro.inference import Arrays
from firstword.kokoro.synthesizer import Cancelled, CancelToken

__all__ = ["OpenVinoInference"]


class OpenVinoInference:
    """A `Runnable`. The first run of each shape compiles for it; window sizes are few, so that is soon over."""

    def __init__(self, path: Path, *, threads: int) -> None:
        core: Any = openvino.Core()
        bfloat16 = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        try:
            self._model: Any = core.compile_model(
                core.read_model(str(path)),
                "CPU",
                {
                    "INFERENCE_NUM_THREADS": threads,
                    "PERFORMANCE_HINT": "LATENCY",
                    "INFERENCE_PRECISION_HINT": "bf16" if bfloat16 else "f32",
                },
            )
        except RuntimeError as error:
            raise AssetCorrupt(f"{path.name} cannot be loaded.", hint="Run firstword models pull.") from error

    def run(self, outputs: Sequence[str], feeds: Arrays, cancel: CancelToken) -> list[NDArray[np.float32]]:
        cancel.check()
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
        return [np.array(request.get_tensor(name).data) for name in outputs]
