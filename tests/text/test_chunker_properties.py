"""What holds for every text, however it is cut into fragments."""

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from firstword.text.chunker import IncrementalSentenceChunker

PIECES = [
    "Hello", "dr", "Dr", "U.S", "e.g", "p.m", "No", "1", "2", "3.14", "I", "it", "It", "The", "iPhone",
    "http://a.b/c?d=e.f",
    ".", ".", ".", "!", "?", "…", "...", "?!", ",", ";", ":", "—", " - ", "\n", "\n\n",
    "\r\n", " ", " ", " ", "\t", "\u00a0",
    '"', "'", "“", "”", "«", "»", "„", "(", ")", "[", "]", "[12]", "](", "*", "**", "_",
    "`", "```", "~~~", "```sh\n", "#", "|", "---",
    "<b>", "</b>", "🚀", "👩‍🚀", "好的", "。", "！", "「", "」", "と", "말",
    "है", "।", "مرحبا", "؟", "\u200b", "\u202e", "\u0301", "\x00", "\ud800", "²",
]  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.text(max_size=120))


def bare(text: str) -> str:
    return "".join(text.split())


def says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def chunked(fragments: list[str]) -> list[str]:
    chunker = IncrementalSentenceChunker()
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
