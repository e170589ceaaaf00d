"""From source to endpoint: the tool builds the image with buildah, pushes it, and deploys what it pushed by digest."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.base_image import BASE_IMAGE
from fakes.containers import Image
from fakes.deployments import REGISTRY
from fakes.image_registry import image_registry
from fakes.tools import run_tool

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

MODEL = "kokoro-82m-cpu"


def test_an_image_is_built_pushed_and_deployed_by_digest_and_not_built_twice(
    account: AwsCloud,
    containers: Mapping[str, str],
    speech_image: Image,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    weights = write_set(tmp_path / "weights")
    with image_registry(REGISTRY) as registry:
        account.script.images = registry.digest
        for name in ("CONTAINERS_STORAGE_CONF", "BUILDAH_ISOLATION"):
            monkeypatch.setenv(name, containers[name])
        monkeypatch.setenv("REGISTRY_AUTH_FILE", str(tmp_path / "auth.json"))
        monkeypatch.setenv("PATH", f"{registry.tools}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("FIRSTWORD_INFRA_BASE_IMAGE", BASE_IMAGE)
        deploy = ["deploy", MODEL, "--weights", f"dir:{weights}", "--builder", "buildah", "--yes", "--json"]

        first = run_tool("speech-infra", *deploy)
        assert first.code == 0, first.err
        assert "building with buildah" in first.err
        done = first.json["deployment"]
        repository, _, digest = done["image_uri"].partition("@")
        assert repository == f"{REGISTRY}/firstword/speech"
        assert digest == registry.digest("firstword/speech", done["image_tag"])
        (model,) = account.client("sagemaker").list_models()["Models"]
        container = account.client("sagemaker").describe_model(ModelName=model["ModelName"])["PrimaryContainer"]
        assert container["Image"] == done["image_uri"]

        second = run_tool("speech-infra", *deploy)
        assert second.code == 0, second.err
        assert "is there already" in second.err
        assert second.json["deployment"]["image_uri"] == done["image_uri"]
