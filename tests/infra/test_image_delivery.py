"""From source to endpoint: a real engine builds the image, and the tool deploys by digest what it pushed."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.base_image import BASE_IMAGE, make_cross_base
from fakes.containers import Image
from fakes.deployments import PLACE, REGISTRY
from fakes.image_registry import ImageRegistry, image_registry
from fakes.tools import run_tool
from firstword.config import InfraSettings
from firstword.infra.images.context import agent_context
from firstword.infra.imaging import publish
from firstword.infra.report import Silent
from firstword.infra.site import Site
from firstword.infra.toolkit.builders import BuilderName
from firstword.infra.toolkit.cloud import open_cloud

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
        _enter(registry, containers, monkeypatch, tmp_path)
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


@pytest.mark.parametrize("engine", ["buildah", "podman"])
def test_the_agents_image_for_arm64_is_built_and_pushed_by_either_engine(
    account: AwsCloud,
    containers: Mapping[str, str],
    arm64_agent_image: Image,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    engine: BuilderName,
) -> None:
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not here")
    account.client("ecr").create_repository(repositoryName="firstword/agent")
    settings = InfraSettings(poll_s=0.01, base_image=make_cross_base(containers))
    site = Site(cloud=open_cloud("us-east-1", None), place=PLACE, settings=settings, report=Silent())
    context = agent_context(tmp_path / "context")
    with image_registry(REGISTRY) as registry:
        account.script.images = registry.digest
        _enter(registry, containers, monkeypatch, tmp_path)
        uri = publish(site, context, engine)
        assert uri == f"{REGISTRY}/firstword/agent@{registry.digest('firstword/agent', context.tag)}"
        config = registry.config("firstword/agent", context.tag)
        assert config["architecture"] == "arm64"
        for key in ("User", "Entrypoint", "Cmd", "Healthcheck", "Env"):
            assert config["config"][key] == arm64_agent_image.config[key], key


def _enter(
    registry: ImageRegistry, containers: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, scratch: Path
) -> None:
    """Engines of this process and its children keep what they keep in `containers` and push to `registry`."""
    for name in ("CONTAINERS_STORAGE_CONF", "BUILDAH_ISOLATION"):
        monkeypatch.setenv(name, containers[name])
    monkeypatch.setenv("REGISTRY_AUTH_FILE", str(scratch / "auth.json"))
    monkeypatch.setenv("PATH", f"{registry.tools}{os.pathsep}{os.environ['PATH']}")
