"""What scripts/gpu-check runs in the GPU environment: is the model really on the GPU, does it speak, how fast.

Three parts: a profiled run of the whole graph, whose node times are added up by the device that ran them; the real
server with the CUDA backend, speaking the reference sentences; first audio and real-time factor over several trials.
Prints one JSON object; exits 1 if a heavy node ran on the CPU or a sentence came out with a wrong length.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from firstword.client.connection import connect
from firstword.client.events import AudioChunk
from firstword.config import AssetSettings
from firstword.kokoro.assets import open_store

CUDA = "CUDAExecutionProvider"
HEAVY = {"Conv", "ConvTranspose", "MatMul", "Gemm", "LSTM", "FusedConv", "FusedMatMul"}
REFERENCE = {
    "Hello there.": 1.525,
    "This is a post deployment check.": 2.250,
    "It has three sentences.": 2.050,
}
TOLERANCE_S = 0.12
BYTES_PER_SECOND = 48_000


def main() -> int:
    options = _options()
    if options.provider not in onnxruntime.get_available_providers():
        print(f"gpu-check: onnxruntime {onnxruntime.__version__} offers no {options.provider} here.", file=sys.stderr)
        return 1
    if options.provider == CUDA:
        onnxruntime.preload_dlls()
    assets = open_store(AssetSettings.load(source=options.weights)).ensure()
    nodes = profile_nodes(assets / "model.onnx", options.provider)
    spoken = asyncio.run(speak(options, assets))
    wrong = [
        text for text, row in spoken["sentences"].items() if abs(row["duration_s"] - REFERENCE[text]) > TOLERANCE_S
    ]
    astray = {op: ms for op, ms in nodes["elsewhere_ms"].items() if op in HEAVY}
    verdict = {"ok": not wrong and not astray, "wrong_lengths": wrong, "heavy_nodes_elsewhere_ms": astray}
    print(json.dumps({"machine": machine(), "nodes": nodes, "speech": spoken, "verdict": verdict}, indent=2))
    return 0 if verdict["ok"] else 1


def profile_nodes(model: Path, provider: str) -> dict[str, Any]:
    """Milliseconds of one run of the whole graph, by device and, for what ran elsewhere, by operator."""
    with tempfile.TemporaryDirectory() as scratch:
        settings = onnxruntime.SessionOptions()
        settings.enable_profiling = True
        settings.profile_file_prefix = str(Path(scratch) / "run")
        settings.log_severity_level = 3
        session = onnxruntime.InferenceSession(str(model), settings, providers=[provider])
        feeds = {
            "tokens": np.array([[0, *([50, 83, 54, 156, 57, 135] * 8), 0]], dtype=np.int64),
            "style": np.zeros((1, 256), dtype=np.float32),
            "speed": np.ones(1, dtype=np.float32),
        }
        given = {item.name for item in session.get_inputs()}
        feeds = {("input_ids" if name == "tokens" and "tokens" not in given else name): v for name, v in feeds.items()}
        session.run(None, feeds)
        session.run(None, feeds)
        events = json.loads(Path(session.end_profiling()).read_text())
    times: dict[str, float] = {}
    elsewhere: dict[str, float] = {}
    for event in events:
        where = event.get("args", {}).get("provider")
        if event.get("cat") != "Node" or not where:
            continue
        times[where] = times.get(where, 0.0) + event["dur"] / 1000
        if where != provider:
            operator = event["args"]["op_name"]
            elsewhere[operator] = round(elsewhere.get(operator, 0.0) + event["dur"] / 1000, 3)
    return {"ms": {name: round(ms, 1) for name, ms in times.items()}, "elsewhere_ms": elsewhere}


async def speak(options: argparse.Namespace, assets: Path) -> dict[str, Any]:
    """The reference sentences through the real server, `trials` times after one to warm up."""
    backend = "cuda" if options.provider == CUDA else "onnxruntime"
    environment = os.environ | {
        "FIRSTWORD_ASSETS_SOURCE": f"dir:{assets}",
        "FIRSTWORD_VOICE_BACKEND": backend,
    }
    server = await asyncio.to_thread(_start, environment)
    try:
        url = await asyncio.to_thread(_listening_url, server)
        async with connect(url, voice="af_heart", trim=False) as speech:
            sentences = {text: await _trials(speech, text, options.trials) for text in REFERENCE}
    finally:
        server.terminate()
        server.wait(timeout=40)
    factors = [row["real_time_factor"] for row in sentences.values()]
    return {"backend": backend, "sentences": sentences, "real_time_factor": round(statistics.median(factors), 4)}


def _start(environment: dict[str, str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "firstword.cli", "serve", "--port", "0"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def _listening_url(server: "subprocess.Popen[str]") -> str:
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("listening on "):
            return line.removeprefix("listening on ").strip()
    raise SystemExit("gpu-check: the server ended before it could speak; its reason stands above.")


async def _trials(speech: Any, text: str, trials: int) -> dict[str, Any]:
    firsts_ms, totals_s, size = [], [], 0
    for trial in range(trials + 1):
        start_s, first_s, size = time.perf_counter(), 0.0, 0
        async for event in speech.stream(text):
            if isinstance(event, AudioChunk):
                first_s = first_s or time.perf_counter() - start_s
                size += len(event.pcm)
        if trial:
            firsts_ms.append(first_s * 1000)
            totals_s.append(time.perf_counter() - start_s)
    duration_s = size / BYTES_PER_SECOND
    return {
        "audio_bytes": size,
        "duration_s": round(duration_s, 3),
        "reference_s": REFERENCE[text],
        "first_audio_ms": round(statistics.median(firsts_ms), 1),
        "real_time_factor": round(statistics.median(totals_s) / duration_s, 4),
    }


def machine() -> dict[str, str]:
    try:
        query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        gpu = subprocess.run(query, capture_output=True, text=True, timeout=30).stdout.strip()
    except OSError:
        gpu = "none"
    return {"gpu": gpu, "onnxruntime": onnxruntime.__version__, "python": sys.version.split()[0]}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="gpu-check")
    parser.add_argument("--weights", default="hub", help="hub | dir:PATH | s3://BUCKET/PREFIX; not int8")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--provider", default=CUDA, help="another provider, to try this script without a GPU")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
