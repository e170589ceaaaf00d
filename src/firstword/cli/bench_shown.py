"""What every scenario of `firstword bench` shares: its options, the line of progress, the table, JSON and picture."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.status import Status

from firstword.bench import report
from firstword.bench.scenario import Result

__all__ = ["Json", "Plot", "Trials", "console", "finish", "progress_line"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")]
Plot = Annotated[Path | None, typer.Option(help="Write a picture here (PNG or SVG by suffix), the JSON beside it.")]
Trials = Annotated[int, typer.Option(min=1, help="Trials of each variant, after the warm-ups.")]

console = Console(stderr=True)


def progress_line() -> Any:
    """A context that gives a function showing one line at a time on a terminal, and nothing elsewhere."""
    status = Status("", console=console)

    class Shown:
        def __enter__(self) -> Callable[[str], None]:
            status.start()
            return status.update

        def __exit__(self, *_: object) -> None:
            status.stop()

    return Shown()


def finish(
    measured: Result,
    head: tuple[str, ...],
    rows: list[tuple[Any, ...]],
    as_json: bool,
    plot: Path | None,
    draw: Callable[[], Any] | None,
) -> None:
    report.table(f"bench {measured.scenario}", head, rows, console)
    if plot is not None and draw is not None:
        from firstword.bench.plots import save

        save(draw(), plot)
        report.write_json(measured, plot.with_suffix(".json"))
    if as_json:
        report.print_json(measured)
