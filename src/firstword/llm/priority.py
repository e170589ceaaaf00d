"""Giving way: a model that writes faster than anybody listens has time, the voice beside it on the same cores has not.

Threads started afterwards inherit it. Where the kernel groups processes by session (autogroup, the default of most
Linux desktops and servers), niceness counts within a session only, so the group is told as well.
"""

import contextlib
import os
from pathlib import Path
from typing import Final

from firstword.errors import ConfigError

__all__ = ["give_way"]

_AUTOGROUP: Final = Path("/proc/self/autogroup")
_LEAST: Final = 19


def give_way(nice: int) -> None:
    """Lower the priority of this process, and of its session if it leads one. Raises ConfigError out of 0..19."""
    if not 0 <= nice <= _LEAST:
        raise ConfigError(f"FIRSTWORD_LLM_NICE is {nice}.", hint=f"Set it to 0 to {_LEAST}.")
    if nice and hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it was lower already
            os.setpriority(os.PRIO_PROCESS, 0, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))
        if os.getsid(0) == os.getpid():
            with contextlib.suppress(OSError):  # no such kernel, or no right to
                _AUTOGROUP.write_text(str(nice))
