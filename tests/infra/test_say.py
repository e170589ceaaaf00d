"""`speech-infra say` through the emulated endpoint, without an image: what it sends with the text."""

import asyncio
import json
from pathlib import Path

import pytest

from fakes.aws_cloud import AwsCloud
from fakes.patient import patient
from fakes.speech_server import speech_server
from fakes.tools import Ran, run_tool
from firstword.emulator.emulator import Behind, run_emulator

MODEL = "kokoro-82m"


def test_a_file_of_pronunciations_is_spoken_and_a_wrong_symbol_is_named(
    account: AwsCloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = tmp_path / "words.json"

    async def say(text: str, entries: dict[str, str]) -> Ran:
        words.write_text(json.dumps(entries), encoding="utf-8")
        options = ["--pronunciations", str(words), "--json"]
        return await asyncio.to_thread(run_tool, "speech-infra", "say", MODEL, text, *options)

    async def tell() -> None:
        async with speech_server() as server:
            behind = Behind(endpoints={f"firstword-{MODEL}": server.url})
            async with run_emulator(patient(h2="h2c"), behind) as emulator:
                for key in ("AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME_HTTP2", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
                    monkeypatch.setenv(key, emulator.exports[key])
                written = await say("Use nginx.", {"nginx": "engine x"})
                plain = await say("Use engine x.", {})
                wrong = await say("Use nginx.", {"nginx": "/n@x/"})
        assert (written.code, plain.code) == (0, 0), written.err + plain.err
        assert written.json["audio_bytes"] == plain.json["audio_bytes"]
        assert (wrong.code, "U+0040" in wrong.err) == (2, True), wrong.err

    asyncio.run(asyncio.wait_for(tell(), 120))
