"""How an operation tells a person what it does: the seam between operations and a command line."""

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Report", "Silent"]


class Report(Protocol):
    """What an operation says while it runs. Everything goes to stderr; results are return values."""

    def stage(self, name: str) -> None:
        """A new stage begins."""
        ...

    def say(self, text: str) -> None:
        """One line of progress, or of warning."""
        ...

    def approve(self, question: str, lines: Sequence[str]) -> bool:
        """Show `lines` and ask. False means no."""
        ...

    def progress(self, what: str, done: int, total: int) -> None:
        """Bytes moved so far."""
        ...


class Silent:
    """Records what is said and approves everything: for callers without a person, such as tests."""

    def __init__(self, answer: bool = True) -> None:
        self.answer = answer
        self.stages: list[str] = []
        self.lines: list[str] = []
        self.asked: list[str] = []
        self.moved: dict[str, tuple[int, int]] = {}

    def stage(self, name: str) -> None:
        self.stages.append(name)

    def say(self, text: str) -> None:
        self.lines.append(text)

    def approve(self, question: str, lines: Sequence[str]) -> bool:
        self.asked += [question, *lines]
        return self.answer

    def progress(self, what: str, done: int, total: int) -> None:
        self.moved[what] = (done, total)
