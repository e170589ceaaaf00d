"""`firstword demo`: the whole thing on this machine, one prompt through the modes, with numbers and a picture."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from firstword.bench import demo as scenario
from firstword.bench import report, ttfa
from firstword.bench.agent import NO_PACING
from firstword.cli.live import LiveAnswer
from firstword.errors import UsageError
from firstword.stack.launcher import Agent, Emulator, Llm, Speech, Stack
from firstword.stack.parts import Part

__all__ = ["DEFAULT_PROMPT", "chosen_modes", "demo", "show"]

_ROUTE_TRIALS = 5
DEFAULT_PROMPT = "Why do people like walking in the forest?"


def demo(
    prompt: Annotated[str, typer.Option(help="What to ask.")] = DEFAULT_PROMPT,
    mode: Annotated[str, typer.Option(help="all | bidi | batch | whole")] = "all",
    trials: Annotated[int, typer.Option(min=1, help="Answers in each mode.")] = 1,
    voice: Annotated[str | None, typer.Option(help="Voice or blend.")] = None,
    via: Annotated[str, typer.Option(help="websocket | sagemaker (through the emulators)")] = "websocket",
    out: Annotated[Path, typer.Option(help="Where WAVs, picture and result.json go.")] = Path("out"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")] = False,
) -> None:
    """Ask a local agent, hear it answer while it writes, and see what the other ways would have cost."""
    modes = chosen_modes(mode)
    if not prompt.strip():
        raise UsageError("There is no prompt.", hint='Say --prompt "…".')
    parts = _parts(via)
    scenario.prepare(out)
    console = Console(stderr=True)
    measured = asyncio.run(_run(parts, prompt, modes, trials, voice, console))
    written = scenario.write(measured, out)
    show(measured, console)
    if measured.route_cost_ms is not None:
        console.print(f"the route through the emulators costs {measured.route_cost_ms:.1f} ms of first audio")
    console.print("written: " + ", ".join(str(path) for path in written), style="dim", soft_wrap=True)
    if as_json:
        report.print_json(measured.to_json())


def chosen_modes(mode: str) -> Sequence[str]:
    """The modes that `--mode` names. Raises UsageError for one that does not exist."""
    if mode == "all":
        return scenario.MODES
    if mode not in scenario.MODES:
        raise UsageError(f"There is no mode {mode!r}; one of: all, {', '.join(scenario.MODES)}.")
    return (mode,)


def show(measured: scenario.Demo, console: Console) -> None:
    """The table of medians, and the ratios."""
    figures = {
        "first text": "first_text_ms",
        "first sentence sent": "first_sentence_ms",
        "first audio": "first_audio_ms",
        "first audible": "first_audible_ms",
        "text end": "text_end_ms",
        "audio end": "audio_end_ms",
        "underruns": "underrun_ms",
    }
    modes = [mode for mode in scenario.MODES if any(trial.mode == mode for trial in measured.trials)]
    rows = [(name, *(_shown(measured.median(figure, mode)) for mode in modes)) for name, figure in figures.items()]
    seconds = [measured.median("audio_s", mode) for mode in modes]
    rows.append(("audio length", *("–" if value is None else f"{value:.1f} s" for value in seconds)))
    rows.append(("bytes received", *(_shown(measured.median("wire_bytes", mode)) for mode in modes)))
    count = len(measured.trials) // max(1, len(modes))
    report.table(f"medians of {count}, milliseconds since the question", ("", *modes), rows, console)
    told = measured.to_json()
    for name, meaning in (("ratio", "batch / bidi"), ("ratio_whole", "whole / bidi")):
        if told[name] is not None:
            console.print(f"first audio, {meaning}: [bold]{told[name]:.1f}x[/bold]")


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _parts(via: str) -> list[Part]:
    match via:
        case "websocket":
            return [Speech(environ=NO_PACING), Llm(), Agent()]
        case "sagemaker":
            emulator = Emulator()
            return [Speech(environ=NO_PACING), Llm(), emulator, Agent(speech=f"endpoint:{emulator.endpoint}")]
        case _:
            raise UsageError(f"There is no route {via!r}; one of: websocket, sagemaker.")


async def _run(
    parts: Sequence[Part], prompt: str, modes: Sequence[str], trials: int, voice: str | None, console: Console
) -> scenario.Demo:
    console.print("starting the voice, the language model and the agent …", style="dim")
    live = LiveAnswer(console)
    async with Stack(*parts) as stack:
        os.environ.update(stack.exports)
        try:
            measured = await scenario.run(stack.agent_url, prompt, modes, trials, live, voice=voice)
            if stack.exports:
                live.stop()
                cost_ms = await _route_cost_ms(stack.speech_url, f"endpoint:{Emulator().endpoint}")
                measured = replace(measured, route_cost_ms=cost_ms)
            return measured
        finally:
            live.stop()


async def _route_cost_ms(direct: str, endpoint: str) -> float:
    """How much later the first audio of one sentence comes by the endpoint than straight from its server: medians."""
    routes = {"websocket": direct, "sagemaker": endpoint}
    measured = await ttfa.run(routes, _ROUTE_TRIALS, lambda _: None)
    first = {item.route: item.first_byte_ms.median for item in measured.variants if item.text != "whole text"}
    return round(first["sagemaker"] - first["websocket"], 2)
