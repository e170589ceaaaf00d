"""How much of the processor others took while something was measured, by what Linux counts."""

import os
import time
from pathlib import Path
from typing import Final

__all__ = ["OtherWork"]

_STAT: Final = Path("/proc/stat")
_IDLE: Final = (3, 4)
"""Idle, and waiting for a disk."""
_COUNTED: Final = 8
"""Up to what a hypervisor took; what guests take is counted among the first."""


class OtherWork:
    """Begins to count when it is made."""

    def __init__(self, stat: Path = _STAT) -> None:
        self._stat = stat
        self._before = self._now()

    def share(self) -> float | None:
        """Of all cores' time since then, the part that neither this process used nor nobody. None where Linux does not
        tell, or too little time went by to tell."""
        now = self._now()
        if self._before is None or now is None or now[0] <= self._before[0]:
            return None
        all_s, used_s, own_s = (later - sooner for later, sooner in zip(now, self._before, strict=True))
        return min(1.0, max(0.0, (used_s - own_s) / all_s))

    def _now(self) -> tuple[float, float, float] | None:
        """Seconds of all cores, of those the used, of those our own."""
        try:
            _, *counted = self._stat.read_text().split("\n", 1)[0].split()[: _COUNTED + 1]
            ticks = [int(count) for count in counted]
            idle = sum(ticks[index] for index in _IDLE)
            rate = os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return None
        return sum(ticks) / rate, (sum(ticks) - idle) / rate, time.process_time()
