"""Cuts a stream of text into sentences, each released as soon as the characters seen decide where it ends.

Knows nothing of time, sound or the network: `feed` and `flush` depend on the text alone and give the same chunks
however it was cut into fragments; `idle` is for a caller with a clock. The rules live in `text.rules`; this module
keeps the pending text and asks them. The speech server, the client and the agent stand above.
"""

import re
from typing import Final, Literal

from firstword.text.rules.clauses import CLAUSE_CANDIDATE, judge_clause, last_clause
from firstword.text.rules.items import judge_bullet, judge_item_number
from firstword.text.rules.languages import named_language
from firstword.text.rules.length import SPACED_LIMIT, forced_cut, limit_of
from firstword.text.rules.lines import fence_at, judge_code, judge_line_break
from firstword.text.rules.marks import (
    BORROWED_STOP,
    BORROWED_STOPS,
    BULLETS,
    INTERESTING,
    LINE_BREAKS,
    SPEAKABLE,
    left_open,
)
from firstword.text.rules.pauses import ends_for_now
from firstword.text.rules.reading import NeedMore, Reading, Verdict
from firstword.text.rules.stops import judge_borrowed_stop, judge_stop

__all__ = ["IncrementalSentenceChunker"]

# A large fragment is taken in slices, so that cutting chunks off its front stays linear.
_SLICE: Final = 2048
_LONG_LINE: Final = 256
_FIRST_CHUNK: Final = re.compile(f"{INTERESTING.pattern}|{CLAUSE_CANDIDATE.pattern}")
# Words a stalled stream must have before a clause mark to be cut there.
_STALLED_WORDS: Final = 4


class IncrementalSentenceChunker:
    """Complete sentences from a live token stream.

    Each chunk is a verbatim slice of the input without the white space around it: the chunks in order, with the white
    space between them, are the input again. So a chunk begins at the first character that is not white space behind the
    end of the one before. No chunk is without a letter or digit; what is left at the end of the stream with nothing to
    say ("…", an emoji on a line of its own) is dropped.

    `language` is a code such as "en" or "pt-br", or None if unknown. With `first_chunk="clause"` the first chunk may
    end at a clause mark with at least `min_first_words` words before it: earlier sound, at the price of a breath
    inside the sentence. After `flush` the object is as new, for the next turn.
    """

    def __init__(
        self,
        language: str | None = None,
        first_chunk: Literal["sentence", "clause"] = "sentence",
        *,
        min_first_words: int = 4,
    ) -> None:
        # "pt-br" is "pt".
        self._language = (language or "en").lower().replace("_", "-").partition("-")[0]
        self._named = named_language(self._language)
        self._first_chunk = first_chunk
        self._min_first_words = min_first_words
        self._reset()

    def feed(self, fragment: str) -> list[str]:
        """Take the next fragment; return the chunks it completes, none most of the time."""
        reading = self._reading
        if self._settled_scan and len(reading.text) + len(fragment) < self._limit and not INTERESTING.search(fragment):
            reading.text += fragment
            return []
        chunks: list[str] = []
        for start in range(0, len(fragment), _SLICE):
            reading.text += fragment[start : start + _SLICE]
            self._advance(chunks)
        return chunks

    def flush(self) -> list[str]:
        """End the stream: return all that is left."""
        chunks: list[str] = []
        self._reading.final = True
        self._advance(chunks)
        self._release(len(self._reading.text), chunks)
        self._reset()
        return chunks

    def idle(self, *, long: bool = False) -> list[str]:
        """No fragment has come for a while (40 to 80 ms): return the pending text if it looks complete as it stands.

        With `long` (no fragment for some 700 ms and playback about to run dry) a pending clause is enough: all up to
        the last clause mark with at least four words before it. Such a guess may cut where the rules would not have.
        """
        chunks: list[str] = []
        if self._fence:
            return chunks
        if ends_for_now(self._reading, long=long):
            self._release(len(self._reading.text), chunks)
        elif long and (end := last_clause(self._reading, _STALLED_WORDS)):
            self._release(end, chunks, continued=True)
        return chunks

    def _reset(self) -> None:
        self._reading = Reading("", final=False, guessed=self._language, named=self._named)
        self._settled: list[str] = []
        self._settled_speaks = False
        self._clauses = self._first_chunk == "clause"
        self._fence = ""
        # Lines of the open block so far; negative while the rest of a long line is awaited.
        self._fence_line = 0
        self._begin()

    def _begin(self) -> None:
        """A new chunk: nothing of it has been looked at."""
        self._scan = 0
        self._limit = 0
        self._reading.guessed_at = -1
        self._settled_scan = False

    def _advance(self, chunks: list[str]) -> None:
        self._settled_scan = False
        try:
            while self._step(chunks):
                pass
        except NeedMore:
            return

    def _step(self, chunks: list[str]) -> bool:
        """Decide one thing; False when all that has come is decided."""
        if self._fence:
            return self._step_in_fence(chunks)
        reading = self._reading
        if not self._scan and not self._settled and not self._strip_front():
            return False
        pattern = _FIRST_CHUNK if self._clauses else INTERESTING
        match = pattern.search(reading.text, self._scan)
        position = match.start() if match else len(reading.text)
        if self._limit < SPACED_LIMIT:
            self._limit = limit_of(reading.text)
        if position >= self._limit:
            self._force(chunks)
            return True
        self._scan = position
        if match is None:
            self._settled_scan = not reading.final and not self._clauses
            return False
        self._apply(self._judge(position, chunks), chunks)
        return True

    def _judge(self, position: int, chunks: list[str]) -> Verdict:
        reading = self._reading
        char = reading.text[position]
        if char in LINE_BREAKS:
            return judge_line_break(reading, position)
        if char in BORROWED_STOPS and BORROWED_STOP.match(reading.text, position - 1 if position else 0):
            return judge_borrowed_stop(reading, position)
        if char in "`~":
            fence = fence_at(reading, position)
            return self._open_fence(fence, position, chunks) if fence else judge_code(reading, position)
        if self._clauses and CLAUSE_CANDIDATE.match(char):
            ends, end = judge_clause(reading, position, self._min_first_words)
            if ends:
                self._release(end, chunks, continued=True)
                return False, 0
            return False, end
        if char in BORROWED_STOPS:
            return False, position + 1
        if char == ")":
            return judge_item_number(reading, position)
        if char in BULLETS:
            return judge_bullet(reading, position)
        if reading.line_head and reading.text.startswith("|"):
            return False, position + 1
        return judge_stop(reading, position)

    def _apply(self, verdict: Verdict, chunks: list[str]) -> None:
        ends, position = verdict
        if ends:
            self._release(position, chunks)
        else:
            self._scan = position

    def _strip_front(self) -> bool:
        """Drop the white space before a chunk, remembering a line break in it; False if nothing else has come."""
        reading = self._reading
        if reading.text and not reading.text[0].isspace():
            return True
        text = reading.text.lstrip()
        dropped = len(reading.text) - len(text)
        if dropped:
            if reading.last_break(dropped) >= 0:
                reading.line_head, reading.line_offset = True, 0
            reading.text = text
        return bool(text)

    def _release(self, end: int, chunks: list[str], *, continued: bool = False) -> None:
        reading = self._reading
        self._settle(end, advance=False)
        if self._settled_speaks:
            chunk = "".join(self._settled).strip()
            chunks.append(chunk)
            reading.opened = left_open(reading.opened + chunk)
            reading.inherited_lower = reading.is_lower_style() if continued else None
            self._settled, self._settled_speaks = [], False
            self._clauses = False
            reading.line_head = False
        last_break = reading.last_break(end)
        reading.line_offset = end - last_break - 1 + (reading.line_offset if last_break < 0 else 0)
        reading.text = reading.text[end:]
        self._begin()

    def _force(self, chunks: list[str]) -> None:
        end = forced_cut(self._reading.text, self._limit)
        self._release(end, chunks, continued=True)

    def _open_fence(self, fence: str, position: int, chunks: list[str]) -> Verdict:
        """What stands before a fenced block is a chunk of its own, unless it is only the mark of an item."""
        self._fence, self._fence_line = fence, 0
        if self._reading.speaks(position) and not self._reading.is_bare_marker(position):
            self._release(position, chunks)
        return False, 0

    def _step_in_fence(self, chunks: list[str]) -> bool:
        """Settle one line of a fenced block; the closing line ends it."""
        reading = self._reading
        end = reading.text.find("\n")
        if end < 0 and not reading.final:
            return self._settle_part_of_line()
        line = reading.text[:end].strip() if end >= 0 else reading.text.strip()
        if self._fence_line > 0 and line.startswith(self._fence) and not line.strip(self._fence[0]):
            self._fence = ""
            self._release(end if end >= 0 else len(reading.text), chunks)
            reading.line_head = True
            return True
        if end < 0:
            return False
        self._settle(end + 1)
        self._fence_line = abs(self._fence_line) + 1
        return True

    def _settle_part_of_line(self) -> bool:
        """A long line cannot be the closing one: keep it out of the text that is copied at every fragment."""
        if len(self._reading.text) > _LONG_LINE:
            self._settle(len(self._reading.text))
            self._fence_line = -abs(self._fence_line)
        return False

    def _settle(self, end: int, *, advance: bool = True) -> None:
        """Keep what stands before `end` as decided: part of the pending chunk that no rule looks at again."""
        part = self._reading.text[:end]
        self._settled.append(part)
        self._settled_speaks = self._settled_speaks or SPEAKABLE.search(part) is not None
        if advance:
            self._reading.text = self._reading.text[end:]
