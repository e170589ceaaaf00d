"""The scenarios of `firstword bench` about how speech is decoded: streamed against whole, in which form and windows."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from firstword.bench.scenario import result
from firstword.cli.bench_shown import Json, Trials, console, finish, progress_line

__all__ = ["fidelity", "generator", "windows"]


def fidelity(
    groups: Annotated[list[str] | None, typer.Option("--group", help="One of them, any number of times.")] = None,
    backend: Annotated[str, typer.Option(help="onnxruntime | openvino")] = "onnxruntime",
    windows: Annotated[
        Literal["float32", "int8"], typer.Option(help="What is streamed; what is decoded whole is in float32.")
    ] = "float32",
    keep: Annotated[Path | None, typer.Option(help="Directory of what is spoken, so that a run can go on.")] = None,
    as_json: Json = False,
) -> None:
    """Streamed against whole decoding by the same graph: samples, spectra, level, words, sound, joins."""
    from firstword.bench import fidelity as scenario

    with progress_line() as progress:
        measured = scenario.run(progress, tuple(groups or scenario.GROUPS), backend=backend, windows=windows, keep=keep)
    rows = [
        (group.name, group.figures["utterances"], *(f"{group.figures[name]:.2f}" for name in scenario.FIGURES),
         f"{group.level_db_together:+.2f}", f"{group.timbre_db:.2f}", f"{group.faults} of {group.joins}")
        for group in measured.groups
    ]  # fmt: skip
    head = (
        "group",
        "utterances",
        "SNR dB",
        "worst",
        "distance dB",
        "worst",
        "level dB",
        "worst",
        "together",
        "timbre dB",
        "faults",
    )
    parameters = {"groups": [group.name for group in measured.groups], "backend": backend, "windows": windows}
    finish(result("fidelity", parameters, measured), head, rows, as_json, None, None)
    for group in measured.groups:
        if group.word_error_rate is not None:
            console.print(f"{group.name}: word error rate {group.word_error_rate}, DNSMOS {group.dnsmos}")


def generator(
    trials: Trials = 3,
    utterances: Annotated[int, typer.Option(min=1, max=12, help="Sentences, each by another voice.")] = 6,
    as_json: Json = False,
) -> None:
    """The last part of the voice by every library and in every form there is: speed, and how the sound differs."""
    from firstword.bench import generators as scenario

    with progress_line() as progress:
        measured = scenario.run(trials, utterances, progress)
    rows = [
        (way.name, f"{way.first_part_ms.median:.0f}", f"{way.real_time_factor.median:.2f}",
         *("–" if way.figures is None else f"{way.figures[name]:.2f}" for name in scenario.FIGURES))
        for way in measured.ways
    ]  # fmt: skip
    head = ("library, form", "first part ms", "real-time factor", "SNR dB", "distance dB", "level dB")
    parameters = {"trials": trials, "utterances": utterances}
    finish(result("generator", parameters, measured, measured.absent), head, rows, as_json, None, None)


def windows(
    trials: Trials = 3,
    utterances: Annotated[int, typer.Option(min=1, max=12, help="Sentences, by several voices.")] = 6,
    busy: Annotated[int, typer.Option(min=0, help="Beside so many busy loops.")] = 0,
    as_json: Json = False,
) -> None:
    """Windows of our sizes and of others: how soon the first is there, how late the others, how long each takes."""
    from firstword.bench import window_sizes as scenario

    with progress_line() as progress:
        measured = scenario.run(trials, utterances, busy, progress)
    rows = [
        (", ".join(map(str, one.steps)), *(f"{summary.median:.0f}" for summary in (one.first_window_ms, one.slack_ms,
         one.longest_window_ms)), f"{one.real_time_factor.median:.3f}")
        for one in measured
    ]  # fmt: skip
    head = ("steps of 12.5 ms", "first window ms", "slack ms", "longest window ms", "real-time factor")
    parameters = {"trials": trials, "utterances": utterances, "busy": busy}
    finish(result("windows", parameters, measured), head, rows, as_json, None, None)
