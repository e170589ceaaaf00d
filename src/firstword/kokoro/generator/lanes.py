"""A window decoded in two lanes: its graph in parts, each run by half the threads beside a part of the other lane.

Two threads on two graphs are done sooner than two on one: onnxruntime computes a sine by one thread however many it
has, and threads that share every layer wait for each other at every layer. The blocks of a stage are independent, and
one of the three has as much to do as the other two; the second stage's noise needs nothing of the first. Every number
is the same as from one graph.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.layout import DILATIONS, STAGES, Block, Stage
from firstword.kokoro.generator.names import CROP, EARLY, HIDDEN, LATE, SAMPLES, SCALE, SHIFT
from firstword.kokoro.generator.past import following
from firstword.kokoro.inference import Runnable
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["LANED", "LanedWindow", "Subgraph", "entering", "noise_of"]


@dataclass(frozen=True, kw_only=True)
class Subgraph:
    """A part of the window's graph, a graph of its own: given `hears`, it gives `says`. `shared`: all threads run it,
    alone."""

    name: str
    hears: tuple[str, ...]
    says: tuple[str, ...]
    shared: bool = False


def noise_of(stage: Stage) -> str:
    """What the noise block of a stage says."""
    return f"{stage.noise.name}.said"


def entering(stage: Stage) -> str:
    """What the three blocks of a stage are given."""
    return f"{stage.blocks[0].name}.given"


def _past_of(block: Block, first: int = 1) -> tuple[str, ...]:
    return tuple(f"{block.name}.{turn}" for turn in range(first, len(DILATIONS)))


def _subgraph(
    name: str, hears: Sequence[str], past: Sequence[str], says: Sequence[str], *, shared: bool = False
) -> Subgraph:
    later = tuple(following(each) for each in past)
    return Subgraph(name=name, hears=(*hears, *past), says=(*says, *later), shared=shared)


def _blocks(name: str, stage: Stage, *blocks: Block) -> Subgraph:
    past = [each for block in blocks for each in _past_of(block)]
    return _subgraph(name, (entering(stage), SCALE, SHIFT), past, [block.name for block in blocks])


_FIRST, _SECOND = STAGES
_NORMS: Final = (SCALE, SHIFT, CROP)
_ENTRY: Final = _subgraph(
    "entry", (HIDDEN, EARLY, *_NORMS), (*_past_of(_FIRST.noise, 0), "stage.0"), (entering(_FIRST),)
)
_NOISE: Final = _subgraph("noise", (LATE, *_NORMS), _past_of(_SECOND.noise, 0), (noise_of(_SECOND),))
_SMALL, _MIDDLE, _LARGE = _FIRST.blocks
_FIRST_LANE: Final = _blocks("first-lane", _FIRST, _LARGE, _SMALL)
_FIRST_BESIDE: Final = _blocks("first-beside", _FIRST, _MIDDLE)
_BETWEEN: Final = _subgraph(
    "between",
    (*(block.name for block in _FIRST.blocks), noise_of(_SECOND), CROP),
    ("up", "stage.1"),
    (entering(_SECOND),),
    shared=True,
)
_SECOND_LANE: Final = _blocks("second-lane", _SECOND, _SECOND.blocks[2])
_SECOND_BESIDE: Final = _blocks("second-beside", _SECOND, *_SECOND.blocks[:2])
_END: Final = _subgraph("end", [block.name for block in _SECOND.blocks], ("post",), (SAMPLES,), shared=True)
LANED: Final = (
    _ENTRY, _NOISE, _FIRST_LANE, _FIRST_BESIDE, _BETWEEN, _SECOND_LANE, _SECOND_BESIDE, _END,
)  # fmt: skip
"""All of them. The second stage's noise (16 parts of work) and the middle block of the first (7) are run beside what
leads to the first stage (7), its largest block (11) and its smallest (3); then the largest block of the second (16)
beside the other two (15)."""


class LanedWindow:
    """A `Runnable` that hears and says what the graph of a window does. `graphs` by the name of the subgraph."""

    def __init__(self, graphs: Mapping[str, Runnable]) -> None:
        self._graphs = dict(graphs)
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="lane")

    def run(
        self, outputs: Sequence[str], feeds: Mapping[str, NDArray[Any]], cancel: CancelToken
    ) -> list[NDArray[np.float32]]:
        known: dict[str, NDArray[Any]] = dict(feeds)

        def run(subgraph: Subgraph) -> None:
            heard = {name: known[name] for name in subgraph.hears}
            known.update(zip(subgraph.says, self._graphs[subgraph.name].run(subgraph.says, heard, cancel), strict=True))

        with self._waiting() as beside:
            beside(run, _NOISE)
            run(_ENTRY)
            beside(run, _FIRST_BESIDE)
            run(_FIRST_LANE)
        run(_BETWEEN)
        with self._waiting() as beside:
            beside(run, _SECOND_BESIDE)
            run(_SECOND_LANE)
        run(_END)
        return [known[name] for name in outputs]

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[Callable[[Callable[[Subgraph], None], Subgraph], None]]:
        """Gives what hands a subgraph to the other lane, in order; at its end all are over. Raises what they raised."""
        handed: list[Future[None]] = []
        try:
            yield lambda run, subgraph: handed.append(self._beside.submit(run, subgraph))
        finally:
            wait(handed)
        for future in handed:
            future.result()
