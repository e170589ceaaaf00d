"""Drives our own server in the form a peer is driven: a text as a JSON line in, its figures as a JSON line out.

The text goes through a real session to a real server on loopback, which a library's direct call does not; the figures
are not corrected for that.
"""

import asyncio
import json
import re
import sys
import time

import httpx

from firstword import connect
from firstword.bench.agent import NO_PACING
from firstword.client import AudioChunk
from firstword.client.connection import Connection
from firstword.stack.launcher import Speech, Stack

__all__ = ["main"]


async def main() -> None:
    """Serve texts from stdin until it ends."""
    threads = sys.argv[3]
    async with (
        Stack(Speech(environ={**NO_PACING, "FIRSTWORD_VOICE_THREADS": threads})) as stack,
        connect(stack.speech_url) as speech,
    ):
        print("ready", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            sample = await _speak(speech, json.loads(line))
            sample["resident_mb"] = await _resident_mb(stack.speech_url)
            print(json.dumps(sample), flush=True)


async def _speak(speech: Connection, text: str) -> dict[str, float]:
    started = time.perf_counter()
    first_s, size = None, 0
    async for event in speech.stream(text, delivery="whole"):
        if isinstance(event, AudioChunk):
            first_s = first_s or time.perf_counter() - started
            size += len(event.pcm)
    return {
        "first_audio_ms": (first_s or 0.0) * 1000,
        "elapsed_s": time.perf_counter() - started,
        "audio_s": size / 48_000,
    }


async def _resident_mb(url: str) -> float:
    """Resident memory of the server's process, from its own metrics."""
    async with httpx.AsyncClient(trust_env=False) as client:
        text = (await client.get(f"{url}/metrics")).text
    found = re.search(r"^process_resident_memory_bytes (\S+)", text, re.MULTILINE)
    return float(found[1]) / 2**20 if found else 0.0


if __name__ == "__main__":
    asyncio.run(main())
