"""Server-sent events of a running server as a reader gets them: how pieces of delivery line up with events.

They do not: a piece may hold several events, or end within one. Counted with the resynchronising reader that clients
use, over loopback HTTP and over the emulator's response stream, which cuts as SageMaker does.
"""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firstword.bench import corpus
from firstword.bench.targets import speech_targets
from firstword.client.invocation import invoke_stream
from firstword.protocol.sse import SseReader

__all__ = ["Delivery", "measure_delivery"]

_ROUTES: Final = {"sse": "HTTP", "sagemaker": "SageMaker response stream (emulated)"}


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One answer. `cut_within` are the pieces that ended inside an event; `wire_bytes` all that the body held."""

    format: str
    route: str
    events: int
    audio_events: int
    pieces: int
    cut_within: int
    payload_bytes: int
    wire_bytes: int
    wire_over_payload: float


async def measure_delivery(formats: Sequence[str], progress: Callable[[str], None]) -> tuple[Delivery, ...]:
    """The same four sentences in each format over each route, from one server."""
    found = []
    async with speech_targets(tuple(_ROUTES)) as targets:
        for name in formats:
            for route, target in targets.items():
                progress(f"{name} over {_ROUTES[route]}")
                found.append(await _answer(target, name, _ROUTES[route]))
    return tuple(found)


async def _answer(target: str, name: str, route: str) -> Delivery:
    reader = SseReader()
    events, chunks, pieces, cut, payload, wire = 0, 0, 0, 0, 0, 0
    async for piece in invoke_stream(target, {"text": corpus.FOUR_SENTENCES, "format": name, "transport": "sse"}):
        pieces += 1
        wire += len(piece)
        for event in reader.feed(piece):
            events += 1
            if event.event == "audio_chunk":
                chunks += 1
                payload += len(base64.b64decode(json.loads(event.data)["data"]))
        cut += reader.pending
    return Delivery(
        format=name,
        route=route,
        events=events,
        audio_events=chunks,
        pieces=pieces,
        cut_within=cut,
        payload_bytes=payload,
        wire_bytes=wire,
        wire_over_payload=round(wire / payload, 4),
    )
