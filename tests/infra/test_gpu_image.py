"""The GPU image, really built, and booted where there is no GPU: it says so and never speaks by the CPU instead.

Gigabytes of CUDA wheels: only with FIRSTWORD_TEST_GPU_IMAGE=1 (docs/guide/deploy.md says what it takes). What it
built is removed again.
"""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from fakes.containers import Image, build_image, run_container, shell
from firstword.infra.images.context import speech_context
from firstword.kokoro.assets.manifest import MANIFEST

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(5400),
    pytest.mark.skipif(
        os.environ.get("FIRSTWORD_TEST_GPU_IMAGE") != "1", reason="set FIRSTWORD_TEST_GPU_IMAGE=1 to build gigabytes"
    ),
]


@pytest.fixture(scope="module")
def gpu_image(containers: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    context = speech_context(tmp_path_factory.mktemp("gpu") / "context", device="gpu")
    started_s = time.monotonic()
    image = build_image(context, containers)
    added_mb = (image.bytes - image.base_bytes) / 1e6
    print(f"GPU image: {added_mb:.0f} MB above its base, built in {time.monotonic() - started_s:.0f} s")
    yield image
    for command in (["rmi", "--force", image.name], ["rmi", "--prune"]):
        subprocess.run(["buildah", *command], env=dict(containers), capture_output=True, timeout=600)


def test_it_is_the_same_image_with_cuda_in_place_of_the_cpu_runtime(gpu_image: Image) -> None:
    labels = gpu_image.config["Labels"]
    assert labels["com.amazonaws.sagemaker.capabilities.bidirectional-streaming"] == "true"
    assert labels["firstword.device"] == "gpu"
    assert gpu_image.config["Entrypoint"] == ["/opt/firstword/bin/python", "-m", "firstword.cli"]
    assert gpu_image.config["Cmd"] == ["serve"]
    assert gpu_image.config.get("User", "") in ("", "root")
    assert gpu_image.variables["FIRSTWORD_VOICE_BACKEND"] == "cuda"
    packages = shell(gpu_image, "ls /opt/firstword/lib/python3.12/site-packages").split()
    assert {"nvidia", "onnxruntime"} <= set(packages)
    assert not [name for name in packages if name.startswith(("torch", "triton", "tensorflow"))]
    offered = shell(
        gpu_image, "/opt/firstword/bin/python -c 'import onnxruntime as o; print(o.get_available_providers())'"
    )
    assert "CUDAExecutionProvider" in offered


@pytest.mark.model
def test_without_a_gpu_ping_stays_503_the_log_says_why_and_sigterm_ends_it(
    gpu_image: Image, float_assets: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with run_container(gpu_image, volumes={float_assets: "/opt/ml/model"}, wait=False) as container:
        said = _until(capfd, "does not start here")
        assert "CUDAExecutionProvider" in said
        with httpx.Client(base_url=container.url, timeout=5, trust_env=False) as client:
            assert client.get("/ping").status_code == 503
        assert container.process.poll() is None
        container.terminate()
        assert container.wait() == 0


def _until(capfd: pytest.CaptureFixture[str], wanted: str) -> str:
    """The container's stderr up to `wanted`."""
    said = ""
    deadline_s = time.monotonic() + 240
    while wanted not in said:
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
