"""The isolated transport test: time to first audio of a whole four-sentence text against its first sentence alone.

One server, one route, one open connection; connecting is a line of its own. What is measured is the first byte and
the first audible 10 ms at the listener, from the moment the request is sent.
"""

import base64
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import httpx

from firstword import audio, connect
from firstword.bench import corpus
from firstword.bench.playback import listen
from firstword.bench.scenario import interleaved
from firstword.bench.statistics import Summary, ratio, summarize
from firstword.client import AudioChunk
from firstword.protocol.sse import SseReader

__all__ = ["ROUTES", "Ttfa", "Variant", "run"]

ROUTES: Final = ("websocket", "deltas", "invocations", "sse", "sagemaker")
_FIRST: Final = corpus.FOUR_SENTENCES[: corpus.FOUR_SENTENCES.index(".") + 1]
_TEXTS: Final = {"whole text": corpus.FOUR_SENTENCES, "first sentence": _FIRST}
_DELTA_CHARS: Final = 4

type Speak = Callable[[str], AsyncGenerator[bytes]]


@dataclass(frozen=True, kw_only=True)
class _Way:
    """An open way to speak; `ready` sees to it, before the clock starts, that it still is."""

    speak: Speak
    connect_ms: float
    ready: Callable[[], Awaitable[object]]


@dataclass(frozen=True, kw_only=True)
class Variant:
    """Milliseconds since the request was sent. `mean_of_5_ms`: first bytes, beside the public figure that used it."""

    route: str
    text: str
    first_byte_ms: Summary
    first_audible_ms: Summary
    mean_of_5_ms: float


@dataclass(frozen=True, kw_only=True)
class Ttfa:
    """`whole_over_first`: median first byte of the whole text over that of its first sentence, by route."""

    characters: int
    connect_ms: dict[str, float]
    variants: tuple[Variant, ...]
    whole_over_first: dict[str, float | None]


async def run(targets: dict[str, str], trials: int, progress: Callable[[str], None]) -> Ttfa:
    """Measure each route. `targets` gives for each route its URL, or `endpoint:NAME` for sagemaker."""
    async with AsyncExitStack() as open_ways:
        ways = {route: await _open(route, target, open_ways) for route, target in targets.items()}
        samples: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for (route, text), counts in interleaved([(r, t) for r in targets for t in _TEXTS], trials):
            progress(f"{route}: {text}")
            await ways[route].ready()
            sample = await _trial(ways[route].speak, _TEXTS[text])
            if counts:
                samples.setdefault((route, text), []).append(sample)
    return _summary(samples, {route: way.connect_ms for route, way in ways.items()})


async def _trial(speak: Speak, text: str) -> tuple[float, float]:
    """First byte and first audible 10 ms, in milliseconds."""
    arrivals: list[tuple[float, int]] = []
    pcm, offset_s = b"", None
    started = time.perf_counter()
    async with aclosing(speak(text)) as pieces:
        async for piece in pieces:
            arrivals.append(((time.perf_counter() - started) * 1000, len(piece)))
            pcm += piece
            whole = len(pcm) - len(pcm) % audio.BYTES_PER_SAMPLE  # a piece of HTTP may end within a sample
            if (offset_s := audio.first_audible_s(pcm[:whole])) is not None:
                break  # the rest is paced to playback and says nothing about the first sound
    audible_ms = listen(arrivals, audio.SAMPLE_RATE_HZ).sounds_at_ms(offset_s or 0.0)
    return arrivals[0][0], audible_ms or arrivals[0][0]


def _summary(samples: dict[tuple[str, str], list[tuple[float, float]]], connect_ms: dict[str, float]) -> Ttfa:
    variants = tuple(
        Variant(
            route=route,
            text=text,
            first_byte_ms=summarize([round(first, 2) for first, _ in of]),
            first_audible_ms=summarize([round(audible, 2) for _, audible in of]),
            mean_of_5_ms=round(fmean(first for first, _ in of[:5]), 2),
        )
        for (route, text), of in samples.items()
    )
    whole, first = (
        {item.route: item.first_byte_ms.median for item in variants if item.text == name} for name in _TEXTS
    )
    ratios = {route: ratio(whole[route], first.get(route)) for route in whole}
    rounded = {route: None if value is None else round(value, 3) for route, value in ratios.items()}
    return Ttfa(
        characters=len(corpus.FOUR_SENTENCES), connect_ms=connect_ms, variants=variants, whole_over_first=rounded
    )


async def _open(route: str, target: str, open_ways: AsyncExitStack) -> _Way:
    if route in ("invocations", "sse"):
        client = await open_ways.enter_async_context(httpx.AsyncClient(base_url=target, timeout=120, trust_env=False))
        started = time.perf_counter()
        await client.get("/ping")
        connect_ms = round((time.perf_counter() - started) * 1000, 2)
        # An answer that is not read to its end costs the connection: the next one is opened before the clock starts.
        return _Way(
            speak=lambda text: _posted(client, text, route), connect_ms=connect_ms, ready=lambda: client.get("/ping")
        )
    started = time.perf_counter()
    connection = await open_ways.enter_async_context(connect(target))
    connect_ms = round((time.perf_counter() - started) * 1000, 2)

    async def speak(text: str) -> AsyncGenerator[bytes]:
        source = _fragments(text) if route == "deltas" else text
        async with aclosing(connection.stream(source, delivery="deltas" if route == "deltas" else "whole")) as events:
            async for event in events:
                if isinstance(event, AudioChunk):
                    yield event.pcm

    return _Way(speak=speak, connect_ms=connect_ms, ready=_nothing)


async def _nothing() -> None:
    pass


async def _fragments(text: str) -> AsyncGenerator[str]:
    for at in range(0, len(text), _DELTA_CHARS):
        yield text[at : at + _DELTA_CHARS]


async def _posted(client: httpx.AsyncClient, text: str, route: str) -> AsyncGenerator[bytes]:
    body = {"text": text, "format": "pcm", "transport": "sse" if route == "sse" else "binary"}
    reader = SseReader()
    async with client.stream("POST", "/invocations", json=body) as response:
        response.raise_for_status()
        async for piece in response.aiter_raw():
            if route == "invocations":
                yield piece
                continue
            for event in reader.feed(piece):
                fields = json.loads(event.data)
                if fields["type"] == "audio_chunk":
                    yield base64.b64decode(fields["data"])
