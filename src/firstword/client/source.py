"""A text however it comes (whole, by a loop, live) as one async iterator of fragments.

A blocking iterator is read aside. Knows nothing of sentences. Above it: `stream`.
"""

from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Sequence
from typing import Final

from firstword.client.threads import from_thread
from firstword.errors import UsageError

__all__ = ["TextSource", "fragments"]

type TextSource = str | Iterable[str] | AsyncIterable[str]

_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


async def fragments(text: TextSource) -> AsyncGenerator[str]:
    """The text in the pieces it comes in, lone surrogates replaced one for one; what the source raises, this raises.

    Raises UsageError for what is no text.
    """
    if isinstance(text, str):
        yield clean(text)
    elif isinstance(text, AsyncIterable):
        async for fragment in text:
            yield clean(fragment)
    elif isinstance(text, Sequence):
        for fragment in text:
            yield clean(fragment)
    elif not isinstance(text, Iterable):
        raise _no_text(text)
    else:
        async for fragment in from_thread(iter(text), name="firstword text"):
            yield clean(fragment)


def clean(text: str) -> str:
    """The text as it can be encoded, code point for code point. Raises UsageError for what is no string."""
    if not isinstance(text, str):
        raise _no_text(text)
    return text.translate(_SURROGATES) if not text.isascii() else text


def _no_text(given: object) -> UsageError:
    return UsageError(
        f"A text is a string, or strings one after another, not {type(given).__name__}.", code="text_required"
    )
