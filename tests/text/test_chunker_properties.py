"""What holds for every text, however it is cut into fragments."""

import os
from itertools import pairwise, zip_longest
from typing import Literal

from hypothesis import example, given, settings
from hypothesis import strategies as st

from firstword.text.chunker import IncrementalSentenceChunker

_EXAMPLES = int(os.environ.get("FIRSTWORD_TEST_EXAMPLES", "250"))
"""Of each property; more before a change of the rules is landed."""

PIECES = [
    "Hello", "dr", "Dr", "U.S", "e.g", "p.m", "No", "1", "2", "3.14", "I", "it", "It", "The", "iPhone",
    "http://a.b/c?d=e.f",
    ".", ".", ".", "!", "?", "…", "...", "?!", ",", ";", ":", "—", " - ", "\n", "\n\n",
    "\r\n", " ", " ", " ", "\t", "\u00a0",
    '"', "'", "“", "”", "«", "»", "„", "(", ")", "[", "]", "[12]", "](", "*", "**", "_",
    "`", "```", "~~~", "```sh\n", "#", "|", "---", "and so", "the old mill, ",
    "<b>", "</b>", "🚀", "👩‍🚀", "好的", "。", "！", "「", "」", "と", "말",
    "Q", "A", "Inc", "np", "z. B", "EE. UU", "Sr", "M", "डॉ", "د", "Ես", "Γεια", "a)", "(1)", "[3]", "(3)",
    ":)", ":", "=", "‽", "‘", "’", "„", "<br>", "<", "3.", "Mai", "$",
    "है", "।", "مرحبا", "؟", "\u200b", "\u202e", "\u0301", "\x00", "\ud800", "²",
]  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.text(max_size=120))


def bare(text: str) -> str:
    return "".join(text.split())


def says(text: str) -> bool:
    return any(char.isalnum() for char in text)


languages = st.sampled_from([None, "en", "es", "fr", "de", "it", "pt", "hi", "ja", "zh", "ko", "ar"])


def chunked(
    fragments: list[str], language: str | None, first_chunk: Literal["sentence", "clause"] = "sentence"
) -> list[str]:
    chunker = IncrementalSentenceChunker(language, first_chunk)
    chunks = [chunk for fragment in fragments for chunk in chunker.feed(fragment)]
    return chunks + chunker.flush()


@given(text=texts, language=languages)
@settings(max_examples=_EXAMPLES, deadline=None)
@example(text="Done.\n\n***", language="en")
def test_nothing_is_lost_but_a_tail_with_nothing_to_say(text: str, language: str | None) -> None:
    kept = bare("".join(chunked([text], language)))
    assert bare(text).startswith(kept)
    assert not says(bare(text)[len(kept) :])


@given(text=texts, language=languages)
@settings(max_examples=_EXAMPLES, deadline=None)
def test_every_chunk_says_something_and_is_a_slice_of_the_text(text: str, language: str | None) -> None:
    position = 0
    for chunk in chunked([text], language):
        assert says(chunk)
        assert chunk == chunk.strip()
        while text[position].isspace():
            position += 1
        assert text.startswith(chunk, position)
        position += len(chunk)


@given(text=texts, language=languages, cuts=st.lists(st.integers(0, 200), max_size=12))
@settings(max_examples=_EXAMPLES, deadline=None)
def test_fragments_do_not_change_the_chunks(text: str, language: str | None, cuts: list[int]) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    fragments = [text[start:end] for start, end in pairwise(edges)]
    whole = chunked([text], language)
    assert chunked(fragments, language) == whole
    assert chunked(list(text), language) == whole


@given(text=texts, language=languages, cuts=st.lists(st.integers(0, 200), max_size=12))
@settings(max_examples=_EXAMPLES, deadline=None)
def test_fragments_do_not_change_where_the_first_clause_ends(text: str, language: str | None, cuts: list[int]) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    fragments = [text[start:end] for start, end in pairwise(edges)]
    whole = chunked([text], language, "clause")
    assert chunked(fragments, language, "clause") == whole
    assert chunked(list(text), language, "clause") == whole


@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=40),
    language=languages,
    pauses=st.lists(st.sampled_from([None, False, True]), max_size=40),
)
@settings(max_examples=_EXAMPLES, deadline=None)
def test_pauses_lose_nothing_that_can_be_said(
    pieces: list[str], language: str | None, pauses: list[bool | None]
) -> None:
    chunker = IncrementalSentenceChunker(language)
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
