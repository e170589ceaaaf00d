"""A text, live or whole, as what is sent of it, with its place in it, each the moment it is due.

Owns the timer: what is due when no text comes is `cutting`'s to say. Above it: `stream`.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable
from typing import Final, Literal, NamedTuple

from firstword.client.cutting import LiveCut, Patience
from firstword.client.shown import ShownText
from firstword.client.source import TextSource, fragments
from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.pace import Pace

__all__ = ["FirstChunk", "Listening", "Sendable", "sentences"]

type FirstChunk = Literal["clause", "sentence"]

_AHEAD: Final = 64
_LOOK_AGAIN_S: Final = 0.25
"""How far a listener stands is an estimate, which may change at any time."""


class Sendable(NamedTuple):
    """A sentence (or several, `joined`) as it stands in the text, from code point `start` on."""

    text: str
    start: int
    joined: bool


class Listening(NamedTuple):
    """How fast the voice is, and how long the listener is provided for by what has been yielded."""

    pace: Pace
    lead_s: Callable[[], float]


async def sentences(
    text: TextSource,
    *,
    language: str | None,
    first_chunk: FirstChunk,
    patience: Patience,
    listening: Listening | None,
) -> AsyncGenerator[Sendable]:
    """Each sentence as it is due; raises what the text raises.

    `listening` None: nobody hears it meanwhile, so that a sentence goes when it is cut, and it is cut the same way
    however the voice does.
    """
    pace = listening.pace if listening else None
    least_words = (pace or Pace()).least_first_words()
    cut = LiveCut(IncrementalSentenceChunker(language, first_chunk, min_first_words=least_words), patience, pace)
    queue: asyncio.Queue[str | None] = asyncio.Queue(_AHEAD)
    async with asyncio.TaskGroup() as group:
        pouring = group.create_task(_pour(text, queue))
        try:
            async for sendable in _cut(queue, cut, listening.lead_s if listening else _nothing_left):
                yield sendable
        finally:
            pouring.cancel()


async def _cut(queue: asyncio.Queue[str | None], cut: LiveCut, lead_s: Callable[[], float]) -> AsyncGenerator[Sendable]:
    shown = ShownText()
    while not cut.ended:
        try:
            fragment = await _next(queue, cut.wait_s(time.monotonic(), lead_s()))
        except TimeoutError:
            cut.wake(time.monotonic(), lead_s())
        else:
            if fragment is None:
                cut.finish(shown.finish())
            else:
                cut.feed(shown.feed(fragment), time.monotonic())
        while (taken := cut.take(lead_s())) is not None:
            start, wording = shown.take(taken.text)
            if wording:
                yield Sendable(wording, start, taken.sentences > 1)


async def _next(queue: asyncio.Queue[str | None], wait_s: float) -> str | None:
    """What has come before what is due. Raises TimeoutError."""
    if not queue.empty():
        return queue.get_nowait()
    patience_s = None if wait_s == float("inf") else min(wait_s, _LOOK_AGAIN_S)
    return await asyncio.wait_for(queue.get(), patience_s)


def _nothing_left() -> float:
    return 0.0


async def _pour(text: TextSource, queue: asyncio.Queue[str | None]) -> None:
    async with contextlib.aclosing(fragments(text)) as source:
        async for fragment in source:
            await queue.put(fragment)
    await queue.put(None)
