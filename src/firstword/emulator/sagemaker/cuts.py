"""Where a response stream is cut: at offsets that a seed gives, whatever the container's own writes were.

SageMaker cuts a body where it likes, in the middle of an event or of a character. Here part lengths are drawn from 1 to
8,192 bytes, short ones as likely as long ones, so that one seed always cuts the same bytes at the same places. Pure.
"""

import math
import random

__all__ = ["Cutter"]

_LONGEST = 8192


class Cutter:
    """Bytes in, parts out; joined, the parts are the bytes."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._held = bytearray()
        self._until_cut = self._draw()

    @property
    def holds(self) -> bool:
        """Whether bytes wait for the next cut."""
        return bool(self._held)

    def feed(self, data: bytes) -> list[bytes]:
        """The parts that `data` completes."""
        self._held += data
        parts = []
        while len(self._held) >= self._until_cut:
            parts.append(bytes(self._held[: self._until_cut]))
            del self._held[: self._until_cut]
            self._until_cut = self._draw()
        return parts

    def flush(self) -> list[bytes]:
        """What is held, as a part of its own if there is any; the next cut stays where it was."""
        part = bytes(self._held)
        self._held.clear()
        self._until_cut -= len(part)
        return [part] if part else []

    def _draw(self) -> int:
        return int(math.exp(self._random.uniform(0.0, math.log(_LONGEST + 1))))
