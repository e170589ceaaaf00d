"""One graph in onnxruntime: loaded with explicit threads, run until done or cancelled.

The only module that knows onnxruntime. Errors of a run are EngineFailed, of a load AssetCorrupt.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as states

from firstword.errors import AssetCorrupt, ConfigError, EngineFailed
from firstword.kokoro.synthesizer import Cancelled, CancelToken

__all__ = ["Inference", "Load", "Runnable", "providers", "thread_count"]

type Arrays = Mapping[str, NDArray[Any]]


_CPU: Final = "CPUExecutionProvider"


class Runnable(Protocol):
    """A loaded graph, whatever runs it."""

    def run(self, outputs: Sequence[str], feeds: Arrays, cancel: CancelToken) -> list[NDArray[np.float32]]:
        """The named outputs. Raises Cancelled soon after `cancel` is, EngineFailed if the run fails."""
        ...


type Load = Callable[[Path], Runnable]

_FAILED_RUN: Final = (
    states.Fail, states.EPFail, states.RuntimeException, states.InvalidArgument, states.EngineError, MemoryError,
)  # fmt: skip
_FAILED_LOAD: Final = (
    states.Fail, states.InvalidProtobuf, states.InvalidGraph, states.NoSuchFile, states.RuntimeException,
    states.InvalidArgument, states.NotImplemented,
)  # fmt: skip


# What nearly all of the time goes into. The rest (shapes, gathers) may well stay on the CPU beside a GPU.
HEAVY: Final = frozenset({"Conv", "ConvTranspose", "ConvInteger", "Gemm", "LSTM", "MatMul", "MatMulInteger"})


def heavy_elsewhere(session: Any, provider: str) -> set[str]:
    """Heavy operators of the session that another provider than `provider` was given. Needs the session to have been
    told to record it."""
    return {
        node.op_type
        for part in session.get_provider_graph_assignment_info()
        if part.ep_name != provider
        for node in part.get_nodes()
        if node.op_type in HEAVY
    }


def thread_count(wanted: int, *, most: int = 4) -> int:
    """`wanted`, or for 0 one per core this process may use, at most `most` (none above two were ever measured)."""
    if wanted > 0:
        return wanted
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(most, cores)


def providers() -> Sequence[str]:
    """The execution providers this onnxruntime has."""
    names: list[str] = onnxruntime.get_available_providers()
    return names


class Inference:
    """A `Runnable` by onnxruntime. `run` may be called from any thread. `few_shapes`: inputs of a hundred at most."""

    def __init__(
        self, path: Path, *, threads: int, provider: str = _CPU, spinning: bool = False, few_shapes: bool = False
    ) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # A plan of the memory is kept for every shape there ever was: of texts there are hundreds (decision 0033).
        options.enable_mem_pattern = few_shapes or provider != _CPU
        # Spinning threads would take the cores from whatever runs beside us: the event loop, an LLM, another voice.
        options.add_session_config_entry("session.intra_op.allow_spinning", str(int(spinning)))
        if spinning:  # but not between runs: a voice is several graphs, and the next one's threads are others
            options.add_session_config_entry("session.force_spinning_stop", "1")
        if provider != _CPU:
            options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
        try:
            self._session: Any = onnxruntime.InferenceSession(str(path), options, providers=[provider])
        except _FAILED_LOAD as error:
            raise AssetCorrupt(f"{path.name} cannot be loaded.", hint="Run firstword models pull.") from error
        # onnxruntime goes on with the CPU, unasked, where a device's provider does not start.
        if provider not in self._session.get_providers():
            raise ConfigError(
                f"{provider} does not start here, and the CPU is not what was asked for.",
                hint="CUDA 13 needs an NVIDIA driver of 580 or newer; nvidia-smi tells.",
            )
        if provider != _CPU and (astray := heavy_elsewhere(self._session, provider)):
            raise ConfigError(
                f"{provider} does not run {', '.join(sorted(astray))} of {path.name}; the CPU would, slowly.",
                hint="Use fp32 or fp16 weights: FIRSTWORD_ASSETS_SOURCE=hub.",
            )

    def run(self, outputs: Sequence[str], feeds: Arrays, cancel: CancelToken) -> list[NDArray[np.float32]]:
        cancel.check()
        options = onnxruntime.RunOptions()
        forget = cancel.on_cancel(lambda: setattr(options, "terminate", True))
        try:
            results: list[NDArray[np.float32]] = self._session.run(list(outputs), dict(feeds), options)
        except _FAILED_RUN as error:
            if cancel.cancelled:
                raise Cancelled from error
            raise EngineFailed("Inference failed.", retryable=True) from error
        finally:
            forget()
        return results
