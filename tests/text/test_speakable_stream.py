"""A live text says the words of the text at once, whatever the deltas; every spoken word knows where it was written."""

import os
import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.speakable import SpeakableStream, Spoken, speakable
from firstword.text.wordlist import listed

_EXAMPLES = int(os.environ.get("FIRSTWORD_TEST_EXAMPLES", "200"))
"""The acceptance figure is 100,000 texts: set the variable to run as many."""

_WORDS = st.sampled_from(
    listed("time river house seven green morning people answer slowly always because under paper window music after")
)
_PHRASES = st.lists(_WORDS, min_size=3, max_size=8).map(lambda words: " ".join(words))
_AMOUNTS = st.one_of(
    st.integers(0, 10**9).map(str),
    st.integers(0, 10**7).map(lambda number: f"{number:,}"),
    st.decimals(0, 9999, places=2).map(lambda number: f"${number}"),
    st.integers(0, 100).map(lambda number: f"{number}%"),
    st.integers(1, 99).map(lambda number: f"{number} km"),
    st.dates().map(lambda day: day.isoformat()),
)
_INLINE = st.one_of(
    _PHRASES,
    _PHRASES.map(lambda text: f"**{text}**"),
    _PHRASES.map(lambda text: f"_{text}_"),
    _PHRASES.map(lambda text: f"`{text}`"),
    _PHRASES.map(lambda text: f"[{text}](https://example.com/{text[:4]})"),
    _PHRASES.map(lambda text: f"the {text} 🎉"),
    st.tuples(_PHRASES, _AMOUNTS, _PHRASES).map(" ".join),
    st.just("see https://example.com/docs now"),
    st.just("write to ann@example.com today"),
    st.just("<b>bold</b> &amp; plain text"),
    st.just("*sighs* and goes on"),
)
_SENTENCES = st.lists(_INLINE, min_size=1, max_size=3).map(lambda parts: f"We say {' and '.join(parts)}.")
_BLOCKS = st.one_of(
    st.lists(_SENTENCES, min_size=1, max_size=3).map(" ".join),
    _PHRASES.map(lambda text: f"## {text}"),
    st.lists(_PHRASES, min_size=1, max_size=3).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(_PHRASES, min_size=1, max_size=3).map(
        lambda items: "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    ),
    st.tuples(_PHRASES, _PHRASES).map(lambda row: f"| {row[0]} | {row[1]} |\n|---|---|\n| a cell | 5 |"),
    _PHRASES.map(lambda text: f"```python\n{text}\nx = 1\n```"),
    _SENTENCES.map(lambda text: f"> {text}"),
    st.just("<think>Nobody may hear this. Not a word!</think>"),
    st.just("---"),
)
_TEXTS = st.lists(_BLOCKS, min_size=1, max_size=4).map("\n\n".join)


def _live(text: str, cuts: list[int]) -> list[Spoken]:
    stream, chunker = SpeakableStream(), IncrementalSentenceChunker("en")
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    spoken = []
    for low, high in pairwise(edges):
        spoken += [stream.say(sentence) for sentence in chunker.feed(stream.feed(text[low:high]))]
    spoken += [stream.say(sentence) for sentence in chunker.feed(stream.finish())]
    return spoken + [stream.say(sentence) for sentence in chunker.flush()]


def _said(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


@settings(max_examples=_EXAMPLES, deadline=None)
@given(text=_TEXTS, cuts=st.lists(st.integers(0, 10**6), max_size=12))
def test_a_live_text_says_the_words_of_the_text_at_once(text: str, cuts: list[int]) -> None:
    live = _live(text, cuts)
    assert _said(" ".join(spoken.text for spoken in live)) == _said(speakable(text).text)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(text=_TEXTS, cuts=st.lists(st.integers(0, 10**6), max_size=12))
def test_every_spoken_word_slices_the_source_to_what_was_written_there(text: str, cuts: list[int]) -> None:
    for spoken in [speakable(text), *_live(text, cuts)]:
        last = 0
        for (start, end, low, high), exact in zip(spoken.spans, spoken.exact, strict=True):
            assert last <= start < end <= len(spoken.text)
            assert 0 <= low < high <= len(text)
            assert spoken.to_source(start, end) == (low, high)
            if exact:
                assert text[low:high] == spoken.text[start:end]
            last = end
        for word in re.finditer(r"[^\W_]+", spoken.text):
            low, high = spoken.to_source(*word.span())
            assert "Nobody" not in text[low:high]
            if word[0] in ("river", "morning", "always", "because"):
                assert text[low:high] == word[0]
