"""The generator for a whole utterance: the norms are computed over what is given, and what they found comes out too."""

from pathlib import Path
from typing import Final

import numpy as np

from firstword.kokoro.generator.graph import FFT, Builder
from firstword.kokoro.generator.layout import CHANNELS, DILATIONS, NORMS, STAGES, Block, Norm, Stage
from firstword.kokoro.generator.names import HARMONICS, HIDDEN, MEANS, SAMPLES, SCALE, SHIFT, VARIANCES
from firstword.kokoro.generator.weights import Weights

__all__ = ["write_whole_graph"]

_EPSILON: Final = 1e-5


def write_whole_graph(weights: Weights, path: Path) -> None:
    """Write it to `path`.

    Inputs: hidden [1, 512, steps], harmonics [1, 22, 60 x steps + 1], scale and shift [1, CHANNELS, 1] of the style.
    Outputs: samples, 300 for each step; means and variances [1, CHANNELS, 1, 1].
    """
    graph = _WholeGraph(weights)
    graph.build()
    column = [1, CHANNELS, 1]
    graph.save(
        path,
        {HIDDEN: [1, 512, "steps"], HARMONICS: [1, 22, "frames"], SCALE: column, SHIFT: column},
        {SAMPLES: ["samples"], MEANS: [*column, 1], VARIANCES: [*column, 1]},
    )


class _WholeGraph(Builder):
    def __init__(self, weights: Weights) -> None:
        super().__init__(weights)
        self._statistics: dict[str, tuple[str, str]] = {}
        self._by_input: dict[str, tuple[str, str]] = {}

    def build(self) -> None:
        hidden, harmonics = self.height_one(HIDDEN), self.height_one(HARMONICS)
        for vector in (SCALE, SHIFT):
            self.norm_vector(vector)
        x = self._stage(0, STAGES[0], hidden, harmonics)
        x = self._stage(1, STAGES[1], x, harmonics)
        self.waveform(x, padding=3, cut=FFT // 2)
        means, variances = zip(*(self._statistics[norm.name] for norm in NORMS), strict=True)
        self.op("Concat", *means, axis=1, out=MEANS)
        self.op("Concat", *variances, axis=1, out=VARIANCES)

    def _stage(self, index: int, stage: Stage, x: str, harmonics: str) -> str:
        source = self.weights.convolution(f"noise_convs.{index}")
        noise = self.conv(harmonics, source.weight, source.bias, stride=stage.noise_stride, padding=stage.noise_padding)
        noise = self._block(stage.noise, noise)
        x = self.up(index, x, kernel=stage.kernel, stride=stage.stride, cut=(stage.kernel - stage.stride) // 2)
        if index == 1:  # one frame more, as the harmonics have it
            x = self.op("Pad", x, self.integers([0, 0, 0, 1, 0, 0, 0, 0]), mode="reflect")
        x = self.op("Add", x, noise)
        return self.third([self._block(block, x) for block in stage.blocks])

    def _block(self, block: Block, x: str) -> str:
        for turn, dilation in enumerate(DILATIONS):
            y = x
            for half, spread in ((1, dilation), (2, 1)):
                norm = self.norms[f"{block.name}.adain{half}.{turn}"]
                y = self.snake(norm, self._normed(norm, y))
                y = self.after_snake(norm, y, padding=spread * (block.kernel - 1) // 2, dilation=spread)
            x = self.op("Add", y, x)
        return x

    def _normed(self, norm: Norm, x: str) -> str:
        """The norm's output times the alpha of the snake that follows."""
        if x not in self._by_input:
            mean = self.op("ReduceMean", x, axes=[3], keepdims=1)
            difference = self.op("Sub", x, mean)
            square = self.op("Mul", difference, difference)
            self._by_input[x] = mean, self.op("ReduceMean", square, axes=[3], keepdims=1)
        mean, variance = self._statistics[norm.name] = self._by_input[x]
        deviation = self.op("Sqrt", self.op("Add", variance, self.floats(np.float32(_EPSILON))))
        scale = self.op("Div", f"{SCALE}.{norm.name}", deviation)
        shift = self.op("Sub", f"{SHIFT}.{norm.name}", self.op("Mul", mean, scale))
        return self.op("Add", self.op("Mul", x, scale), shift)
