"""Showing an answer while it happens: the words as they come, and a line of what is being spoken."""

from rich.console import Console
from rich.live import Live
from rich.text import Text

from firstword.audio import duration_s
from firstword.protocol.events import (
    AgentEnd,
    AgentEvent,
    AgentStart,
    AgentTextDelta,
    SentenceEvent,
)

__all__ = ["LiveAnswer"]

_MODES = {
    "bidi": "spoken while it is written",
    "batch": "spoken once it is written",
    "whole": "sent once it is all spoken",
}


class LiveAnswer:
    """On a terminal the answer grows in place; elsewhere each answer is one line when it ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None
        self._text = self._speaking = ""
        self._audio_s = 0.0
        self._first_ms: float | None = None

    def __call__(self, mode: str, t_ms: float, event: AgentEvent | None, pcm: bytes) -> None:
        match event:
            case AgentStart():
                self._clear()
                if self._console.is_terminal:
                    self._live = Live(console=self._console, refresh_per_second=12, transient=False)
                    self._live.start()
            case AgentTextDelta(text=text):
                self._text += text
            case SentenceEvent(text=text):
                self._speaking = " ".join(text.split())
            case AgentEnd():
                self._speaking = ""
            case _:
                pass
        if pcm:
            self._first_ms = t_ms if self._first_ms is None else self._first_ms
            self._audio_s += duration_s(len(pcm))
        self._show(mode, ended=isinstance(event, AgentEnd))

    def stop(self) -> None:
        """End the display; safe at any time."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _clear(self) -> None:
        self._text = self._speaking = ""
        self._audio_s, self._first_ms = 0.0, None

    def _show(self, mode: str, *, ended: bool) -> None:
        heard = "–" if self._first_ms is None else f"{self._first_ms / 1000:.2f} s"
        head = Text.assemble((f"{mode}", "bold"), (f"  {_MODES.get(mode, '')}", "dim"))
        line = Text(f"first sound {heard}   {self._audio_s:.1f} s of speech", style="green")
        if self._live is not None:
            spoken = Text(
                f"♪ {self._speaking}" if self._speaking else "", style="yellow", no_wrap=True, overflow="ellipsis"
            )
            self._live.update(Text("\n").join([head, Text(self._text.strip()), spoken, line]))
        if ended:
            if self._live is None:
                self._console.print(Text.assemble(head, "  ", line))
            self.stop()
