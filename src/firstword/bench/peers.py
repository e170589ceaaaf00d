"""The same texts through other Kokoro programs: same weights, same threads, same run. Ours beside them.

A peer runs in an environment of its own, made by uv for the occasion, and is driven by `peer_kokoro_onnx` through its
public interface only. Every system is a process with its model loaded and warm; trials are interleaved.
"""

import asyncio
import contextlib
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from firstword.bench import corpus
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, ratio, summarize
from firstword.config import AssetSettings, inherited_environment
from firstword.errors import FirstwordError
from firstword.kokoro.assets import open_store

__all__ = ["OURS", "PEERS", "THREADS", "Peer", "PeerFigures", "Peers", "System", "run", "running"]

_HERE: Final = Path(__file__).parent
_DEADLINE_S: Final = 300.0
_GRACE_S: Final = 5.0
THREADS: Final = 2
TEXTS: Final = {"one sentence": corpus.sentences()[0], "four sentences": corpus.FOUR_SENTENCES}


@dataclass(frozen=True, kw_only=True)
class Peer:
    """`requirement` None: our own environment."""

    name: str
    script: str
    requirement: str | None = None


OURS: Final = Peer(name="firstword", script="peer_firstword.py")
PEERS: Final = (Peer(name="kokoro-onnx", script="peer_kokoro_onnx.py", requirement="kokoro-onnx==0.6.1"),)


@dataclass(frozen=True, kw_only=True)
class PeerFigures:
    """`first_audio_ms` from the call to the first samples, `first_audible_ms` to the first 10 ms above -45 dBFS;
    `real_time_factor` of the whole call; memory after the last trial, and the most there was.
    """

    system: str
    versions: dict[str, str]
    text: str
    first_audio_ms: Summary
    first_audible_ms: Summary
    real_time_factor: Summary
    audio_s: float
    resident_mb: float
    peak_mb: float


@dataclass(frozen=True, kw_only=True)
class Peers:
    """`sooner`: a peer's first audible sound over ours; `real_time_factor_over_ours` likewise. By peer and text."""

    threads: int
    figures: tuple[PeerFigures, ...]
    sooner: dict[str, float | None]
    real_time_factor_over_ours: dict[str, float | None]


async def run(trials: int, progress: Callable[[str], None]) -> Peers:
    """Figures of every system and text; how many times sooner we are than each peer, by text."""
    samples: dict[tuple[str, str], list[dict[str, float]]] = {}
    async with contextlib.AsyncExitStack() as stack:
        systems = {}
        for peer in (OURS, *PEERS):
            progress(f"starting {peer.name}")
            systems[peer.name] = await stack.enter_async_context(running(peer))
        for (name, text), counts in interleaved([(name, text) for name in systems for text in TEXTS], trials):
            progress(f"{name}: {text}")
            sample = await systems[name].say(TEXTS[text])
            if counts:
                samples.setdefault((name, text), []).append(sample)
    figures = [_figures(name, systems[name].versions, text, of) for (name, text), of in samples.items()]
    return Peers(
        threads=THREADS,
        figures=tuple(figures),
        sooner=_over_ours({(item.system, item.text): item.first_audible_ms.median for item in figures}),
        real_time_factor_over_ours=_over_ours(
            {(item.system, item.text): item.real_time_factor.median for item in figures}
        ),
    )


def _over_ours(medians: dict[tuple[str, str], float]) -> dict[str, float | None]:
    ratios = {
        f"{peer.name}, {text}": ratio(medians[peer.name, text], medians[OURS.name, text])
        for peer in PEERS
        for text in TEXTS
    }
    return {name: None if value is None else round(value, 2) for name, value in ratios.items()}


def _figures(name: str, versions: dict[str, str], text: str, of: Sequence[dict[str, float]]) -> PeerFigures:
    return PeerFigures(
        system=name,
        versions=versions,
        text=text,
        first_audio_ms=summarize([round(sample["first_audio_ms"], 1) for sample in of]),
        first_audible_ms=summarize([round(sample["first_audible_ms"], 1) for sample in of]),
        real_time_factor=summarize([round(sample["elapsed_s"] / sample["audio_s"], 3) for sample in of]),
        audio_s=round(of[0]["audio_s"], 3),
        resident_mb=round(of[-1]["resident_mb"], 1),
        peak_mb=round(of[-1]["peak_mb"], 1),
    )


def _weights() -> tuple[Path, Path]:
    """The int8 model as it is packaged, and its voices in the form that kokoro-onnx reads."""
    directory = open_store(AssetSettings.load()).ensure()
    model = next(directory.rglob("*.onnx"))
    voices = {path.stem: np.fromfile(path, dtype="<f4").reshape(-1, 1, 256) for path in directory.rglob("voices/*.bin")}
    packed = directory.parent / "voices-for-peers.npz"
    scratch = packed.with_name(f"{packed.stem}.{os.getpid()}.npz")
    np.savez(scratch, **voices)  # type: ignore[arg-type]
    scratch.replace(packed)
    return model, packed


class System:
    """One system's process: lines of JSON in and out, the model loaded and warm."""

    def __init__(self, peer: Peer, process: asyncio.subprocess.Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError("a system is driven through pipes")
        self._peer = peer
        self._process = process
        self._to, self._from = process.stdin, process.stdout
        self.versions: dict[str, str] = {}

    async def ready(self) -> None:
        self.versions = json.loads(await self._line())

    async def say(self, text: str) -> dict[str, float]:
        """Speak it; first_audio_ms, first_audible_ms, elapsed_s, audio_s, resident_mb, peak_mb."""
        self._to.write(json.dumps(text).encode() + b"\n")
        sample: dict[str, float] = json.loads(await self._line())
        return sample

    async def end(self) -> None:
        self._to.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_S):
                await self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def _line(self) -> bytes:
        async with asyncio.timeout(_DEADLINE_S):
            line = await self._from.readline()
        if not line:
            wanted = self._peer.requirement
            hint = f"Does `uv run --no-project --with {wanted} python` work here?" if wanted else ""
            raise FirstwordError(f"The system {self._peer.name} ended.", code="peer", hint=hint)
        return line


@contextlib.asynccontextmanager
async def running(peer: Peer) -> AsyncIterator[System]:
    """The peer's process, ready to be given texts. Raises FirstwordError if it does not come up."""
    model, voices = await asyncio.to_thread(_weights)
    process = await asyncio.create_subprocess_exec(
        *_command(peer), str(_HERE / peer.script), str(model), str(voices), str(THREADS),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        env=inherited_environment({}),
    )  # fmt: skip
    system = System(peer, process)
    try:
        await system.ready()
        yield system
    finally:
        await system.end()


def _command(peer: Peer) -> list[str]:
    if peer.requirement is None:
        return [sys.executable]
    uv = shutil.which("uv")
    if uv is None:
        raise FirstwordError("uv is not on the path.", code="missing_program", hint="It makes the peers' environments.")
    apart = ["run", "--quiet", "--no-project", "--python", sys.executable, "--with", peer.requirement]
    return [uv, *apart, "python"]
