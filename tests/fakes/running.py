"""Inference that is watched, and cancelled from inside a run.

That a cancelled voice says no more is no sign that anything was ended: before every run it asks its token, and what
runs for a tenth of a second is soon over anyway. So it is written down how every run ended, and a cancel comes when
one is known to be under way that would go on for long.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

from firstword.kokoro.backends import Backend, open_backend
from firstword.kokoro.generator.windows import AHEAD_STEPS, BEFORE_STEPS, Window
from firstword.kokoro.inference import Load, Runnable
from firstword.kokoro.synthesizer import Cancelled, CancelToken

__all__ = ["CancelsInside", "Diary", "Watched", "a_cancel_ends_what_runs", "long_graph", "one_window"]

type End = Literal["whole", "cut", "refused"]

_WORKED_S: Final = 0.01
_LOOKS: Final = 30_000
_NAMES: Final = [f"x{number}" for number in range(257)]
_X: Final = np.linspace(-3, 3, 2**21, dtype=np.float32)


class Diary:
    """Which runs began, that is asked their token and went on, and how each ended that did not fail; by graph, in
    order.

    A run was cut if the library ended it, which `Cancelled` names as its cause, and refused if only the token was
    asked. Of a cancel that does not reach the library, a run remains whole (or with OpenVINO is refused, once over).
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.begun: list[str] = []
        self.ended: list[tuple[str, End]] = []

    def begins(self, name: str) -> None:
        with self._changed:
            self.begun.append(name)
            self._changed.notify_all()

    def ends(self, name: str, end: End) -> None:
        self.ended.append((name, end))

    def open_backend(self, name: str, threads: int, **options: Any) -> Backend:
        """What the real one opens, every graph of it watched."""

        def watched(load: Load) -> Load:
            return lambda path: Watched(path.stem, load(path), self)

        backend = open_backend(name, threads, **options)
        lane = None if backend.lane is None else watched(backend.lane)
        return replace(backend, parts=watched(backend.parts), generator=watched(backend.generator), lane=lane)

    async def until_begun(self, those: Callable[[str], bool], after: int) -> None:
        """Wait until, after so many others, a run of one of those graphs has begun."""

        def wait() -> None:
            with self._changed:
                assert self._changed.wait_for(lambda: any(map(those, self.begun[after:])), timeout=30), self.begun

        await asyncio.to_thread(wait)


class Watched:
    """A `Runnable` whose runs are written down."""

    def __init__(self, name: str, graph: Runnable, diary: Diary) -> None:
        self._name, self._graph, self._diary = name, graph, diary

    def run(
        self, outputs: Sequence[str], feeds: Mapping[str, NDArray[Any]], cancel: CancelToken
    ) -> list[NDArray[np.float32]]:
        try:
            said = self._graph.run(outputs, feeds, _Noticed(cancel, lambda: self._diary.begins(self._name)))
        except Cancelled as error:
            self._diary.ends(self._name, "refused" if error.__cause__ is None else "cut")
            raise
        self._diary.ends(self._name, "whole")
        return said


class _Noticed(CancelToken):
    """Another token; calls `notice` when a run, having asked it, wants to hear of its cancel."""

    def __init__(self, token: CancelToken, notice: Callable[[], None]) -> None:
        super().__init__()
        self._token, self._notice = token, notice

    @property
    def cancelled(self) -> bool:
        return self._token.cancelled

    def check(self) -> None:
        self._token.check()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        forget = self._token.on_cancel(callback)
        self._notice()
        return forget


class CancelsInside(CancelToken):
    """Cancelled while its `nth` run computes, which by then has asked it and has done work.

    Work, not time: however little of the machine there is for us, that is after the run began, and a long one is not
    over.
    """

    def __init__(self, nth: int = 1) -> None:
        super().__init__()
        self._left = nth
        self._counting = threading.Lock()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        forget = super().on_cancel(callback)
        with self._counting:
            self._left -= 1
            begins = self._left == 0
        if begins:
            threading.Thread(target=self._cancel_after, args=(_worked_s(),), daemon=True).start()
        return forget

    def _cancel_after(self, before_s: float) -> None:
        for _ in range(_LOOKS):
            if _worked_s() - time.thread_time() - before_s > _WORKED_S:
                self.cancel()
                return
            threading.Event().wait(0.001)


def one_window(first: int, last: int, *, sizes: Sequence[int]) -> Iterator[Window]:
    """In place of `windows`: all in one, so that no run of it is soon over."""
    yield Window(first=first, last=last, fed_first=first - BEFORE_STEPS, fed_last=last + AHEAD_STEPS)


def _worked_s() -> float:
    """What processors have done for this process, whatever else they had to do meanwhile."""
    return time.process_time()


def long_graph(directory: Path) -> Path:
    """Sines of sines, 256 deep: operators that no library makes one of, and each of `_X` takes milliseconds."""
    nodes = [helper.make_node("Sin", [x], [y]) for x, y in pairwise(_NAMES)]
    given, said = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in (_NAMES[0], _NAMES[-1]))
    model = helper.make_model(
        helper.make_graph(nodes, "long", [given], [said]), opset_imports=[helper.make_opsetid("", 17)], ir_version=9
    )
    onnx.save(model, str(directory / "long.onnx"))
    return directory / "long.onnx"


def a_cancel_ends_what_runs(graph: Runnable) -> None:
    """`graph` is the long one, by whatever library: a cancelled run does less than half of its work, the next all."""
    wanted, began_s = _said(graph, CancelToken()), _worked_s()
    assert np.array_equal(_said(graph, CancelToken()), wanted)
    whole_s, began_s = _worked_s() - began_s, _worked_s()
    with pytest.raises(Cancelled) as cancelled:
        _said(graph, CancelsInside())
    cut_s = _worked_s() - began_s
    assert cancelled.value.__cause__ is not None, "only the token was asked, once the run was over"
    assert cut_s < whole_s / 2, "the library owned to a cancel, but ran on"
    assert np.array_equal(_said(graph, CancelToken()), wanted)


def _said(graph: Runnable, cancel: CancelToken) -> NDArray[np.float32]:
    (said,) = graph.run((_NAMES[-1],), {_NAMES[0]: _X}, cancel)
    return said
