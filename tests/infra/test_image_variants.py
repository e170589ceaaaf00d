"""Images that take too long for every run: the GPU image, the one without espeak-ng, the agent's for arm64.

Only those that FIRSTWORD_TEST_IMAGES names: `gpu,no-espeak,arm64` (docs/guide/deploy.md says what each takes). What is
built for them is removed again.
"""

import asyncio
import os
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from contract.agentcore import talk
from fakes.base_image import BOOT_PYTHON, make_boot_base
from fakes.containers import EMULATOR, Image, build_image, run_container, shell
from firstword.client.connection import connect
from firstword.client.events import AudioChunk
from firstword.infra.images.context import agent_context, speech_context
from firstword.kokoro.assets.manifest import MANIFEST

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

WANTED = os.environ.get("FIRSTWORD_TEST_IMAGES", "").split(",")
_SITE_PACKAGES = "/opt/firstword/lib/python3.12/site-packages"


def _only_if_named(variant: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(variant not in WANTED, reason=f"FIRSTWORD_TEST_IMAGES does not name {variant}")


def _forgotten_after(image: Image) -> Iterator[Image]:
    yield image
    for command in (["rmi", "--force", image.name], ["rmi", "--prune"]):
        subprocess.run(["buildah", *command], env=dict(image.environment), capture_output=True, timeout=600)


@pytest.fixture(scope="module")
def gpu_image(containers: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    context = speech_context(tmp_path_factory.mktemp("gpu") / "context", device="gpu")
    started_s = time.monotonic()
    image = build_image(context, containers)
    added_mb = (image.bytes - image.base_bytes) / 1e6
    print(f"GPU image: {added_mb:.0f} MB above its base, built in {time.monotonic() - started_s:.0f} s")
    yield from _forgotten_after(image)


@_only_if_named("gpu")
def test_the_gpu_image_is_the_same_with_cuda_in_place_of_the_cpu_runtime(gpu_image: Image) -> None:
    labels = gpu_image.config["Labels"]
    assert labels["com.amazonaws.sagemaker.capabilities.bidirectional-streaming"] == "true"
    assert labels["firstword.device"] == "gpu"
    assert gpu_image.config["Entrypoint"] == ["/opt/firstword/bin/python", "-m", "firstword.cli"]
    assert gpu_image.config["Cmd"] == ["serve"]
    assert gpu_image.config.get("User", "") in ("", "root")
    assert gpu_image.variables["FIRSTWORD_VOICE_BACKEND"] == "cuda"
    packages = shell(gpu_image, f"ls {_SITE_PACKAGES}").split()
    assert {"nvidia", "onnxruntime"} <= set(packages)
    assert not [name for name in packages if name.startswith(("torch", "triton", "tensorflow"))]
    program = "import onnxruntime as o; print(o.get_available_providers())"
    assert "CUDAExecutionProvider" in shell(gpu_image, f"/opt/firstword/bin/python -c '{program}'")


@_only_if_named("gpu")
@pytest.mark.model
def test_without_a_gpu_ping_stays_503_the_log_says_why_and_sigterm_ends_it(
    gpu_image: Image, float_assets: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with run_container(gpu_image, volumes={float_assets: "/opt/ml/model"}, wait=False) as container:
        said = _until(capfd, "the voice did not load")
        assert "CUDAExecutionProvider does not start here" in said
        with httpx.Client(base_url=container.url, timeout=5, trust_env=False) as client:
            assert client.get("/ping").status_code == 503
        assert container.process.poll() is None
        container.terminate()
        assert container.wait() == 0


def _until(capfd: pytest.CaptureFixture[str], wanted: str) -> str:
    """The container's stderr, up to the line that holds `wanted`."""
    said = ""
    deadline_s = time.monotonic() + 300
    while wanted not in said or not said.endswith("\n"):
        assert time.monotonic() < deadline_s, said[-2000:]
        said += capfd.readouterr().err
        time.sleep(0.2)
    return said


@pytest.fixture(scope="module")
def float_assets(real_assets: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The set of the machine, said to be fp32: what matters here comes before a weight is read."""
    target = tmp_path_factory.mktemp("assets") / "set"
    subprocess.run(["cp", "-a", str(real_assets), str(target)], check=True, timeout=120)
    manifest = target / MANIFEST
    manifest.write_text(manifest.read_text().replace('"int8"', '"fp32"'))
    return target


@pytest.fixture(scope="module")
def free_image(containers: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The speech image without GPL-licensed phonemes."""
    context = speech_context(tmp_path_factory.mktemp("free") / "context", device="cpu", espeak=False)
    yield from _forgotten_after(build_image(context, containers, name="localhost/firstword-speech-free:test"))


@_only_if_named("no-espeak")
@pytest.mark.model
def test_an_image_without_espeak_speaks_english_by_its_dictionary(free_image: Image, real_assets: Path) -> None:
    packages = shell(free_image, f"ls {_SITE_PACKAGES}").split()
    assert not [name for name in packages if name.startswith(("espeakng", "phonemizer"))]
    with run_container(free_image, volumes={real_assets: "/opt/ml/model"}) as container:
        assert asyncio.run(asyncio.wait_for(_heard_s(container.url), 240)) > 1.0


async def _heard_s(url: str) -> float:
    async with connect(url, voice="af_heart", trim=False) as speech:
        chunks = [event.pcm async for event in speech.stream("Hello there.") if isinstance(event, AudioChunk)]
    return sum(map(len, chunks)) / 48_000


@pytest.fixture(scope="module")
def arm64_image(containers: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The agent image for AgentCore's machines on a base that boots here: Debian's Python instead of the locked one's,
    so the same versions are installed by the hashes of their wheels for it."""
    if not Path(EMULATOR).exists():
        pytest.skip("no emulation of arm64: install qemu-user-static")
    base = make_boot_base(containers)
    context = agent_context(tmp_path_factory.mktemp("arm64") / "context", python=BOOT_PYTHON)
    _lock_for_boot(context.directory / "requirements.txt")
    started_s = time.monotonic()
    image = build_image(context, containers, name="localhost/firstword-agent-arm64-boot:test", base=base)
    print(f"agent image for arm64: built in {time.monotonic() - started_s:.0f} s")
    yield from _forgotten_after(image)


def _lock_for_boot(requirements: Path) -> None:
    """The versions stay, the hashes become those of the wheels for BOOT_PYTHON."""
    pins = re.findall(r"^\S+==.*?(?= \\$)", requirements.read_text(), re.M)
    requirements.write_text("\n".join(pins))
    command = ["uv", "pip", "compile", "--quiet", "--no-deps", "--generate-hashes", "--no-header", "--no-annotate"]
    command += ["--python-version", BOOT_PYTHON.removeprefix("python"), "--python-platform", "aarch64-manylinux_2_28"]
    subprocess.run(
        [*command, str(requirements), "--output-file", str(requirements)], check=True, capture_output=True, timeout=300
    )


@_only_if_named("arm64")
def test_the_agent_image_for_arm64_keeps_agentcores_contract(arm64_image: Image) -> None:
    assert arm64_image.architecture == "arm64"
    started_s = time.monotonic()
    asyncio.run(asyncio.wait_for(talk(arm64_image), 2400))
    print(f"booted by emulation and held to the contract in {time.monotonic() - started_s:.0f} s")
