"""Image builders of this machine: docker, finch, podman, buildah. One way to build and to push, whichever there is.

What was pushed is asked of ECR: its digest, by which an endpoint names it, and the kind of its manifest.
"""

import base64
import os
import platform
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, cast

from botocore.exceptions import ClientError

from firstword.errors import InfraError, UsageError
from firstword.infra.images.context import BuildContext
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of

__all__ = [
    "BUILDERS",
    "NO_ATTESTATIONS",
    "BuilderName",
    "LocalBuilder",
    "Pushed",
    "choose_builder",
    "find_pushed",
    "local_builder",
    "registry_password",
    "repository_uri",
]

type Say = Callable[[str], None]
type BuilderName = Literal["auto", "docker", "podman", "finch", "buildah", "codebuild", "image-uri"]

BUILDERS: tuple[str, ...] = ("auto", "docker", "podman", "finch", "buildah", "codebuild", "image-uri")
_ENGINES = ("docker", "finch", "podman", "buildah")
# With them buildx pushes an index of images, and SageMaker takes a single one.
NO_ATTESTATIONS = {"BUILDX_NO_DEFAULT_ATTESTATIONS": "1"}
_BUILD_TIMEOUT_S = 3600
_END_S = 10
# buildah and podman: `STEP 3/12: RUN …`; BuildKit: `#7 [build 2/5] RUN …`.
_STEP = re.compile(r"(?:\[\d+/\d+\] )?STEP \d+/\d+: (.*)|#\d+ \[[^\]]*\d+/\d+\] (.*)")


@dataclass(frozen=True, kw_only=True)
class LocalBuilder:
    """One engine. Its commands are docker's; each is told in its own way to make docker's format and not OCI's, which
    SageMaker does not take."""

    engine: str

    def build(self, context: BuildContext, name: str, base_image: str | None = None, say: Say | None = None) -> None:
        """Build `context` as the local image `name`, each step said. Raises InfraError with the step that failed."""
        command = [self.engine, "build", "--platform", context.platform, "--tag", name]
        if self.engine in ("podman", "buildah"):
            # OCI images drop HEALTHCHECK. Debian 12's know what they build for and not what they build on.
            command += ["--format", "docker", "--layers", "--build-arg", f"BUILDPLATFORM={_own_platform()}"]
        if self.engine in ("docker", "finch"):
            # Steps as lines, not as a screen that is drawn again and again; docker's format, not OCI's.
            command += ["--progress", "plain", "--output", "type=docker"]
        arguments = context.arguments | ({"BASE_IMAGE": base_image} if base_image else {})
        for key, value in arguments.items():
            command += ["--build-arg", f"{key}={value}"]
        if context.target:
            command += ["--target", context.target]

        def told(line: str) -> None:
            if say and (step := _STEP.match(line)):
                say(" ".join((step[1] or step[2]).split())[:100])

        doing = f"build the {context.image} image for {context.platform}"
        self._run([*command, str(context.directory)], doing, told=told)

    def login(self, registry: str, password: str) -> None:
        command = [self.engine, "login", "--username", "AWS", "--password-stdin", registry]
        self._run(command, f"log in to {registry}", stdin=password)

    def push(self, name: str, remote: str) -> None:
        """Push the local image, as docker's kind of manifest."""
        if self.engine in ("podman", "buildah"):
            self._run([self.engine, "push", "--format", "v2s2", name, f"docker://{remote}"], f"push to {remote}")
            return
        self._run([self.engine, "tag", name, remote], "tag the image")
        self._run([self.engine, "push", remote], f"push to {remote}")

    def _run(self, command: Sequence[str], doing: str, stdin: str = "", told: Say | None = None) -> None:
        """Run it, each line it writes told as it comes. On an interrupt it ends with all that it started."""
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(
                command,
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env=os.environ | NO_ATTESTATIONS,
                start_new_session=True,
            )
        except OSError as error:
            raise InfraError(
                f"{self.engine} could not {doing} ({type(error).__name__}).", code="builder_failed"
            ) from error
        late = threading.Timer(_BUILD_TIMEOUT_S, _end, [process])
        late.start()
        lines: list[str] = []
        try:
            with suppress(BrokenPipeError):
                _feed(process, stdin)
            for line in process.stdout or ():
                lines.append(line.rstrip())
                if told:
                    told(lines[-1])
            process.wait()
        finally:
            late.cancel()
            _end(process)
        if process.returncode != 0:
            tail = " | ".join([line for line in lines if line.strip()][-3:])[:600]
            raise InfraError(f"{self.engine} could not {doing}: {tail}", code="builder_failed")


def _own_platform() -> str:
    machine = platform.machine().lower()
    return "linux/arm64" if machine in ("aarch64", "arm64") else "linux/amd64"


def _feed(process: "subprocess.Popen[str]", text: str) -> None:
    if process.stdin:
        process.stdin.write(text)
        process.stdin.close()


def _end(process: "subprocess.Popen[str]") -> None:
    """End it and all it started, if it still runs."""
    if process.stdout:
        process.stdout.close()
    for how, patience_s in ((signal.SIGTERM, _END_S), (signal.SIGKILL, _END_S)):
        if process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=patience_s)


def choose_builder(wanted: BuilderName) -> BuilderName:
    """`wanted`; for auto the first engine that works here, else codebuild. Raises UsageError for one that is not."""
    if wanted == "auto":
        return cast(BuilderName, next((name for name in _ENGINES if _works(name)), "codebuild"))
    if wanted in _ENGINES and not _works(wanted):
        raise UsageError(
            f"{wanted} is not here or does not run.",
            code="no_builder",
            hint="Start or install it, or pass --builder codebuild to build in AWS.",
        )
    return wanted


def local_builder(name: BuilderName) -> LocalBuilder:
    return LocalBuilder(engine=name)


def _works(engine: str) -> bool:
    if shutil.which(engine) is None:
        return False
    try:
        return subprocess.run([engine, "info"], capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def repository_uri(cloud: Cloud, name: str) -> str:
    """Where the repository called `name` is pushed to."""
    with aws_errors("find the image repository"):
        found = cloud.client("ecr").describe_repositories(repositoryNames=[name])["repositories"]
    uri: str = found[0]["repositoryUri"]
    return uri


@dataclass(frozen=True, kw_only=True)
class Pushed:
    """An image in its repository. `manifest` is the media type it was pushed as, empty where ECR does not tell."""

    digest: str
    manifest: str


def find_pushed(cloud: Cloud, repository: str, tag: str) -> Pushed | None:
    """The image under that tag, None if it is not there."""
    try:
        with aws_errors("look for the image"):
            found = cloud.client("ecr").describe_images(repositoryName=repository, imageIds=[{"imageTag": tag}])
    except InfraError as error:
        if isinstance(error.__cause__, ClientError) and code_of(error.__cause__) == "ImageNotFoundException":
            return None
        raise
    (image,) = found["imageDetails"]
    return Pushed(digest=image["imageDigest"], manifest=image.get("imageManifestMediaType", ""))


def registry_password(cloud: Cloud) -> str:
    with aws_errors("get a password for the image registry"):
        token = cloud.client("ecr").get_authorization_token()["authorizationData"][0]["authorizationToken"]
    return base64.b64decode(token).decode().partition(":")[2]
