"""One prompt through the modes of an agent, in turn, and what a listener gets of each.

The modes differ in when synthesis starts and in nothing else; none is slowed down. Times are the client's own, from
the moment it receives `agent_start`. Above it: `firstword demo`, `agent-infra demo`. Below it: `client.agent`.
"""

import errno
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from firstword import audio
from firstword.bench import report
from firstword.bench.plots import save
from firstword.bench.plots.timeline import timeline
from firstword.bench.recording import Recording
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import median, ratio
from firstword.bench.trial import Trial, measure
from firstword.client.agent import DoorName, connect_agent
from firstword.errors import AgentError, FirstwordError, UsageError
from firstword.protocol.events import AgentEvent, AgentStart

__all__ = ["MODES", "Demo", "ask", "prepare", "run", "write"]

MODES: Final = ("bidi", "batch", "whole")

type Watch = Callable[[str, float, AgentEvent | None, bytes], None]
"""Sees each arrival: mode, milliseconds since `agent_start`, event (None for bare audio), PCM."""


@dataclass(frozen=True, kw_only=True)
class Demo:
    """`recordings[i]` is what `trials[i]` was computed from; `route_cost_ms` what the emulators add to first audio."""

    prompt: str
    trials: tuple[Trial, ...]
    recordings: tuple[Recording, ...]
    route_cost_ms: float | None = None

    @property
    def median_first_audio_ms(self) -> dict[str, float | None]:
        return {mode: self.median("first_audio_ms", mode) for mode in MODES}

    def median(self, figure: str, mode: str) -> float | None:
        """The median of one figure of a mode's trials; None where it was never reached."""
        return median([getattr(trial, figure) for trial in self.trials if trial.mode == mode])

    def to_json(self) -> dict[str, Any]:
        """`result.json`: the trials, the medians and their ratios."""
        first = self.median_first_audio_ms
        ratios = {"ratio": ratio(first["batch"], first["bidi"]), "ratio_whole": ratio(first["whole"], first["bidi"])}
        return {
            "prompt": self.prompt,
            "trials": [asdict(trial) for trial in self.trials],
            "median_first_audio_ms": first,
            **{name: None if value is None else round(value, 3) for name, value in ratios.items()},
            "route_cost_ms": self.route_cost_ms,
            "machine": report.machine(),
        }


async def run(
    agent: str,
    prompt: str,
    modes: Sequence[str],
    trials: int,
    watch: Watch,
    *,
    voice: str | None = None,
    pronunciations: Mapping[str, str] | None = None,
    door: DoorName = "sse",
) -> Demo:
    """Ask `trials` times in each mode, in turn, after one answer that warms the model and the voice and is dropped.

    `agent` is a URL or a runtime's ARN. Raises AgentError when an answer ends in an error, TransportError when the
    agent is lost.
    """

    async def one(mode: str, watch: Watch) -> Recording:
        return await ask(agent, prompt, mode, watch, voice=voice, pronunciations=pronunciations, door=door)

    await one(modes[0], lambda *_: None)
    order = interleaved(modes, trials, warm_ups=0)
    recordings = tuple([await one(mode, watch) for mode, _ in order])
    return Demo(prompt=prompt, trials=tuple(map(measure, recordings)), recordings=recordings)


async def ask(
    agent: str,
    prompt: str,
    mode: str,
    watch: Watch,
    *,
    voice: str | None = None,
    pronunciations: Mapping[str, str] | None = None,
    door: DoorName = "sse",
) -> Recording:
    """One answer of the agent at that URL or ARN, in a conversation of its own, recorded.

    Raises AgentError when it ends in an error, TransportError when the agent is lost.
    """
    recording, started_s, began_s = Recording(mode=mode), 0.0, math.inf
    async with (
        connect_agent(agent, door=door) as conversation,
        aclosing(conversation.ask(prompt, mode=mode, voice=voice, pronunciations=pronunciations)) as arrivals,
    ):
        async for arrival in arrivals:
            if isinstance(arrival.event, AgentStart):
                started_s = arrival.at_s
            if arrival.event is not None:
                began_s = min(began_s, arrival.at_s - arrival.event.t_ms / 1000)
            t_ms = (arrival.at_s - started_s) * 1000
            recording.note(t_ms, arrival.event, arrival.pcm, arrival.wire_bytes)
            watch(mode, t_ms, arrival.event, arrival.pcm)
    recording.shift_sent((began_s - started_s) * 1000)
    if recording.error is not None:
        code, message = recording.error
        raise AgentError(message, code=code)
    return recording


def prepare(directory: Path) -> None:
    """Make the directory that `write` fills: called before anything is measured. Raises UsageError."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if not os.access(directory, os.W_OK):
            raise PermissionError(None, os.strerror(errno.EACCES))
    except OSError as error:
        hint = "Name another directory with --out."
        raise UsageError(f"{directory} cannot be written: {error.strerror}.", code="output", hint=hint) from error


def write(demo: Demo, directory: Path) -> list[Path]:
    """A WAV for each mode (its trial nearest the median), the picture and the figures. Raises FirstwordError."""
    shown = [_typical(demo, mode) for mode in MODES if any(trial.mode == mode for trial in demo.trials)]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        written = []
        for recording in shown:
            path = directory / f"{recording.mode}.wav"
            path.write_bytes(audio.wav_header(len(recording.pcm), recording.sample_rate_hz) + recording.pcm)
            written.append(path)
    except OSError as error:
        hint = "Name another directory with --out."
        raise FirstwordError(f"{directory} cannot be written: {error.strerror}.", code="output", hint=hint) from error
    save(timeline(shown), directory / "timeline.png")
    report.write_json(demo.to_json(), directory / "result.json")
    return [*written, directory / "timeline.png", directory / "result.json"]


def _typical(demo: Demo, mode: str) -> Recording:
    middle = demo.median("first_audio_ms", mode) or 0.0
    pairs = zip(demo.trials, demo.recordings, strict=True)
    mine = [(trial, recording) for trial, recording in pairs if trial.mode == mode]
    return min(mine, key=lambda pair: abs((pair[0].first_audio_ms or 0.0) - middle))[1]
