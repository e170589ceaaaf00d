"""Server-sent events: a writer whose output is always whole events, a reader that no cut can confuse.

Delivery chunks do not line up with events: an event may arrive in halves, cut inside a CRLF or inside one character.
The reader therefore buffers and gives an event only when its blank line has come; an event that never got one is not
given, as the standard has it. Knows nothing of what the events mean. Above it: server, client, agent.
"""

import re
from dataclasses import dataclass
from typing import Final

from firstword.errors import ProtocolError

__all__ = ["KEEP_ALIVE", "MAX_EVENT_BYTES", "SseEvent", "SseReader", "encode_event"]

KEEP_ALIVE: Final = b": keep-alive\n\n"
"""A comment: readers pass over it, proxies see traffic."""
MAX_EVENT_BYTES: Final = 16 * 1024 * 1024

_END_OF_LINE: Final = re.compile(rb"[\r\n]")
_LINE_BREAK: Final = re.compile(r"\r\n|\r|\n")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class SseEvent:
    """One event. `id` is the last one the stream has named, as the standard has it."""

    data: str
    event: str = "message"
    id: str = ""


def encode_event(data: str, *, event: str | None = None, id: str | None = None) -> bytes:
    """One whole event as bytes. Line breaks in `data` of any kind arrive as `\\n`; names must hold none."""
    lines = [f"{name}: {value}" for name, value in (("event", event), ("id", id)) if value is not None]
    if any(_LINE_BREAK.search(line) for line in lines):
        raise ValueError("an event's name and id are one line each")
    lines += [f"data: {line}" for line in _LINE_BREAK.split(data)]
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


class SseReader:
    """Feed it bytes as they come; it gives back the events they complete, in order.

    Raises ProtocolError when one event grows beyond `max_event_bytes`; the reader is then of no further use.
    """

    def __init__(self, *, max_event_bytes: int = MAX_EVENT_BYTES) -> None:
        self._max_event_bytes = max_event_bytes
        self._buffer = bytearray()
        self._searched = 0
        self._skip_newline = False
        self._at_start = True
        self._data: list[str] = []
        self._event = ""
        self._id = ""
        self._event_bytes = 0

    @property
    def pending(self) -> bool:
        """Whether part of an event is held: at the end of a stream this says that it was cut short."""
        return bool(self._buffer or self._data or self._event)

    def feed(self, chunk: bytes) -> list[SseEvent]:
        self._buffer += chunk
        events: list[SseEvent] = []
        start = 0
        while (end := _END_OF_LINE.search(self._buffer, max(start, self._searched))) is not None:
            at = end.start()
            if self._skip_newline and at == start and self._buffer[at] == 0x0A:
                self._skip_newline = False
            else:
                self._skip_newline = self._buffer[at] == 0x0D
                self._line(bytes(self._buffer[start:at]), events)
            start = self._searched = at + 1
        self._skip_newline = self._skip_newline and start == len(self._buffer)
        del self._buffer[:start]
        self._searched = len(self._buffer)
        self._bound(len(self._buffer))
        return events

    def _line(self, line: bytes, events: list[SseEvent]) -> None:
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        if not line:
            self._dispatch(events)
            return
        self._event_bytes += len(line)
        self._bound(0)
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        match name:
            case "data":
                self._data.append(value)
            case "event":
                self._event = value
            case "id" if "\0" not in value:
                self._id = value
            case _:
                # A comment (its name is empty), `retry`, or a field of a later standard: none of them is an event.
                pass

    def _dispatch(self, events: list[SseEvent]) -> None:
        if self._data:
            events.append(SseEvent(data="\n".join(self._data), event=self._event or "message", id=self._id))
        self._data, self._event, self._event_bytes = [], "", 0

    def _bound(self, waiting: int) -> None:
        if self._event_bytes + waiting > self._max_event_bytes:
            raise ProtocolError(f"One server-sent event is longer than {self._max_event_bytes} bytes.")
