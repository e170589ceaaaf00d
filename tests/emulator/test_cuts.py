"""Where a response stream is cut."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.emulator.sagemaker.cuts import Cutter


@given(st.integers(min_value=0), st.lists(st.binary(max_size=5000), max_size=20))
def test_the_parts_joined_are_the_bytes(seed: int, pieces: list[bytes]) -> None:
    cutter = Cutter(seed)
    parts = [part for piece in pieces for part in cutter.feed(piece)] + cutter.flush()
    assert b"".join(parts) == b"".join(pieces)
    assert all(0 < len(part) <= 8192 for part in parts)
    assert not cutter.holds


@given(st.integers(min_value=0), st.binary(min_size=1, max_size=20_000), st.integers(min_value=1, max_value=7000))
def test_a_seed_cuts_the_same_bytes_alike_however_they_arrive(seed: int, data: bytes, piece: int) -> None:
    whole = Cutter(seed)
    once = whole.feed(data) + whole.flush()
    slow = Cutter(seed)
    pieces = [data[at : at + piece] for at in range(0, len(data), piece)]
    assert [part for p in pieces for part in slow.feed(p)] + slow.flush() == once


def test_an_early_flush_leaves_the_next_cut_where_it_was() -> None:
    data = bytes(range(256)) * 100
    plain, flushed = Cutter(7), Cutter(7)
    offsets = _offsets(plain.feed(data))
    parts = flushed.feed(data[:10_000]) + flushed.flush() + flushed.feed(data[10_000:])
    assert set(offsets) <= set(_offsets(parts))


def _offsets(parts: list[bytes]) -> list[int]:
    ends = []
    at = 0
    for part in parts:
        at += len(part)
        ends.append(at)
    return ends
