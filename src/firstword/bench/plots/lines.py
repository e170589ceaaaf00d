"""Lines: first sound against the length of a sentence."""

from typing import Final

from matplotlib.figure import Figure

from firstword.bench.first_sound import FirstSound

__all__ = ["first_sound_lines"]

_COLORS: Final = ("#7a8290", "#1f77b4", "#c98a1b", "#3a8f5c", "#b3475b")


def first_sound_lines(measured: FirstSound) -> Figure:
    """One line a way, medians with their intervals."""
    figure = Figure(figsize=(8, 4.6), layout="constrained", facecolor="white")
    figure.suptitle("First audible sound against sentence length", fontsize=13, fontweight="bold", x=0.01, ha="left")
    axes = figure.subplots()
    for way, color in zip(dict.fromkeys(point.way for point in measured.points), _COLORS, strict=False):
        points = sorted((point for point in measured.points if point.way == way), key=lambda point: point.audio_s)
        seconds = [point.audio_s for point in points]
        axes.plot(seconds, [point.first_audible_ms.median for point in points], "o-", color=color, label=way)
        for point in points:
            low, high = point.first_audible_ms.low, point.first_audible_ms.high
            if low is not None and high is not None:
                axes.plot([point.audio_s, point.audio_s], [low, high], color=color, linewidth=1.2)
    axes.set_xlabel("seconds of speech in the sentence")
    axes.set_ylabel("milliseconds from text to first sound")
    axes.set_ylim(bottom=0)
    axes.grid(color="#e7e9ee")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure
