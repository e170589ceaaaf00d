"""An emulator for tests on a busy machine: its container has longer than 250 ms to accept a connection."""

from typing import Any

from firstword.config import EmulatorSettings

__all__ = ["patient"]


def patient(**settings: Any) -> EmulatorSettings:
    """The settings, and a patience that no busy machine exhausts."""
    return EmulatorSettings(**{"accept_timeout_s": 10.0, **settings})
