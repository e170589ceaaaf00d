"""PCM cut into the frames that travel: even lengths, 64 bytes to 16 KiB, not a byte lost or added. Pure.

The last 64 bytes of what has come are held until it is known what follows, so that a short tail joins the frame before
it. Only a sentence of less than 64 bytes in all, which no voice makes, is filled up with silence.
"""

from firstword.protocol.messages import MAX_FRAME_BYTES, MIN_AUDIO_FRAME_BYTES

__all__ = ["Framer"]


class Framer:
    """One utterance's. `push` PCM, `pop` frames; `flush` lets out what is held."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._all = False

    def push(self, pcm: bytes) -> None:
        self._held += pcm
        self._all = False

    def flush(self) -> None:
        """A message comes next: what is held leaves before it, unless it is too little for a frame."""
        self._all = True

    def finish(self) -> None:
        """Nothing follows."""
        self._all = True
        if 0 < len(self._held) < MIN_AUDIO_FRAME_BYTES:
            self._held += bytes(MIN_AUDIO_FRAME_BYTES - len(self._held))

    @property
    def has_frame(self) -> bool:
        return self._size() >= MIN_AUDIO_FRAME_BYTES

    def pop(self) -> bytes | None:
        """The next frame, or None until there is one."""
        size = self._size()
        if size < MIN_AUDIO_FRAME_BYTES:
            return None
        frame = bytes(self._held[:size])
        del self._held[:size]
        return frame

    def _size(self) -> int:
        """Of the next frame; what stays behind is nothing, or enough for a frame of its own."""
        size = min(len(self._held), MAX_FRAME_BYTES)
        rest = len(self._held) - size
        if rest >= MIN_AUDIO_FRAME_BYTES or (self._all and rest == 0):
            return size
        return size - (MIN_AUDIO_FRAME_BYTES - rest)
