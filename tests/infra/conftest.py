"""Every combination of options is synthesized once for the whole room; the tests read the templates."""

import os
from collections.abc import Iterator, Mapping

import platformdirs
import pytest

from fakes.aws_cloud import AwsCloud, aws_cloud
from fakes.base_image import make_base_image, make_cross_base, storage_environment
from fakes.containers import Image, build_image
from fakes.deployments import PLACE, VOICES, Assembly, agents
from firstword.infra.agent.app import synthesize_agent
from firstword.infra.images.context import agent_context, speech_context
from firstword.infra.speech.app import synthesize_speech


@pytest.fixture(scope="session")
def assemblies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assembly]:
    """Every option set, synthesized without credentials in the environment."""
    root = tmp_path_factory.mktemp("assemblies")
    code = root / "code"
    code.mkdir()
    (code / "main.py").write_text("")
    saved = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("AWS_")}
    try:
        made = {name: synthesize_speech(place, wanted, root / name) for name, (place, wanted) in VOICES.items()}
        made |= {name: synthesize_agent(PLACE, wanted, root / name) for name, wanted in agents(code).items()}
    finally:
        os.environ.update(saved)
    return {name: Assembly(directory=path) for name, path in made.items()}


@pytest.fixture(scope="session")
def containers() -> Mapping[str, str]:
    """The environment of buildah in these tests, with the base image there. Kept between runs: layers are slow."""
    environment = storage_environment(platformdirs.user_cache_path("firstword-tests") / "containers")
    make_base_image(environment)
    return environment


@pytest.fixture(scope="session")
def speech_image(containers: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Image:
    """The CPU speech image, built by the toolkit's builder."""
    return build_image(speech_context(tmp_path_factory.mktemp("speech") / "context", device="cpu"), containers)


@pytest.fixture(scope="session")
def agent_image(containers: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Image:
    """The agent image for this machine's own architecture."""
    context = agent_context(tmp_path_factory.mktemp("agent") / "context", platform="linux/amd64")
    return build_image(context, containers)


@pytest.fixture(scope="session")
def arm64_agent_image(containers: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Image:
    """The agent image for AgentCore's machines, built on this one."""
    context = agent_context(tmp_path_factory.mktemp("agent") / "context")
    name = "localhost/firstword-agent-arm64:test"
    return build_image(context, containers, name=name, base=make_cross_base(containers))


@pytest.fixture(scope="session")
def aws() -> Iterator[AwsCloud]:
    """One account for the whole room; `account` empties it for a test."""
    with aws_cloud() as cloud:
        yield cloud


@pytest.fixture(scope="module")
def cloud(aws: AwsCloud) -> Iterator[AwsCloud]:
    """One bootstrapped account for a whole file: each test goes on from what the one before it left standing."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        aws.enter(monkeypatch)
        aws.bootstrap()
        yield aws


@pytest.fixture
def account(aws: AwsCloud, monkeypatch: pytest.MonkeyPatch) -> AwsCloud:
    """An empty, bootstrapped account that every AWS call of this process and its children goes to."""
    aws.enter(monkeypatch)
    aws.bootstrap()
    return aws
