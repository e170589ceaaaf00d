"""A text however it comes (whole, by a loop, live) as one async iterator of fragments.

A blocking iterator is read aside. Knows nothing of sentences. Above it: `stream`.
"""

from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Sequence
from typing import Final

from firstword.client.threads import from_thread

__all__ = ["TextSource", "fragments"]

type TextSource = str | Iterable[str] | AsyncIterable[str]

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
        async for fragment in from_thread(iter(text), name="firstword text"):
            yield clean(fragment)


def clean(text: str) -> str:
    """The text as it can be encoded, code point for code point."""
    return text.translate(_SURROGATES) if not text.isascii() else text
