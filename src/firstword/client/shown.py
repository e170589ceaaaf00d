"""What of a live text may be said, and where a sentence cut from that stands in the text itself. Pure.

Reasoning blocks and comments may span sentences, so they have to go before the text is cut; everything else that makes
a text speakable is done sentence by sentence at the server. Above it: `sentences`.
"""

from bisect import bisect_right

from firstword.client.locate import Locator
from firstword.text.speakable.reasoning import ReasoningFilter

__all__ = ["ShownText"]


class ShownText:
    """Give its result to the chunker: `feed` every fragment, `finish` at the end; `take` each sentence that is cut."""

    def __init__(self) -> None:
        self._text = ""
        self._filter = ReasoningFilter()
        self._shown_at: list[int] = []
        self._source_at: list[int] = []
        self._shown_chars = 0
        self._places = Locator()

    def feed(self, fragment: str) -> str:
        self._text += fragment
        return self._extend(self._filter.feed(fragment))

    def finish(self) -> str:
        return self._extend(self._filter.finish())

    def take(self, sentence: str) -> tuple[int, str]:
        """Where the next sentence starts in the text (code points), and its wording there, what is hidden included."""
        first, last, _ = self._places.take(sentence)
        if first == last:
            return self._source(first), ""
        start, end = self._source(first), self._source(last - 1) + 1
        return start, self._text[start:end]

    def _extend(self, runs: list[tuple[int, str]]) -> str:
        for source_at, text in runs:
            self._shown_at.append(self._shown_chars)
            self._source_at.append(source_at)
            self._shown_chars += len(text)
        shown = "".join(text for _, text in runs)
        self._places.feed(shown)
        return shown

    def _source(self, shown: int) -> int:
        run = max(0, bisect_right(self._shown_at, shown) - 1)
        return self._source_at[run] + shown - self._shown_at[run] if self._shown_at else shown
