"""Modes of the agent over answers of known length at a known pace, so that runs compare; and the packaged model.

A scripted model streams our own texts at a set number of tokens a second through the real agent, client, server and
voice. Nothing is slowed down but the model, and it alike for every mode.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec

from firstword.bench import corpus
from firstword.bench.demo import MODES, ask
from firstword.bench.recording import Recording
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, median, ratio, summarize
from firstword.bench.trial import Trial, measure
from firstword.llm.scripted.script import Reply, Say, Script
from firstword.stack.launcher import Agent, Llm, ScriptedLlm, Speech, Stack

__all__ = ["MODES", "NO_PACING", "PACES", "Cell", "Recording", "run", "run_packaged"]

PACES: Final = (20, 30, 50, 100)
NO_PACING: Final = {"FIRSTWORD_SERVER_MAX_LEAD_S": "3600"}
"""Nobody listens in real time here: audio is taken as fast as it is made. First audio and underruns do not change."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One answer length at one pace (None: the packaged model's own). Times in milliseconds since `agent_start`.

    `decode` None is what the settings say.
    """

    decode: str | None
    words: int | None
    tokens_per_s: int | None
    first_audio_ms: dict[str, Summary]
    first_audible_ms: dict[str, float | None]
    text_end_ms: dict[str, float | None]
    underrun_ms: dict[str, float | None]
    worst_underrun_ms: dict[str, float]
    starved_by_synthesis_ms: dict[str, float | None]
    batch_over_bidi: float | None
    whole_over_bidi: float | None
    trials: tuple[Trial, ...]


async def run(
    words: Sequence[int],
    paces: Sequence[int],
    trials: int,
    progress: Callable[[str], None],
    *,
    decodes: Sequence[str | None] = (None,),
    warm_ups: int = 1,
) -> tuple[list[Cell], list[Recording]]:
    """A cell for each pace, way of decoding and length, and every recording."""
    cells, recordings = [], []
    for pace, decode in product(paces, decodes):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "script.json"
            script.write_bytes(msgspec.json.encode(_script(words, pace)))
            voice = Speech(environ={**NO_PACING, **({"FIRSTWORD_VOICE_DECODE": decode} if decode else {})})
            async with Stack(voice, ScriptedLlm(script=script), Agent()) as stack:
                for count in words:
                    progress(f"{count} words at {pace} tokens a second")
                    taken = await _trials(stack.agent_url, _question(count), trials, warm_ups)
                    cells.append(_cell([measure(recording) for recording in taken], count, pace, decode))
                    recordings += taken
    return cells, recordings


async def run_packaged(prompt: str, trials: int, progress: Callable[[str], None]) -> tuple[Cell, list[Recording]]:
    """The same with the packaged language model, at whatever pace it has beside the voice."""
    progress("packaged model")
    async with Stack(Speech(environ=NO_PACING), Llm(), Agent()) as stack:
        taken = await _trials(stack.agent_url, prompt, trials, warm_ups=1)
    return _cell([measure(recording) for recording in taken], None, None), taken


def _question(words: int) -> str:
    return f"Please answer in {words} words."


def _script(words: Sequence[int], pace: int) -> Script:
    replies = [Reply(turns=((Say(text=corpus.answer(count)),),), when=_question(count)) for count in words]
    return Script(replies=tuple(replies), tokens_per_s=float(pace))


async def _trials(agent: str, prompt: str, trials: int, warm_ups: int) -> list[Recording]:
    taken = []
    for mode, counts in interleaved(MODES, trials, warm_ups):
        recording = await ask(agent, prompt, mode, lambda *_: None)
        if counts:
            taken.append(recording)
    return taken


def _cell(trials: Sequence[Trial], words: int | None, pace: int | None, decode: str | None = None) -> Cell:
    by_mode = {mode: [trial for trial in trials if trial.mode == mode] for mode in MODES}

    def medians(figure: str) -> dict[str, Any]:
        return {mode: median([getattr(trial, figure) for trial in of]) for mode, of in by_mode.items()}

    first = {mode: summarize([trial.first_audio_ms or 0.0 for trial in of]) for mode, of in by_mode.items()}
    ratios = {mode: ratio(first[mode].median, first["bidi"].median) for mode in MODES}
    return Cell(
        decode=decode,
        words=words,
        tokens_per_s=pace,
        first_audio_ms=first,
        first_audible_ms=medians("first_audible_ms"),
        text_end_ms=medians("text_end_ms"),
        underrun_ms=medians("underrun_ms"),
        worst_underrun_ms={mode: max(trial.underrun_ms for trial in of) for mode, of in by_mode.items()},
        starved_by_synthesis_ms=medians("starved_by_synthesis_ms"),
        batch_over_bidi=None if ratios["batch"] is None else round(ratios["batch"], 3),
        whole_over_bidi=None if ratios["whole"] is None else round(ratios["whole"], 3),
        trials=tuple(trials),
    )
