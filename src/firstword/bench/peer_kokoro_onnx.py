"""Drives kokoro-onnx in its own environment: a text as a JSON line in, its figures as a JSON line out.

Imports nothing of ours; run by `firstword.bench.peers`.
"""

import asyncio
import json
import resource
import sys
import time

import onnxruntime
from kokoro_onnx import Kokoro


def main() -> None:
    model, voices, threads = sys.argv[1:]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    kokoro = Kokoro.from_session(session, voices)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(asyncio.run(speak(kokoro, json.loads(line)))), flush=True)


async def speak(kokoro: Kokoro, text: str) -> dict[str, float]:
    started = time.perf_counter()
    first_s, samples = None, 0
    async for audio, _ in kokoro.create_stream(text, voice="af_heart", speed=1.0, lang="en-us"):
        first_s = first_s or time.perf_counter() - started
        samples += len(audio)
    return {
        "first_audio_ms": (first_s or 0.0) * 1000,
        "elapsed_s": time.perf_counter() - started,
        "audio_s": samples / 24_000,
        "resident_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    main()
