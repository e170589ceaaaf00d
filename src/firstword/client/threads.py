"""The one way by which a blocking iterator is read from the event loop: by a daemon thread of its own.

Neither the loop nor the end of the program ever waits for it. Above it: `source`, and the readers of boto3 streams.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from typing import Final

__all__ = ["from_thread"]

_AHEAD: Final = 64


async def from_thread[T](source: Iterator[T], *, name: str) -> AsyncGenerator[T]:
    """The items as they come, at most 64 ahead; raises what the iterator raises.

    Closed early, the thread ends with the next item and closes the iterator (if it is a generator) there.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[T] | BaseException | None] = asyncio.Queue()
    room = threading.Semaphore(_AHEAD)
    stopped = threading.Event()

    def hand_over(item: tuple[T] | BaseException | None) -> None:
        if not stopped.is_set():
            loop.call_soon_threadsafe(queue.put_nowait, item)

    def read() -> None:
        try:
            for item in source:
                hand_over((item,))
                room.acquire()
                if stopped.is_set():
                    break
            if (close := getattr(source, "close", None)) is not None:
                close()
        except BaseException as error:  # whatever the iterator raises is raised to who reads it
            hand_over(error)
        else:
            hand_over(None)

    threading.Thread(target=read, name=name, daemon=True).start()
    try:
        while (item := await queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            room.release()
            yield item[0]
    finally:
        stopped.set()
        room.release()
