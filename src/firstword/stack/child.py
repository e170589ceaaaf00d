"""`python -m firstword.stack.child MODULE ARGS…`: run a module as `python -m` would, and die with whoever started it.

Standard input is the lifeline: the launcher holds its other end, and the kernel closes that when the launcher ends,
however it ends, SIGKILL included. At end of file this process gets SIGTERM, and is gone after a grace either way. One
mechanism for Linux and macOS alike, where PR_SET_PDEATHSIG is Linux only and follows a thread, not a process. Knows
nothing of what it runs. Above it: `firstword.stack.process`.
"""

import os
import runpy
import signal
import sys
import threading
from typing import Final

__all__ = ["main"]

_GRACE_S: Final = 5.0
_EXIT_ORPHANED: Final = 70


def _follow_parent(lifeline: int) -> None:
    while os.read(lifeline, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(_GRACE_S)
    os._exit(_EXIT_ORPHANED)


def main() -> None:
    lifeline = os.dup(0)
    threading.Thread(target=_follow_parent, args=(lifeline,), name="lifeline", daemon=True).start()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
