"""The graph that decodes a window as the model has it, to be measured beside ours."""

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.layout import Norm
from firstword.kokoro.generator.window_graph import WindowGraph

__all__ = ["PlainWindowGraph"]


class PlainWindowGraph(WindowGraph):
    """Norms, snakes and convolutions as the model has them: seven passes, and one dimension."""

    def alpha(self, norm: Norm) -> NDArray[np.float32]:
        """Nothing is moved into scale, shift and weights."""
        return np.ones(norm.channels, np.float32)

    def snake(self, norm: Norm, h: str) -> str:
        alpha = super().alpha(norm).reshape(1, -1, 1, 1)
        wave = self.op("Sin", self.op("Mul", h, self.floats(alpha)))
        return self.op("Add", h, self.op("Mul", self.op("Mul", wave, wave), self.floats(1 / alpha)))

    def conv(
        self,
        x: str,
        weight: NDArray[np.float32],
        bias: NDArray[np.float32],
        *,
        padding: int,
        stride: int = 1,
        dilation: int = 1,
    ) -> str:
        y = self.op(
            "Conv",
            self.op("Squeeze", x, self.integers([2])),
            self.floats(weight),
            self.floats(bias),
            kernel_shape=[weight.shape[2]],
            strides=[stride],
            dilations=[dilation],
            pads=[padding, padding],
        )
        return self.height_one(y)
