"""How an utterance is cut into windows: fixed sizes, so that the same text is the same audio whatever else runs. Pure.

A window is decoded with some steps of context on either side, which are thrown away: the generator hears about that
far. The first is short because somebody waits for it, and yet as long as it takes to make the second beside a language
model on two cores: with 16 steps the demo stalled for 130 to 190 ms in every answer, with 32 in none. Each later one is
made while the one before it plays. None is longer than `_SIZES` says, for as long as it takes everybody else waits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["CONTEXT_STEPS", "Window", "windows"]

CONTEXT_STEPS: Final = 6
_SIZES: Final = (32, 28, 36)
"""In steps of 12.5 ms; the last repeats."""
_SHORTEST: Final = 18
"""Where less than this would remain, what is left is halved."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """Steps `first:last` are wanted, `reach_first:reach_last` are decoded."""

    first: int
    last: int
    reach_first: int
    reach_last: int


def windows(first: int, last: int, steps: int) -> Iterator[Window]:
    """The windows that together cover `first:last` of an utterance of `steps` steps."""
    sizes = iter(_SIZES)
    size = 0
    while first < last:
        size = next(sizes, size)
        end = first + _next_size(last - first, size)
        yield Window(
            first=first,
            last=end,
            reach_first=max(0, first - CONTEXT_STEPS),
            reach_last=min(steps, end + CONTEXT_STEPS),
        )
        first = end


def _next_size(left: int, size: int) -> int:
    if left <= size:
        return left
    return size if left - size >= _SHORTEST else left - left // 2
