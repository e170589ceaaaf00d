"""What holds for every text, however it is cut into fragments."""

from itertools import pairwise, zip_longest
from typing import Literal

from hypothesis import example, given, settings
from hypothesis import strategies as st

from firstword.text.chunker import IncrementalSentenceChunker

PIECES = [
    "Hello", "dr", "Dr", "U.S", "e.g", "p.m", "No", "1", "2", "3.14", "I", "it", "It", "The", "iPhone",
    "http://a.b/c?d=e.f",
    ".", ".", ".", "!", "?", "…", "...", "?!", ",", ";", ":", "—", " - ", "\n", "\n\n",
    "\r\n", " ", " ", " ", "\t", "\u00a0",
    '"', "'", "“", "”", "«", "»", "„", "(", ")", "[", "]", "[12]", "](", "*", "**", "_",
    "`", "```", "~~~", "```sh\n", "#", "|", "---", "and so", "the old mill, ",
    "<b>", "</b>", "🚀", "👩‍🚀", "好的", "。", "！", "「", "」", "と", "말",
    "है", "।", "مرحبا", "؟", "\u200b", "\u202e", "\u0301", "\x00", "\ud800", "²",
]  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.text(max_size=120))


def bare(text: str) -> str:
    return "".join(text.split())


def says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def chunked(fragments: list[str], first_chunk: Literal["sentence", "clause"] = "sentence") -> list[str]:
    chunker = IncrementalSentenceChunker(None, first_chunk)
    chunks = [chunk for fragment in fragments for chunk in chunker.feed(fragment)]
    return chunks + chunker.flush()


@given(text=texts)
@settings(max_examples=1500, deadline=None)
@example(text="Done.\n\n***")
def test_nothing_is_lost_but_a_tail_with_nothing_to_say(text: str) -> None:
    kept = bare("".join(chunked([text])))
    assert bare(text).startswith(kept)
    assert not says(bare(text)[len(kept) :])


@given(text=texts)
@settings(max_examples=800, deadline=None)
def test_every_chunk_says_something_and_is_a_slice_of_the_text(text: str) -> None:
    position = 0
    for chunk in chunked([text]):
        assert says(chunk)
        assert chunk == chunk.strip()
        while text[position].isspace():
            position += 1
        assert text.startswith(chunk, position)
        position += len(chunk)


@given(text=texts, cuts=st.lists(st.integers(0, 200), max_size=12))
@settings(max_examples=1500, deadline=None)
def test_fragments_do_not_change_the_chunks(text: str, cuts: list[int]) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    fragments = [text[start:end] for start, end in pairwise(edges)]
    whole = chunked([text])
    assert chunked(fragments) == whole
    assert chunked(list(text)) == whole


@given(text=texts, cuts=st.lists(st.integers(0, 200), max_size=12))
@settings(max_examples=600, deadline=None)
def test_fragments_do_not_change_where_the_first_clause_ends(text: str, cuts: list[int]) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    fragments = [text[start:end] for start, end in pairwise(edges)]
    whole = chunked([text], "clause")
    assert chunked(fragments, "clause") == whole
    assert chunked(list(text), "clause") == whole


@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=40),
    pauses=st.lists(st.sampled_from([None, False, True]), max_size=40),
)
@settings(max_examples=800, deadline=None)
def test_pauses_lose_nothing_that_can_be_said(pieces: list[str], pauses: list[bool | None]) -> None:
    chunker = IncrementalSentenceChunker()
    released: list[str] = []
    for piece, pause in zip_longest(pieces, pauses):
        released += chunker.feed(piece or "")
        if pause is not None:
            released += chunker.idle(long=pause)
    released += chunker.flush()
    text = bare("".join(pieces))
    kept = bare("".join(released))
    assert text.startswith(kept)
    assert not says(text[len(kept) :])
    assert all(says(chunk) for chunk in released)
