"""What the steps of a voice have taken of late, and so what the next will take. Plain arithmetic.

Only the order of steps and the admission of listeners follow from it, never audio. Above it: `measured`, `utterance`.
"""

from typing import Final

__all__ = ["StepCosts"]

_KEPT: Final = 0.8
"""Share of the old value that a running mean keeps."""
_TYPICAL_TOKENS: Final = 60
_TYPICAL_AUDIO_S: Final = 4.0
"""A sentence, as far as nothing is known of it."""


class StepCosts:
    """Of one voice. Seconds of work; 0 until they were measured."""

    def __init__(self) -> None:
        self._begin_a_token: float | None = None
        self._prepare_a_second: float | None = None
        self._step: float | None = None
        self._work_s = 0.0
        self._audio_s = 0.0

    def begun(self, seconds: float, tokens: int) -> None:
        self._begin_a_token = _mean(self._begin_a_token, seconds / max(1, tokens))

    def prepared(self, seconds: float, audio_s: float) -> None:
        self._prepare_a_second = _mean(self._prepare_a_second, seconds / max(0.1, audio_s))

    def stepped(self, seconds: float) -> None:
        self._step = _mean(self._step, seconds)

    def spoken(self, seconds: float, audio_s: float) -> None:
        """All the work on a piece, and all its audio: a long one says more than a short one."""
        self._work_s = _KEPT * self._work_s + seconds
        self._audio_s = _KEPT * self._audio_s + audio_s

    def begin_s(self, tokens: int = _TYPICAL_TOKENS) -> float:
        return (self._begin_a_token or 0.0) * tokens

    def prepare_s(self, audio_s: float = _TYPICAL_AUDIO_S) -> float:
        return (self._prepare_a_second or 0.0) * audio_s

    @property
    def step_s(self) -> float:
        return self._step or 0.0

    @property
    def rate(self) -> float:
        """Work for a second of audio."""
        return self._work_s / self._audio_s if self._audio_s else 0.0

    @property
    def first_s(self) -> float:
        """Until the first audio of a sentence of which nothing is known."""
        return self.begin_s() + self.prepare_s() + self.step_s


def _mean(old: float | None, new: float) -> float:
    return new if old is None else _KEPT * old + (1.0 - _KEPT) * new
