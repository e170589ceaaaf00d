"""Server-sent events: whatever the cut, the reader gives exactly the events that were written."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.errors import ProtocolError
from firstword.protocol.sse import KEEP_ALIVE, SseEvent, SseReader, encode_event

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def _cut(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


def _read(chunks: list[bytes]) -> list[SseEvent]:
    reader = SseReader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


def _as_read(data: str) -> str:
    return data.replace("\r\n", "\n").replace("\r", "\n")


@given(st.lists(_TEXT, max_size=6), st.lists(st.integers(0, 10_000), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_events_survive_any_cut_and_any_line_ending(texts: list[str], cuts: list[int], ending: str) -> None:
    written = b"".join(encode_event(text) + KEEP_ALIVE for text in texts).replace(b"\n", ending.encode())
    expected = [SseEvent(data=_as_read(text)) for text in texts]
    assert _read(_cut(written, cuts)) == expected
    assert _read([bytes([byte]) for byte in written]) == expected


@given(st.binary(max_size=300), st.lists(st.integers(0, 10_000), max_size=8))
def test_any_bytes_read_the_same_however_they_are_cut(data: bytes, cuts: list[int]) -> None:
    assert _read(_cut(data, cuts)) == _read([data])


def test_a_crlf_split_between_chunks_is_one_line_end() -> None:
    assert _read([b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n"]) == [SseEvent(data="a\nb")]


def test_a_carriage_return_alone_releases_the_event_at_once() -> None:
    assert SseReader().feed(b"data: a\r\r") == [SseEvent(data="a")]


def test_a_multi_byte_character_may_be_cut_anywhere() -> None:
    whole = encode_event("日本 🎧", event="text")
    assert _read([whole[:9], whole[9:15], whole[15:]]) == _read([whole]) == [SseEvent(data="日本 🎧", event="text")]


def test_a_byte_order_mark_at_the_start_is_passed_over_even_when_cut() -> None:
    assert _read([b"\xef\xbb", b"\xbfdata: a\n\n"]) == [SseEvent(data="a")]


def test_names_ids_and_comments_are_told_from_data() -> None:
    stream = b": hello\nid: 7\nevent: audio\nretry: 10\ndata:x\ndata:  y\n\nevent: nothing\n\ndata\n\n"
    assert _read([stream]) == [SseEvent(data="x\n y", event="audio", id="7"), SseEvent(data="", id="7")]


def test_an_event_without_its_blank_line_is_held_and_seen_to_be_pending() -> None:
    reader = SseReader()
    assert reader.feed(b"data: cut sho") == []
    assert reader.pending
    assert reader.feed(b"rt\n\n") == [SseEvent(data="cut short")]
    assert not reader.pending


@pytest.mark.parametrize("chunk", [b"data: " + b"x" * 200, b"data: x\n" * 40])
def test_an_endless_event_is_refused_before_it_fills_memory(chunk: bytes) -> None:
    with pytest.raises(ProtocolError, match="longer than 100 bytes"):
        SseReader(max_event_bytes=100).feed(chunk)


def test_a_name_with_a_line_break_cannot_forge_an_event() -> None:
    with pytest.raises(ValueError, match="one line"):
        encode_event("x", event="a\ndata: forged")
