"""Bars: first audio by route, size by format, and any figure by whatever it is measured of."""

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure

from firstword.bench.statistics import Summary
from firstword.bench.transport import Transport
from firstword.bench.ttfa import Ttfa

__all__ = ["bars", "transport_bars", "ttfa_bars"]

_WHOLE: Final = "#9aa3af"
_FIRST: Final = "#1f77b4"
_INK: Final = "#20242b"


def _figure(title: str, rows: int) -> Figure:
    figure = Figure(figsize=(9, 1.2 + 0.55 * rows), layout="constrained", facecolor="white")
    figure.suptitle(title, fontsize=13, fontweight="bold", color=_INK, x=0.01, ha="left")
    return figure


def bars(title: str, unit: str, rows: Sequence[tuple[str, Summary | float]]) -> Figure:
    """A bar for each label: a median with its interval where there is one, or a bare figure."""
    figure = _figure(title, len(rows))
    axes = figure.subplots()
    for row, (_, value) in enumerate(reversed(rows)):
        middle = value.median if isinstance(value, Summary) else value
        axes.barh(row, middle, color=_FIRST, height=0.62)
        end = middle
        if isinstance(value, Summary) and value.low is not None and value.high is not None:
            axes.plot([value.low, value.high], [row, row], color=_INK, linewidth=1.4)
            end = value.high
        axes.annotate(f" {middle:.4g}", (max(end, 0), row), va="center", fontsize=9)
    axes.set_yticks(range(len(rows)), [label for label, _ in reversed(rows)], fontsize=9)
    axes.set_xlabel(unit)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def ttfa_bars(measured: Ttfa) -> Figure:
    """First audible sound, median and its interval, of the whole text and of its first sentence, by route."""
    figure = _figure("First audible sound: whole text against its first sentence", len(measured.variants))
    axes = figure.subplots()
    labels = []
    for row, item in enumerate(reversed(measured.variants)):
        summary = item.first_audible_ms
        axes.barh(row, summary.median, color=_WHOLE if item.text == "whole text" else _FIRST, height=0.62)
        if summary.low is not None and summary.high is not None:
            axes.plot([summary.low, summary.high], [row, row], color=_INK, linewidth=1.4)
        axes.annotate(f" {summary.median:.0f} ms", (summary.high or summary.median, row), va="center", fontsize=9)
        labels.append(f"{item.route}\n{item.text}")
    axes.set_yticks(range(len(labels)), labels, fontsize=9)
    axes.set_xlabel("milliseconds from sending the request (median, 95 % interval)")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def transport_bars(measured: Transport) -> Figure:
    """Bytes of all clips by format, and what they weigh as server-sent events."""
    figure = _figure(f"{measured.clips} clips, {measured.audio_s:.0f} s: bytes on the way", len(measured.formats))
    axes = figure.subplots()
    formats = list(reversed(measured.formats))
    for row, cost in enumerate(formats):
        axes.barh(row + 0.2, cost.raw_bytes / 1000, height=0.36, color=_FIRST)
        axes.barh(row - 0.2, cost.sse_bytes_20_ms / 1000, height=0.36, color=_WHOLE)
        axes.annotate(f" {cost.raw_bytes / 1000:.0f} kB", (cost.raw_bytes / 1000, row + 0.2), va="center", fontsize=8)
    axes.set_yticks(range(len(formats)), [cost.format for cost in formats])
    axes.set_xlabel("kilobytes: blue as it is, grey as server-sent events of 20 ms each")
    axes.spines[["top", "right"]].set_visible(False)
    return figure
