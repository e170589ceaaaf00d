"""Drives kokoro-onnx in its own environment: a text as a JSON line in, its figures as a JSON line out.

Imports nothing of ours; run by `firstword.bench.peers`.
"""

import asyncio
import importlib.metadata
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from kokoro_onnx import Kokoro


def main() -> None:
    model, voices, threads = sys.argv[1:]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    kokoro = Kokoro.from_session(session, voices)
    print(json.dumps({name: importlib.metadata.version(name) for name in ("kokoro-onnx", "onnxruntime")}), flush=True)
    for line in sys.stdin:
        print(json.dumps(asyncio.run(speak(kokoro, json.loads(line)))), flush=True)


async def speak(kokoro: Kokoro, text: str) -> dict[str, float]:
    started = time.perf_counter()
    first_s, audible_s, samples = None, None, 0
    async for audio, _ in kokoro.create_stream(text, voice="af_heart", speed=1.0, lang="en-us"):
        if first_s is None:
            first_s = time.perf_counter() - started
            audible_s = first_s + silent_s(audio)
        samples += len(audio)
    return {
        "first_audio_ms": (first_s or 0.0) * 1000,
        "first_audible_ms": (audible_s or 0.0) * 1000,
        "elapsed_s": time.perf_counter() - started,
        "audio_s": samples / 24_000,
        "resident_mb": memory_mb("VmRSS"),
        "peak_mb": memory_mb("VmHWM"),
    }


def silent_s(audio: Any) -> float:
    """Seconds before the first 10 ms above -45 dBFS."""
    windows = audio[: len(audio) // 240 * 240].reshape(-1, 240)
    loud = np.flatnonzero(np.sqrt(np.mean(np.square(windows), axis=1)) > 10 ** (-45 / 20))
    return float(loud[0]) * 0.01 if len(loud) else 0.0


def memory_mb(field: str) -> float:
    found = re.search(rf"^{field}:\s+(\d+) kB", Path(f"/proc/{os.getpid()}/status").read_text(), re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    main()
