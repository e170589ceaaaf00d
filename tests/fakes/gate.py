"""A gate in front of every step of the test voice: a test decides when a step may go on, and sees when one waits."""

import asyncio
import threading
from collections.abc import Callable

from firstword.kokoro.synthesizer import CancelToken

__all__ = ["Gate"]


class Gate:
    """Give it to `ToneVoice(wait=…)`. Closed at first; a cancelled step passes, and then ends by its token."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._passes = 0
        self._open = False
        self.arrived = 0
        self.left_by_cancel = 0

    def __call__(self, seconds: float, cancel: CancelToken) -> None:
        forget = cancel.on_cancel(self._wake)
        with self._changed:
            self.arrived += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._open or self._passes > 0 or cancel.cancelled, timeout=30)
            if cancel.cancelled:
                self.left_by_cancel += 1
            elif not self._open:
                self._passes -= 1
            self._changed.notify_all()
        forget()

    def let(self, steps: int) -> None:
        """Let that many steps go on."""
        with self._changed:
            self._passes += steps
            self._changed.notify_all()

    def open(self) -> None:
        """Let every step go on from now on."""
        with self._changed:
            self._open = True
            self._changed.notify_all()

    async def until_arrived(self, count: int = 1) -> None:
        """Wait until `count` steps in all have come to the gate."""
        await asyncio.to_thread(self._wait_for, lambda: self.arrived >= count)

    async def until_cancelled(self) -> None:
        """Wait until a step has left the gate because it was cancelled."""
        await asyncio.to_thread(self._wait_for, lambda: self.left_by_cancel > 0)

    def _wait_for(self, reached: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(reached, timeout=20), f"{self.arrived} steps came to the gate"

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
