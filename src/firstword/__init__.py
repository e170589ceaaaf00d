"""A voice agent's first word, spoken while the rest of its answer is still being written.

Importing the package imports nothing else; the names below load what they need on first use (PEP 562).
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
__all__ = ["Speech", "__version__", "connect", "say"]

_HOMES = {
    "connect": "firstword.client.connection",
    "say": "firstword.client.simple",
    "Speech": "firstword.client.simple",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
