"""How well a text was cut: boundaries against a gold standard, what was lost, how late each cut came. Pure.

A boundary is counted in the characters before it, white space, emoji and ruled lines left out: on which side of those a
cut falls makes no difference to a listener. `chunker` stands above.
"""

import json
import random
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from firstword.errors import UsageError

__all__ = ["Case", "Chunker", "Outcome", "Tally", "judge", "load_cases", "stream", "tokens"]

_RULED_LINE: Final = re.compile(r"^[ \t]*[-*_=|:][-*_=|: \t]{2,}$", re.MULTILINE)
_UNHEARD: Final = re.compile("[\\s\U0001f000-\U0001faff\u2600-\u27bf\u200d\ufe0f\u20e3\U000e0020-\U000e007f]")
_TOKEN: Final = re.compile(r"\r?\n+|[ \t]?[^\W_]+|[ \t]?[^\w\s]+|[ \t]?_+|\s")


class Chunker(Protocol):
    """Anything that cuts a stream."""

    def feed(self, fragment: str, /) -> Iterable[str]: ...

    def flush(self) -> Iterable[str]: ...


@dataclass(frozen=True, kw_only=True)
class Case:
    """A text and where it should be cut; a cut at an optional place is neither right nor wrong."""

    id: str
    language: str
    category: str
    text: str
    sentences: tuple[str, ...]
    optional: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One case as it was cut."""

    hits: int
    extra: int
    missed: int
    lossless: bool
    unspeakable: int
    delays: tuple[int, ...] = ()  # of each hit, in tokens

    @property
    def exact(self) -> bool:
        return self.lossless and not self.extra and not self.missed


@dataclass(kw_only=True)
class Tally:
    """Outcomes summed up."""

    cases: int = 0
    exact: int = 0
    hits: int = 0
    extra: int = 0
    missed: int = 0
    lossless: int = 0
    unspeakable: int = 0
    delays: list[int] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.cases += 1
        self.exact += outcome.exact
        self.hits += outcome.hits
        self.extra += outcome.extra
        self.missed += outcome.missed
        self.lossless += outcome.lossless
        self.unspeakable += outcome.unspeakable
        self.delays += outcome.delays

    @property
    def f1(self) -> float:
        """Of boundaries; 1 where there was none to find and none was found."""
        found = 2 * self.hits + self.extra + self.missed
        return 2 * self.hits / found if found else 1.0


def load_cases(folder: Path) -> list[Case]:
    """The cases of every `*.jsonl` in `folder`. Raises UsageError where there is none."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise UsageError(f"There are no cases in {folder}.", hint="Run in a checkout, or say where they are.")
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        Case(
            id=row["id"],
            language=row["lang"],
            category=row["category"],
            text=row["text"],
            sentences=tuple(row["sentences"]),
            optional=tuple(row["optional"]),
        )
        for row in rows
    ]


def tokens(text: str, seed: int = 0) -> list[str]:
    """`text` as a language model might send it: words with the space before them, long ones in pieces."""
    chance = random.Random(seed * 7919 + len(text))
    pieces = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        least, most = (1, 3) if any(ord(char) > 0x58F for char in word) else (3, 6)
        while word:
            size = len(word) if len(word) <= most else chance.randint(least, most)
            pieces.append(word[:size])
            word = word[size:]
    return pieces


def stream(
    chunker: Chunker, fragments: Sequence[str], pause: Callable[[], Iterable[str]] | None = None
) -> list[tuple[str, int]]:
    """Every chunk with the number of fragments that had come by then; `pause` is called after each fragment."""
    released = []
    for count, fragment in enumerate(fragments, start=1):
        released += [(chunk, count) for chunk in chunker.feed(fragment)]
        if pause:
            released += [(chunk, count) for chunk in pause()]
    return released + [(chunk, len(fragments)) for chunk in chunker.flush()]


def judge(case: Case, released: Sequence[tuple[str, int]], fragments: Sequence[str]) -> Outcome:
    """Compare the chunks of `case`, fed as `fragments`, with its sentences."""
    heard = _heard_before(case.text)
    wanted, optional = _gold(case, heard)
    found: dict[int, int] = {}
    position, lost = 0, False
    for chunk, count in released:
        position, complete = _locate(case.text, position, chunk)
        lost = lost or not complete
        found.setdefault(heard[position], count)
    lost = lost or bool(case.text[position:].strip())
    cuts = {cut for cut in found if 0 < cut < heard[-1]}
    hits = cuts & wanted.keys()
    return Outcome(
        hits=len(hits),
        extra=len(cuts - wanted.keys() - optional),
        missed=len(wanted.keys() - cuts),
        lossless=not lost,
        unspeakable=sum(not any(char.isalnum() for char in chunk) for chunk, _ in released),
        delays=tuple(_delay(wanted[cut], found[cut], fragments) for cut in sorted(hits)),
    )


def _heard_before(text: str) -> list[int]:
    unheard = {index for match in _RULED_LINE.finditer(text) for index in range(*match.span())}
    unheard |= {match.start() for match in _UNHEARD.finditer(text)}
    counts = [0]
    for index in range(len(text)):
        counts.append(counts[-1] + (index not in unheard))
    return counts


def _gold(case: Case, heard: list[int]) -> tuple[dict[int, int], set[int]]:
    """Each wanted cut with the offset where its sentence ends, and the optional cuts."""
    position, wanted = 0, {}
    for sentence in case.sentences:
        position, _ = _locate(case.text, position, sentence)
        end = bisect_left(heard, heard[position])
        if 0 < heard[position] < heard[-1]:
            wanted[heard[position]] = end
    return wanted, {heard[offset] for offset in case.optional} - wanted.keys()


def _locate(text: str, position: int, chunk: str) -> tuple[int, bool]:
    """Behind `chunk` in `text` from `position`, and whether every character of it was next."""
    complete = True
    for char in chunk:
        if char.isspace():
            continue
        while position < len(text) and text[position].isspace():
            position += 1
        if not text.startswith(char, position):
            complete = False
            ahead = text.find(char, position, position + 80)
            if ahead < 0:
                continue
            position = ahead
        position += 1
    return position, complete


def _delay(end: int, count: int, fragments: Sequence[str]) -> int:
    """Fragments from the one in which the sentence ended to the one at which its chunk came."""
    length = 0
    for number, fragment in enumerate(fragments, start=1):
        length += len(fragment)
        if length >= end:
            return max(0, count - number)
    return 0
