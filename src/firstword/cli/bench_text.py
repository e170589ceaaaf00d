"""The scenarios of `firstword bench` that measure text: where sentences are cut, and what is said."""

from pathlib import Path
from typing import Annotated, Any

import typer

from firstword.bench.scenario import result
from firstword.cli.bench_shown import Json, Plot, finish, progress_line

__all__ = ["chunker", "spoken"]


def chunker(
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = Path("tests/text/cases"),
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Sentence chunking: our score and that of the splitters that are installed, in one run."""
    from firstword.bench.chunker import measure
    from firstword.bench.plots.bars import bars

    measured = measure(cases)
    shown = [(name, float(of["f1"])) for name, of in measured.items() if isinstance(of, dict) and "f1" in of]
    finish(result("chunker", {"cases": str(cases)}, measured), ("figure", "value"), _flat(measured), as_json, plot,
            lambda: bars("Sentence boundaries", "F1", shown))  # fmt: skip


def _flat(value: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Rows of a nested dictionary's numbers; lists, and the many categories, stay in the JSON."""
    rows: list[tuple[str, Any]] = []
    for name, item in value.items():
        if name == "by_category":
            continue
        if isinstance(item, dict):
            rows += _flat(item, f"{prefix}{name}, ")
        elif not isinstance(item, list):
            rows.append((f"{prefix}{name}", f"{item:.3f}" if isinstance(item, float) else item))
    return rows


def spoken(
    cost_only: Annotated[
        bool, typer.Option("--cost-only", help="Only what the chain from text to words costs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Whether 40 written texts are said right and heard so, and what the chain from text to words costs a sentence."""
    from firstword.bench import spoken as scenario

    if cost_only:
        cost = {"chain_ms": round(scenario.cost_ms(), 3)}
        finish(result("spoken", {"cost_only": True}, cost), ("figure", "value"), [*cost.items()], as_json, None, None)
        return
    with progress_line() as progress:
        measured = scenario.run(progress)
    names = ("texts", "right", "words", "word_error_rate", "chain_ms")
    rows = [(name, getattr(measured, name)) for name in names]
    finish(result("spoken", {}, measured), ("figure", "value"), rows, as_json, None, None)
