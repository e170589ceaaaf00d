"""The shape of Kokoro's generator: its blocks, their norms, and where each norm's channels stand in one long vector.

Every norm is an instance norm over the whole utterance, scaled and shifted by the style. The vectors that describe
them (style scale, style shift, mean, variance) hold all norms one after the other, in the order of `NORMS`.
"""

from dataclasses import dataclass
from typing import Final

__all__ = ["CHANNELS", "DILATIONS", "NORMS", "STAGES", "Block", "Norm", "Stage"]

DILATIONS: Final = (1, 3, 5)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A residual block: three times norm, snake, dilated convolution, norm, snake, convolution."""

    name: str
    channels: int
    kernel: int


@dataclass(frozen=True, kw_only=True)
class Norm:
    """A norm of a block, `channels` of the long vector from `offset`; `name` is that of its layer in the model."""

    block: str
    half: int
    turn: int
    channels: int
    offset: int

    @property
    def name(self) -> str:
        return f"{self.block}.adain{self.half}.{self.turn}"


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One of two stages: upsample, add the harmonics, mean of three blocks."""

    noise: Block
    blocks: tuple[Block, Block, Block]
    stride: int
    kernel: int
    noise_stride: int
    noise_padding: int


def _stage(index: int, channels: int, noise_kernel: int, stride: int, up_kernel: int, noise: tuple[int, int]) -> Stage:
    kernels = (3, 7, 11)
    blocks = [
        Block(name=f"resblocks.{3 * index + place}", channels=channels, kernel=kernel)
        for place, kernel in enumerate(kernels)
    ]
    return Stage(
        noise=Block(name=f"noise_res.{index}", channels=channels, kernel=noise_kernel),
        blocks=(blocks[0], blocks[1], blocks[2]),
        stride=stride,
        kernel=up_kernel,
        noise_stride=noise[0],
        noise_padding=noise[1],
    )


STAGES: Final = (
    _stage(0, channels=256, noise_kernel=7, stride=10, up_kernel=20, noise=(6, 3)),
    _stage(1, channels=128, noise_kernel=11, stride=6, up_kernel=12, noise=(1, 0)),
)
_BLOCKS: Final = tuple(block for stage in STAGES for block in (stage.noise, *stage.blocks))


def _norms() -> tuple[Norm, ...]:
    norms: list[Norm] = []
    offset = 0
    for block in _BLOCKS:
        for turn in range(len(DILATIONS)):
            for half in (1, 2):
                norms.append(Norm(block=block.name, half=half, turn=turn, channels=block.channels, offset=offset))
                offset += block.channels
    return tuple(norms)


NORMS: Final = _norms()
CHANNELS: Final = sum(norm.channels for norm in NORMS)
"""Length of the long vectors: 9,216."""
