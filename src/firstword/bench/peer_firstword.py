"""Drives our own server in the form a peer is driven: a text as a JSON line in, its figures as a JSON line out.

The text goes through a real session to a real server on loopback, which a library's direct call does not; the figures
are not corrected for that. Memory is the server's.
"""

import asyncio
import importlib.metadata
import json
import os
import re
import sys
import time
from pathlib import Path

from firstword import audio, connect
from firstword.bench.agent import NO_PACING
from firstword.bench.playback import listen
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
        versions = {name: importlib.metadata.version(name) for name in ("firstword", "onnxruntime")}
        print(json.dumps(versions), flush=True)
        server = _child()
        while line := await asyncio.to_thread(sys.stdin.readline):
            sample = await _speak(speech, json.loads(line))
            memory = {"resident_mb": _memory_mb(server, "VmRSS"), "peak_mb": _memory_mb(server, "VmHWM")}
            print(json.dumps(sample | memory), flush=True)


async def _speak(speech: Connection, text: str) -> dict[str, float]:
    started = time.perf_counter()
    arrivals: list[tuple[float, int]] = []
    pcm = bytearray()
    async for event in speech.stream(text, delivery="whole"):
        if isinstance(event, AudioChunk):
            arrivals.append(((time.perf_counter() - started) * 1000, len(event.pcm)))
            pcm += event.pcm
    elapsed_s = time.perf_counter() - started
    heard_ms = listen(arrivals, audio.SAMPLE_RATE_HZ).sounds_at_ms(audio.first_audible_s(bytes(pcm)) or 0.0)
    return {
        "first_audio_ms": arrivals[0][0],
        "first_audible_ms": heard_ms or arrivals[0][0],
        "elapsed_s": elapsed_s,
        "audio_s": audio.duration_s(len(pcm)),
    }


def _child() -> int:
    """The server's process: the only one this one has started."""
    return int(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0])


def _memory_mb(process: int, field: str) -> float:
    found = re.search(rf"^{field}:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    asyncio.run(main())
