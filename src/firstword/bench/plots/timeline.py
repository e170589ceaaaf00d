"""The timeline: when text came, when the voice worked, when the listener heard it, for each mode on one axis."""

from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from firstword.bench.playback import listen
from firstword.bench.recording import Recording

__all__ = ["timeline"]

_MODES: Final = {
    "bidi": "bidi: each sentence is spoken\nwhile the next is being written",
    "batch": "batch: the voice starts\nwhen the text is complete",
    "whole": "whole: sound leaves\nwhen all of it is synthesized",
}
_TEXT: Final = "#7a8290"
_VOICE: Final = ("#e0a33e", "#eec27c")
_SOUND: Final = ("#1f77b4", "#6aaede")
_STALL: Final = "#c0392b"
_INK: Final = "#20242b"
_LANES: Final = {"text": 2.0, "voice": 1.0, "sound": 0.0}


def timeline(recordings: Sequence[Recording], title: str = "When does the listener hear the answer?") -> Figure:
    """One band of three lanes for each recording, in the order given, on one axis in seconds since the question."""
    figure = Figure(figsize=(11, 0.9 + 1.75 * len(recordings)), layout="constrained", facecolor="white")
    figure.suptitle(title, fontsize=15, fontweight="bold", color=_INK, x=0.01, ha="left")
    panels = figure.subplots(len(recordings), 1, sharex=True, squeeze=False)[:, 0]
    end_s = max((_end_s(recording) for recording in recordings), default=1.0)
    for axes, recording in zip(panels, recordings, strict=True):
        _frame(axes, recording, end_s)
        _draw_text(axes, recording)
        _draw_voice(axes, recording)
        _draw_sound(axes, recording, end_s)
    if recordings:
        panels[-1].set_xlabel("seconds since the question", color=_INK)
    return figure


def _end_s(recording: Recording) -> float:
    heard = listen(recording.arrivals(), recording.sample_rate_hz)
    last_ms = max([span[1] for span in heard.spans[-1:]] + [t for t, _ in recording.text_marks[-1:]], default=1000.0)
    return last_ms / 1000


def _frame(axes: Axes, recording: Recording, end_s: float) -> None:
    axes.set_xlim(0, end_s * 1.02)
    axes.set_ylim(-0.55, 2.75)
    axes.set_yticks(list(_LANES.values()), ["text", "voice", "sound"])
    axes.set_ylabel(
        _MODES.get(recording.mode, recording.mode), rotation=0, ha="right", va="center", labelpad=24, fontsize=9
    )
    axes.tick_params(axis="y", length=0, labelsize=9, labelcolor=_INK)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="x", color="#e7e9ee", linewidth=0.8)
    axes.set_axisbelow(True)


def _bar(axes: Axes, lane: str, start_ms: float, end_ms: float, color: str, height: float = 0.56) -> None:
    width_s = max((end_ms - start_ms) / 1000, 0.004)
    axes.barh(_LANES[lane], width_s, left=start_ms / 1000, height=height, color=color, linewidth=0)


def _draw_text(axes: Axes, recording: Recording) -> None:
    if recording.text_marks:
        _bar(axes, "text", recording.text_marks[0][0], recording.text_marks[-1][0], "#d5d9e0")
        marks = [t_ms / 1000 for t_ms, _ in recording.text_marks]
        axes.vlines(marks, _LANES["text"] - 0.28, _LANES["text"] + 0.28, color=_TEXT, linewidth=0.5)


def _draw_voice(axes: Axes, recording: Recording) -> None:
    """A bar per sentence, from when the voice could begin it until its last audio arrived."""
    free_ms = 0.0
    text_end_ms = recording.text_marks[-1][0] if recording.text_marks else 0.0
    for index, sentence in enumerate(recording.sentences):
        arrivals = [chunk.t_ms for chunk in recording.chunks if chunk.sentence == index]
        if not arrivals:
            continue
        sent_ms = text_end_ms if sentence.sent_ms is None else sentence.sent_ms
        _bar(axes, "voice", max(sent_ms, free_ms), arrivals[-1], _VOICE[index % 2])
        free_ms = arrivals[-1]
    if not recording.sentences and recording.chunks:
        _bar(axes, "voice", text_end_ms, recording.chunks[-1].t_ms, _VOICE[0])


def _draw_sound(axes: Axes, recording: Recording, end_s: float) -> None:
    heard = listen(recording.arrivals(), recording.sample_rate_hz)
    for chunk, (start_ms, end_ms) in zip(recording.chunks, heard.spans, strict=True):
        _bar(axes, "sound", start_ms, end_ms, _SOUND[chunk.sentence % 2])
    for stall in heard.stalls:
        _bar(axes, "sound", stall.start_ms, stall.end_ms, _STALL, height=0.16)
    if not heard.spans:
        return
    first_s = heard.spans[0][0] / 1000
    axes.vlines(first_s, -0.5, 2.5, color=_INK, linewidth=1.2)
    right = first_s < 0.7 * end_s
    axes.annotate(
        f"first sound {first_s:.1f} s",
        (first_s, 2.52),
        xytext=(4 if right else -4, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        fontsize=10,
        fontweight="bold",
        color=_INK,
    )
