"""A language given on a command line: one of those that are known, however it is written."""

from collections.abc import Iterable
from typing import Final

from firstword.errors import UsageError
from firstword.text.rules.languages import LANGUAGES

__all__ = ["WRITTEN", "check_language"]

WRITTEN: Final = tuple(code for code in LANGUAGES if code != "xx")
"""Languages whose text is read by rules of its own."""


def check_language(given: str, known: Iterable[str]) -> list[str]:
    """Which of the known languages `given` means: pt_BR is pt-br, en is en-us and en-gb, es-MX is es.

    Raises UsageError, listing what is known, for one that is none of them.
    """
    listed = list(known)
    asked = given.strip().lower().replace("_", "-")
    base = asked.partition("-")[0]
    found = [name for name in listed if name == asked] or [name for name in listed if name.partition("-")[0] == base]
    if not found:
        raise UsageError(f"There is no language {given!r}; one of: {', '.join(listed)}.")
    return found
