"""`agent-infra demo`: one prompt through the modes of any agent, local or deployed."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal, cast

import typer
from rich.console import Console

from firstword.bench import demo as scenario
from firstword.bench import report
from firstword.cli.demo import DEFAULT_PROMPT, chosen_modes, show
from firstword.cli.infra_options import Common, spread
from firstword.cli.live import LiveAnswer
from firstword.errors import AgentError, InfraError, UsageError
from firstword.infra.toolkit.agents import find_runtime
from firstword.text.pronunciation import read_pronunciations

__all__ = ["demo"]


@spread
def demo(
    common: Common,
    endpoint_url: Annotated[
        str | None, typer.Option(help="URL or runtime ARN of the agent; without it the deployed one is found.")
    ] = None,
    prompt: Annotated[str, typer.Option(help="What to ask.")] = DEFAULT_PROMPT,
    mode: Annotated[str, typer.Option(help="all | bidi | batch | whole")] = "all",
    trials: Annotated[int, typer.Option(min=1, help="Answers in each mode.")] = 1,
    voice: Annotated[str | None, typer.Option(help="Voice or blend.")] = None,
    pronunciations: Annotated[
        Path | None, typer.Option(help="JSON file: word to respelling, or to /phonemes/.")
    ] = None,
    door: Annotated[str, typer.Option(help="sse (events, base64) | ws (binary audio)")] = "sse",
    out: Annotated[Path | None, typer.Option(help="Also write WAVs, picture and result.json here.")] = None,
) -> None:
    """Ask an agent in each mode and compare the first `audio_chunk` against `agent_start`."""
    modes = chosen_modes(mode)
    if door not in ("sse", "ws"):
        raise UsageError(f"There is no door {door!r}; one of: sse, ws.")
    words = read_pronunciations(pronunciations).entries if pronunciations else None
    if out is not None:
        scenario.prepare(out)
    agent = endpoint_url or _deployed(common)
    console = Console(stderr=True)
    live = LiveAnswer(console)
    chosen = cast(Literal["sse", "ws"], door)
    try:
        measured = asyncio.run(
            scenario.run(agent, prompt, modes, trials, live, voice=voice, pronunciations=words, door=chosen)
        )
    except AgentError as error:
        if error.code == "bad_pronunciation":
            raise UsageError(error.message, code=error.code, hint=error.hint) from error
        raise
    finally:
        live.stop()
    show(measured, console)
    if out is not None:
        written = scenario.write(measured, out)
        console.print("written: " + ", ".join(str(path) for path in written), style="dim", soft_wrap=True)
    if common.as_json:
        report.print_json(measured.to_json())


def _deployed(common: Common) -> str:
    site = common.site
    runtime = find_runtime(site.cloud, site.place.runtime_name)
    if runtime is None:
        hint = "agent-infra deploy brings one up, or name one with --endpoint-url."
        raise InfraError("No agent is deployed here.", code="not_deployed", hint=hint)
    return runtime.arn
