"""Dots: a figure of every text, so that the odd one out is seen."""

from typing import Final

from matplotlib.figure import Figure

from firstword.bench.quality import Quality

__all__ = ["quality_dots"]

_INK: Final = "#20242b"
_FIGURES: Final = {
    "dnsmos": "DNSMOS, overall",
    "word_error_rate": "word error rate",
    "loudness_dbfs": "loudness, dBFS",
}


def quality_dots(measured: Quality) -> Figure:
    """Quality, errors and loudness of every text, in the order of the corpus, and their means."""
    figure = Figure(figsize=(9, 6), layout="constrained", facecolor="white")
    title = f"{len(measured.utterances)} texts in {measured.voice}: {measured.joins} joins, {measured.faults} faults"
    figure.suptitle(title, fontsize=13, fontweight="bold", color=_INK, x=0.01, ha="left")
    for axes, (name, label) in zip(figure.subplots(3, 1, sharex=True), _FIGURES.items(), strict=True):
        axes.plot([getattr(item, name) for item in measured.utterances], "o", color="#1f77b4", markersize=4)
        axes.axhline(getattr(measured, name), color=_INK, linewidth=1)
        axes.set_ylabel(label, fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("text")
    return figure
