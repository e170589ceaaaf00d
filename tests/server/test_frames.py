"""PCM to frames: whatever the pieces, every byte travels once, in frames that can be told from control."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.protocol.messages import MAX_FRAME_BYTES, MIN_AUDIO_FRAME_BYTES
from firstword.server.frames import Framer

_SIZES = st.one_of(st.integers(0, 200), st.integers(0, 50_000)).map(lambda samples: samples * 2)


def _pop_all(framer: Framer) -> list[bytes]:
    frames = []
    while framer.has_frame:
        frame = framer.pop()
        assert frame is not None
        frames.append(frame)
    assert framer.pop() is None
    return frames


@given(st.lists(_SIZES, max_size=12))
def test_every_byte_travels_once_and_every_frame_has_a_lawful_size(sizes: list[int]) -> None:
    pcm = [bytes([number + 1]) * size for number, size in enumerate(sizes)]
    framer, frames = Framer(), []
    for part in pcm:
        framer.push(part)
        frames += _pop_all(framer)
    framer.finish()
    frames += _pop_all(framer)
    whole = b"".join(pcm)
    assert all(MIN_AUDIO_FRAME_BYTES <= len(frame) <= MAX_FRAME_BYTES and len(frame) % 2 == 0 for frame in frames)
    padding = bytes(MIN_AUDIO_FRAME_BYTES - len(whole)) if 0 < len(whole) < MIN_AUDIO_FRAME_BYTES else b""
    assert b"".join(frames) == whole + padding


def test_a_short_tail_joins_the_frame_before_it() -> None:
    framer = Framer()
    framer.push(bytes(1000))
    first = framer.pop()
    framer.push(bytes(10))
    framer.finish()
    assert first is not None
    assert (len(first), [len(frame) for frame in _pop_all(framer)]) == (936, [74])


def test_what_is_held_leaves_before_a_message() -> None:
    framer = Framer()
    framer.push(bytes(1000))
    framer.pop()
    framer.flush()
    assert [len(frame) for frame in _pop_all(framer)] == [64]
