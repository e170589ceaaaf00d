"""Engines are started with exactly these command lines, and CodeBuild with exactly this order."""

import os
import platform
from pathlib import Path

import pytest

from fakes.aws_cloud import AwsCloud
from fakes.deployments import PLACE, REGISTRY
from fakes.engines import DIGEST, fake_engines
from firstword.config import InfraSettings
from firstword.errors import InfraError
from firstword.infra.images.context import BuildContext
from firstword.infra.imaging import publish
from firstword.infra.report import Silent
from firstword.infra.site import Site
from firstword.infra.toolkit.builders import BuilderName, LocalBuilder, choose_builder
from firstword.infra.toolkit.cloud import open_cloud

OURS = "localhost/firstword-speech:0123"
REMOTE = f"{REGISTRY}/firstword/speech:0123"


def _context(directory: Path) -> BuildContext:
    return BuildContext(
        image="speech",
        directory=directory,
        platform="linux/amd64",
        arguments={"DEVICE": "cpu", "ESPEAK": "no"},
        target="speech",
        tag="0123",
    )


def _site(report: Silent) -> Site:
    settings = InfraSettings(poll_s=0.01, base_image="localhost/base")
    return Site(cloud=open_cloud("us-east-1", None), place=PLACE, settings=settings, report=report)


def _repository(account: AwsCloud) -> None:
    account.client("ecr").create_repository(repositoryName="firstword/speech")


_PLAIN = ["--progress", "plain", "--output", "type=docker"]
_LAYERS = ["--format", "docker", "--layers", "--build-arg", "BUILDPLATFORM=linux/amd64"]


@pytest.mark.parametrize(
    ("engine", "format_options", "push"),
    [
        ("docker", _PLAIN, [["docker", "tag", OURS, REMOTE], ["docker", "push", REMOTE]]),
        ("finch", _PLAIN, [["finch", "tag", OURS, REMOTE], ["finch", "push", REMOTE]]),
        ("podman", _LAYERS, [["podman", "push", "--format", "v2s2", OURS, f"docker://{REMOTE}"]]),
        ("buildah", _LAYERS, [["buildah", "push", "--format", "v2s2", OURS, f"docker://{REMOTE}"]]),
    ],
)
def test_an_image_is_built_and_pushed_by_these_command_lines(
    account: AwsCloud,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    engine: BuilderName,
    format_options: list[str],
    push: list[list[str]],
) -> None:
    _repository(account)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    engines = fake_engines(tmp_path, monkeypatch, engine)
    account.script.images = lambda repository, tag: DIGEST if engines.pushed else None
    report = Silent()
    uri = publish(_site(report), _context(tmp_path), engine)
    assert uri == f"{REGISTRY}/firstword/speech@{DIGEST}"
    build, login, *pushed = engines.asked
    arguments = ["--build-arg", "DEVICE=cpu", "--build-arg", "ESPEAK=no", "--build-arg", "BASE_IMAGE=localhost/base"]
    start = [engine, "build", "--platform", "linux/amd64", "--tag", OURS]
    assert build == [*start, *format_options, *arguments, "--target", "speech", str(tmp_path)]
    assert login == [engine, "login", "--username", "AWS", "--password-stdin", REGISTRY]
    assert engines.password
    assert engines.password not in str(engines.asked)
    assert pushed == push
    assert "FROM base" in report.lines
    assert "COPY requirements.txt ." in report.lines


def test_a_build_that_fails_names_its_last_words_and_pushes_nothing(
    account: AwsCloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _repository(account)
    engines = fake_engines(tmp_path, monkeypatch, "podman")
    engines.fail_at("build")
    with pytest.raises(
        InfraError, match=r"podman could not build the speech image for linux/amd64: .*no space left on device"
    ):
        publish(_site(Silent()), _context(tmp_path), "podman")
    assert [words[1] for words in engines.asked] == ["build"]


def test_an_image_of_a_kind_that_sagemaker_refuses_is_not_deployed(
    account: AwsCloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _repository(account)
    engines = fake_engines(tmp_path, monkeypatch, "docker")
    account.script.images = lambda repository, tag: DIGEST if engines.pushed else None
    account.script.manifest = "application/vnd.oci.image.index.v1+json"
    for _ in range(2):  # just pushed, and found there
        with pytest.raises(InfraError, match=r"firstword/speech:0123 was pushed as .*oci\.image\.index") as refused:
            publish(_site(Silent()), _context(tmp_path), "docker")
        assert "imageTag=0123" in refused.value.hint


@pytest.mark.parametrize("machine", ["arm64", "aarch64"])
def test_an_engine_that_does_not_know_its_own_machine_is_told_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, machine: str
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    engines = fake_engines(tmp_path, monkeypatch, "podman")
    LocalBuilder(engine="podman").build(_context(tmp_path), OURS)
    assert "BUILDPLATFORM=linux/arm64" in engines.asked[0]


def test_an_interrupted_engine_ends_with_all_it_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    engines = fake_engines(tmp_path, monkeypatch, "buildah")
    engines.interrupt_at("build")
    with pytest.raises(KeyboardInterrupt):
        LocalBuilder(engine="buildah").build(_context(tmp_path), OURS)
    with pytest.raises(ProcessLookupError):
        os.kill(engines.interrupted, 0)


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        (("docker", "finch", "podman", "buildah"), "docker"),
        (("podman", "buildah"), "podman"),
        (("buildah",), "buildah"),
        ((), "codebuild"),
    ],
)
def test_auto_takes_the_first_engine_that_works(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: tuple[str, ...], chosen: str
) -> None:
    fake_engines(tmp_path, monkeypatch, *there)
    assert choose_builder("auto") == chosen


def test_an_engine_that_is_there_and_does_not_run_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    engines = fake_engines(tmp_path, monkeypatch, "docker", "buildah")
    (engines.home / "tools" / "docker").write_text("#!/bin/sh\nexit 1\n")
    assert choose_builder("auto") == "buildah"
