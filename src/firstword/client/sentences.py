"""A text, live or whole, as sentences with their place in it, each the moment it exists.

Owns the idle timer: after a pause in the text the chunker may release a sentence whose end it would otherwise wait to
see. Where a sentence ends is the chunker's to say. Above it: `stream`.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Final, Literal

from firstword.client.shown import ShownText
from firstword.client.source import TextSource, fragments
from firstword.text.chunker import IncrementalSentenceChunker

__all__ = ["FirstChunk", "sentences"]

type FirstChunk = Literal["clause", "sentence"]

_AHEAD: Final = 64


async def sentences(
    text: TextSource, *, language: str | None, first_chunk: FirstChunk, idle_s: float
) -> AsyncGenerator[tuple[str, int]]:
    """Each sentence as it stands in the text, and where it starts in code points; raises what the text raises."""
    queue: asyncio.Queue[str | None] = asyncio.Queue(_AHEAD)
    async with asyncio.TaskGroup() as group:
        pouring = group.create_task(_pour(text, queue))
        try:
            async for wording, start in _cut(queue, IncrementalSentenceChunker(language, first_chunk), idle_s):
                if wording:
                    yield wording, start
        finally:
            pouring.cancel()


async def _cut(
    queue: asyncio.Queue[str | None], chunker: IncrementalSentenceChunker, idle_s: float
) -> AsyncGenerator[tuple[str, int]]:
    shown, paused, ended = ShownText(), False, False
    while not ended:
        try:
            fragment = await asyncio.wait_for(queue.get(), None if paused else idle_s)
        except TimeoutError:
            paused, pieces = True, chunker.idle()
        else:
            paused, ended = False, fragment is None
            pieces = chunker.feed(shown.finish() if fragment is None else shown.feed(fragment))
            if ended:
                pieces += chunker.flush()
        for piece in pieces:
            start, wording = shown.take(piece)
            yield wording, start


async def _pour(text: TextSource, queue: asyncio.Queue[str | None]) -> None:
    async with contextlib.aclosing(fragments(text)) as source:
        async for fragment in source:
            await queue.put(fragment)
    await queue.put(None)
