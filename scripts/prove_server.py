"""Shows on a running `firstword serve` what a test cannot assert: times under load, memory over many requests.

    uv run scripts/prove_server.py                     event loop, determinism, a client that leaves
    uv run scripts/prove_server.py --requests 500      memory after so many mixed requests against after the first 50
    uv run scripts/prove_server.py --slow 1000         memory, and what a listener hears, beside so many slow connections

The voice is that of the environment (FIRSTWORD_VOICE_ENGINE=tone for the test voice). Prints a table; `--json` JSON.
"""

import argparse
import asyncio
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from firstword.bench.playback import listen

LONG = (
    "The harbour wakes before the town does. Gulls quarrel over the first crates of fish. A woman in a red coat counts "
    "the boats and writes the number down. Somebody laughs behind the ice house. The ferry sounds its horn, and for a "
    "moment everything else is quiet. Then the market opens, and the day begins in earnest for everyone."
)
READERS = 40
"""Of the slow connections, those that ask for an answer and take it slowly or not at all."""
SHORT = ("Hello there.", "It costs forty dollars.", "The train leaves at noon.", "Yes, of course.", "Good night.")


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """`firstword serve` on a free port: its URL and its process id."""
    command = [sys.executable, "-m", "firstword.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().removeprefix("listening on ").strip(), process.pid
        finally:
            process.terminate()


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def socket_url(url: str) -> str:
    return url.replace("http", "ws", 1) + "/invocations-bidirectional-stream"


async def spoken(url: str, message: dict[str, Any], *, leave_after_audio: bool = False) -> bytes:
    """The audio of one request. What has come is reported as played, so that nothing is held back."""
    pcm = b""
    played = json.dumps({"type": "playback", "request_id": message["request_id"], "played_s": 1e6})
    async with connect(socket_url(url), max_size=None, proxy=None) as websocket:
        await websocket.send(json.dumps(message))
        if message.get("type") == "text_delta":
            await websocket.send(json.dumps({"type": "text_end", "request_id": message["request_id"]}))
        async for frame in websocket:
            if isinstance(frame, bytes):
                pcm += frame
                await websocket.send(played)
                if leave_after_audio:
                    websocket.transport.abort()
                    return pcm
            elif json.loads(frame)["type"] == "synthesis_complete":
                await websocket.send('{"type": "close"}')
    return pcm


async def event_loop(url: str) -> dict[str, float]:
    """The slowest /ping and the slowest new session while a long text is being synthesized."""
    pings, accepts = [], []
    speaking = asyncio.create_task(spoken(url, {"text": LONG, "request_id": "long"}))
    async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
        await client.get("/ping")
        while not speaking.done():
            began = time.perf_counter()
            await client.get("/ping")
            pings.append(time.perf_counter() - began)
            began = time.perf_counter()
            async with connect(socket_url(url), proxy=None):
                accepts.append(time.perf_counter() - began)
            await asyncio.sleep(0.02)
    return {
        "audio_s": len(await speaking) / 48_000,
        "probes": len(pings),
        "slowest_ping_ms": max(pings) * 1e3,
        "slowest_accept_ms": max(accepts) * 1e3,
    }


async def determinism(url: str) -> dict[str, Any]:
    message = {"text": "The same words, said again.", "request_id": "same"}
    alone = await spoken(url, message)
    beside = await asyncio.gather(
        *(spoken(url, message) for _ in range(3)), spoken(url, {"text": SHORT[1], "request_id": "other"})
    )
    digests = {hashlib.sha256(pcm).hexdigest()[:16] for pcm in [alone, *beside[:3]]}
    return {"runs": 4, "different": len(digests) - 1, "sha256": min(digests)}


async def leaving(url: str) -> dict[str, float]:
    """How long after a client vanished mid-answer its place and its synthesis are gone."""
    await spoken(url, {"text": LONG, "request_id": "gone"}, leave_after_audio=True)
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
        while True:
            page = (await client.get("/metrics")).text
            if "firstword_slots_taken 0.0" in page and "firstword_queued_requests 0.0" in page:
                return {"freed_after_ms": (time.perf_counter() - began) * 1e3}
            await asyncio.sleep(0.01)


async def mixed(url: str, client: httpx.AsyncClient, number: int) -> None:
    """One request of a mix; every tenth of the first fifty is the longest of all."""
    text = LONG if number < 50 and number % 10 == 0 else SHORT[number % len(SHORT)]
    match number % 5:
        case 0:
            await spoken(url, {"text": text, "request_id": "a"})
        case 1:
            await spoken(url, {"type": "text_delta", "text": text, "request_id": "a"})
        case 2:
            await client.post("/invocations", json={"text": text, "format": ("wav", "mp3", "opus")[number % 3]})
        case 3:
            await client.post("/invocations", json={"text": text, "transport": "sse", "format": "pcm"})
        case _:
            await client.post("/invocations", json={"text": ""})
            await spoken(url, {"text": text, "request_id": "a"}, leave_after_audio=True)


async def memory(url: str, pid: int, requests: int) -> dict[str, float]:
    after: dict[int, float] = {}
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=300) as client:
        for start in range(0, requests, 2):
            await asyncio.gather(*(mixed(url, client, number) for number in (start, start + 1)))
            after[start + 2] = resident_mb(pid)
    return {
        "after_50_mb": after[50],
        f"after_{requests}_mb": after[requests],
        "growth_percent": 100 * (after[requests] / after[50] - 1),
        "highest_mb": max(after.values()),
    }


async def heard(url: str) -> dict[str, float]:
    """What somebody who plays an answer as it comes has to bear."""
    began, arrivals = time.perf_counter(), []
    async with connect(socket_url(url), max_size=None, proxy=None) as websocket:
        await websocket.send(json.dumps({"text": LONG, "request_id": "heard"}))
        async for frame in websocket:
            if isinstance(frame, bytes):
                arrivals.append(((time.perf_counter() - began) * 1e3, len(frame)))
            elif json.loads(frame)["type"] == "synthesis_complete":
                await websocket.send('{"type": "close"}')
    gaps = [later[0] - sooner[0] for sooner, later in pairwise(arrivals)]
    return {
        "first_audio_ms": arrivals[0][0],
        "underrun_ms": listen(arrivals, 24_000).underrun_ms,
        "longest_gap_ms": max(gaps),
        "audio_s": sum(size for _, size in arrivals) / 48_000,
    }


async def crawl(url: str, number: int, stop: asyncio.Event) -> None:
    """A connection that never ends its request, in its header or in its body; one that reads 1 KB/s; one that reads none."""
    host, port = url.removeprefix("http://").split(":")
    reads = number < READERS
    reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
    body = json.dumps({"text": LONG * 8, "format": "wav"}).encode() if reads else b"{"
    length = len(body) if reads else 100
    head = b"POST /invocations HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n" % length
    writer.write(head + (b"\r\n" + body if reads or number % 2 else b"X-Half: "))
    while reads and number % 2 and not stop.is_set():
        await reader.read(1024)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1.0)
    await stop.wait()
    writer.transport.abort()


async def slow(url: str, pid: int, connections: int) -> dict[str, float]:
    alone, before_mb, stop = await heard(url), resident_mb(pid), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for number in range(connections):
            group.create_task(crawl(url, number, stop))
        await asyncio.sleep(3)
        beside, with_mb = await heard(url), resident_mb(pid)
        stop.set()
    told = {f"{name}, alone": value for name, value in alone.items()}
    told |= {f"{name}, beside them": value for name, value in beside.items()}
    return told | {"memory_mb, alone": before_mb, "memory_mb, beside them": with_mb}


async def prove(requests: int, connections: int) -> dict[str, dict[str, Any]]:
    with server() as (url, pid):
        if requests:
            return {"memory": await memory(url, pid, requests)}
        if connections:
            return {f"{connections} slow": await slow(url, pid, connections)}
        return {
            "event loop": await event_loop(url),
            "determinism": await determinism(url),
            "client leaves": await leaving(url),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=0)
    parser.add_argument("--slow", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    proof = asyncio.run(prove(arguments.requests, arguments.slow))
    if arguments.json:
        print(json.dumps(proof, indent=1))
        return
    for title, figures in proof.items():
        for name, value in figures.items():
            print(f"{title:14} {name:30} {value:.1f}" if isinstance(value, float) else f"{title:14} {name:30} {value}")


if __name__ == "__main__":
    main()
