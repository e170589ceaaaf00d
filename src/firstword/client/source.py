"""A text however it comes (whole, by a loop, live) as one async iterator of fragments.

A blocking iterator is read by a daemon thread, so that neither the event loop nor the end of the program ever waits for
it. Knows nothing of sentences. Above it: `stream`.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Iterator, Sequence
from typing import Final

__all__ = ["TextSource", "fragments"]

type TextSource = str | Iterable[str] | AsyncIterable[str]

_AHEAD: Final = 64
_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


async def fragments(text: TextSource) -> AsyncGenerator[str]:
    """The text in the pieces it comes in, lone surrogates replaced one for one; what the source raises, this raises."""
    if isinstance(text, str):
        yield clean(text)
    elif isinstance(text, AsyncIterable):
        async for fragment in text:
            yield clean(fragment)
    elif isinstance(text, Sequence):
        for fragment in text:
            yield clean(fragment)
    else:
        async for fragment in _from_thread(iter(text)):
            yield clean(fragment)


def clean(text: str) -> str:
    """The text as it can be encoded, code point for code point."""
    return text.translate(_SURROGATES) if not text.isascii() else text


async def _from_thread(source: Iterator[str]) -> AsyncGenerator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | BaseException | None] = asyncio.Queue()
    room = threading.Semaphore(_AHEAD)
    stopped = threading.Event()

    def hand_over(item: str | BaseException | None) -> None:
        if not stopped.is_set():
            loop.call_soon_threadsafe(queue.put_nowait, item)

    def read() -> None:
        try:
            for fragment in source:
                hand_over(fragment)
                room.acquire()
                if stopped.is_set():
                    return
        except BaseException as error:  # whatever the caller's own iterator raises is raised to the caller
            hand_over(error)
        else:
            hand_over(None)

    threading.Thread(target=read, name="firstword text", daemon=True).start()
    try:
        while (item := await queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            room.release()
            yield item
    finally:
        stopped.set()
        room.release()
