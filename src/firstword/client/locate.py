"""Where a piece of a text stands in the text it was cut from, in code points. Pure; used by `answer` and `stream`."""

import re

__all__ = ["Locator"]


class Locator:
    """Feed it the text as it comes; ask for its pieces in their order. Holds only what has not been located yet."""

    def __init__(self, text: str = "", start: int = 0) -> None:
        self._rest = text
        self._start = start

    def feed(self, text: str) -> None:
        self._rest += text

    def take(self, piece: str) -> tuple[int, int, str]:
        """Start, end and wording in the source of the next piece, white space at its ends left out.

        A piece that was changed in more than its white space is taken to be as long as it is, where the last one ended.
        """
        first, last = self._find(piece.strip())
        wording = self._rest[first:last]
        self._rest = self._rest[last:]
        found = self._start + first, self._start + last, wording
        self._start += last
        return found

    def _find(self, piece: str) -> tuple[int, int]:
        at = len(self._rest) - len(self._rest.lstrip())
        if not self._rest.startswith(piece, at):
            at = self._rest.find(piece)
        if at >= 0:
            return at, at + len(piece)
        loose = re.search(r"\s+".join(map(re.escape, piece.split())), self._rest)
        if loose is not None:
            return loose.span()
        at = len(self._rest) - len(self._rest.lstrip())
        return at, min(len(self._rest), at + len(piece))
