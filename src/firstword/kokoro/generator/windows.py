"""How an utterance is cut into windows: fixed sizes, so that the same text is the same audio whatever else runs. Pure.

A window is said when what the generator hears ahead of it is there, and goes on where the one before it ended; only
the first needs steps before it that nobody is given. It is short because somebody waits for it, and yet long enough
that the second is made while it plays on a machine that speaks little faster than in real time. Each later one is made
while those before it play, and is longer by no more than they gain: so windows grow to twice the first, and no further,
for as long as one takes everybody else waits. What is measured is in docs/decisions/0039-growing-windows.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from firstword.kokoro.generator.past import LAG_SAMPLES
from firstword.kokoro.source import SAMPLES_PER_STEP

__all__ = ["AHEAD_STEPS", "BEFORE_STEPS", "SIZES", "Window", "windows"]

AHEAD_STEPS: Final = -(-LAG_SAMPLES // SAMPLES_PER_STEP)
"""What a window needs to have heard beyond its end."""
BEFORE_STEPS: Final = 4
"""What the first stage hears before the first window."""
SIZES: Final = (20, 20, 20, 24, 32, 40)
"""In steps of 12.5 ms; the last repeats."""
_SHORTEST: Final = 14
"""Where less than this would remain, what is left is halved."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """Steps `first:last` are said when `fed_first:fed_last` are heard, which may lie beyond what there is."""

    first: int
    last: int
    fed_first: int
    fed_last: int


def windows(first: int, last: int, *, sizes: Sequence[int] = SIZES) -> Iterator[Window]:
    """The windows that together cover `first:last`; of `sizes`, the last of which repeats."""
    coming = iter(sizes)
    size, fed = 0, first - BEFORE_STEPS
    while first < last:
        size = next(coming, size)
        end = first + _next_size(last - first, size)
        yield Window(first=first, last=end, fed_first=fed, fed_last=end + AHEAD_STEPS)
        first, fed = end, end + AHEAD_STEPS


def _next_size(left: int, size: int) -> int:
    if left <= size:
        return left
    return size if left - size >= _SHORTEST else left - left // 2
