"""The speech image, built from a Debian made here and booted on loopback with the real weights."""

import asyncio
import time
from pathlib import Path

import pytest

from contract.wire import Received, UrlPeer, answers
from fakes.aws_cloud import AwsCloud
from fakes.containers import Container, Image, ping_statuses, run_container, shell
from fakes.patient import patient
from fakes.tools import run_tool
from firstword.client.connection import connect
from firstword.client.events import AudioChunk
from firstword.emulator.emulator import Behind, run_emulator

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

REFERENCE = ("Hello there.", "This is a post deployment check.", "It has three sentences.")
MODEL = "kokoro-82m-cpu"


def test_the_image_is_what_sagemaker_asks_for(speech_image: Image) -> None:
    config = speech_image.config
    assert config["Labels"]["com.amazonaws.sagemaker.capabilities.bidirectional-streaming"] == "true"
    assert config["Entrypoint"] == ["/opt/firstword/bin/python", "-m", "firstword.cli"]
    assert config["Cmd"] == ["serve"]
    assert "8080/tcp" in config["ExposedPorts"]
    assert config["Healthcheck"]["Test"][0] == "CMD"
    assert config.get("User", "") in ("", "root")
    variables = speech_image.variables
    assert variables["FIRSTWORD_SERVER_HOST"] == "0.0.0.0"  # noqa: S104  # inside the container
    assert variables["FIRSTWORD_SERVER_PORT"] == "8080"
    assert variables["FIRSTWORD_ASSETS_SOURCE"] == "dir:/opt/ml/model"


def test_the_image_is_at_most_650_mb_above_its_base(speech_image: Image) -> None:
    added_mb = (speech_image.bytes - speech_image.base_bytes) / 1e6
    print(f"CPU image: {added_mb:.0f} MB above a base of {speech_image.base_bytes / 1e6:.0f} MB")
    assert added_mb <= 650


def test_the_image_holds_no_torch_and_carries_its_notices(speech_image: Image) -> None:
    packages = shell(speech_image, "ls /opt/firstword/lib/python3.12/site-packages").split()
    assert {"onnxruntime", "misaki", "av"} <= set(packages)
    assert not [name for name in packages if name.startswith(("torch", "nvidia"))]
    assert "GPL-3.0" in shell(speech_image, "cat /usr/share/doc/firstword/NOTICES")


@pytest.mark.model
def test_it_refuses_until_it_can_speak_then_speaks_the_reference_sentences(
    speech_image: Image, real_assets: Path
) -> None:
    with run_container(speech_image, volumes={real_assets: "/opt/ml/model"}, wait=False) as container:
        statuses = list(ping_statuses(container))
        waited_s = time.monotonic() - container.started_s
        print(f"container start to /ping 200: {waited_s:.1f} s, {container.processor_s():.1f} s of processor time")
        assert statuses[-2:] == [503, 200]
        lengths = asyncio.run(_durations_s(container.url))
        assert lengths == pytest.approx((1.525, 2.250, 2.050), abs=0.12)
        container.terminate()
        assert container.wait() == 0


async def _durations_s(url: str) -> tuple[float, ...]:
    async with connect(url, voice="af_heart", trim=False) as speech:
        return tuple([await _duration_s(speech.stream(text)) for text in REFERENCE])


async def _duration_s(events: object) -> float:
    total = 0
    async for event in events:  # type: ignore[attr-defined]  # an async iterator of events
        total += len(event.pcm) if isinstance(event, AudioChunk) else 0
    return total / 48_000


def test_a_stop_in_the_middle_of_an_answer_lets_it_finish_and_exits_clean(speech_image: Image) -> None:
    with run_container(speech_image, variables={"FIRSTWORD_VOICE_ENGINE": "tone"}) as container:
        text = "This is a first sentence. " * 8
        received = asyncio.run(asyncio.wait_for(_stopped_while_speaking(container, text), 60))
        (complete,) = received.messages("synthesis_complete")
        assert complete["audio_bytes"] == len(received.audio)
        assert complete["total_duration_s"] > 10
        assert container.wait() == 0


async def _stopped_while_speaking(container: Container, text: str) -> Received:
    async with UrlPeer(container.url).session() as wire:
        start = {"type": "synthesize", "request_id": "a", "text": text}
        begun = await answers(wire, start, until="sentence")
        container.terminate()
        rest = await answers(wire, until="synthesis_complete")
        return Received(frames=begun.frames + rest.frames)


def test_the_tool_speaks_through_the_emulated_endpoint(
    speech_image: Image, account: AwsCloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def say(url: str) -> None:
        behind = Behind(endpoints={f"firstword-{MODEL}": url})
        async with run_emulator(patient(h2="h2c"), behind) as emulator:
            name = "AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME_HTTP2"
            monkeypatch.setenv(name, emulator.exports[name])
            for key in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
                monkeypatch.setenv(key, emulator.exports[key])
            target = tmp_path / "said.wav"
            ran = await asyncio.to_thread(run_tool, "speech-infra", "say", MODEL, "-o", str(target), "--json")
            assert ran.code == 0, ran.err
            assert ran.json["audio_bytes"] > 10_000
            assert target.stat().st_size > ran.json["audio_bytes"]

    with run_container(speech_image, variables={"FIRSTWORD_VOICE_ENGINE": "tone"}) as container:
        asyncio.run(asyncio.wait_for(say(container.url), 120))
