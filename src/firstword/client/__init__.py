"""The client library: text in as it is written, typed events and audio out, over a WebSocket or SageMaker."""

from firstword.client.connection import Connection, connect
from firstword.client.events import (
    AudioChunk,
    Event,
    Sentence,
    SynthesisCancelled,
    SynthesisComplete,
    SynthesisStart,
    Timings,
    Word,
)

__all__ = [
    "AudioChunk",
    "Connection",
    "Event",
    "Sentence",
    "SynthesisCancelled",
    "SynthesisComplete",
    "SynthesisStart",
    "Timings",
    "Word",
    "connect",
]
