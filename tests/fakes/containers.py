"""Images as buildah sees them, and containers of them on loopback, run as their image says they are to be run."""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from fakes.base_image import BASE_IMAGE
from firstword.infra.images.context import BuildContext
from firstword.infra.toolkit.builders import LocalBuilder

__all__ = [
    "BUILD_S",
    "EMULATOR",
    "Container",
    "Image",
    "build_image",
    "free_port",
    "mounted",
    "ping_statuses",
    "read_image",
    "run_container",
    "shell",
]

BUILD_S = 600
EMULATOR = "/usr/bin/qemu-aarch64-static"
"""Runs programs for arm64 here. It is mounted into a container and starts its program, so nobody has to register it."""
_START_S = 120
_STOP_S = 40
_EMULATED_STOP_S = 300


@dataclass(frozen=True, kw_only=True)
class Image:
    """`config` is what a container engine would start it by; `environment` is buildah's own."""

    name: str
    architecture: str
    config: dict[str, Any]
    bytes: int
    base_bytes: int
    environment: Mapping[str, str]

    @property
    def variables(self) -> dict[str, str]:
        return dict(item.split("=", 1) for item in self.config["Env"])


@dataclass(frozen=True, kw_only=True)
class Container:
    url: str
    process: subprocess.Popen[str]
    started_s: float
    stop_s: float

    def terminate(self) -> None:
        """SIGTERM to the container's own process, as an engine sends it; buildah itself would kill it outright."""
        os.kill(_innermost(self.process.pid), signal.SIGTERM)

    def processor_s(self) -> float:
        """What it has taken of the processors so far, whoever else wants them."""
        fields = Path(f"/proc/{_innermost(self.process.pid)}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait(self) -> int:
        """Its exit code, once it is gone."""
        return self.process.wait(timeout=self.stop_s)


def build_image(
    context: BuildContext, environment: Mapping[str, str], *, name: str = "", base: str = BASE_IMAGE
) -> Image:
    """Build with the toolkit's own builder on the base made here."""
    name = name or f"localhost/firstword-{context.image}-{context.arguments.get('DEVICE', 'any')}:test"
    with _environment(environment):
        LocalBuilder(engine="buildah").build(context, name, base)
    return read_image(name, environment)


def read_image(name: str, environment: Mapping[str, str]) -> Image:
    found = json.loads(_buildah(environment, "inspect", "--type", "image", name))
    return Image(
        name=name,
        architecture=found["Docker"]["architecture"],
        config=found["Docker"]["config"],
        bytes=_size(name, environment),
        base_bytes=_size(BASE_IMAGE, environment),
        environment=environment,
    )


def _size(name: str, environment: Mapping[str, str]) -> int:
    """Bytes of the image's file system, unpacked."""
    with _mounted(name, environment) as root:
        used = subprocess.run(["du", "-sb", root], capture_output=True, text=True, check=True, timeout=120).stdout
        return int(used.split()[0])


@contextlib.contextmanager
def mounted(image: Image) -> Iterator[Path]:
    """The image's file system, to read: nothing in it is run."""
    with _mounted(image.name, image.environment) as root:
        yield root


@contextlib.contextmanager
def _mounted(name: str, environment: Mapping[str, str]) -> Iterator[Path]:
    container = _buildah(environment, "from", name).strip()
    try:
        yield Path(_buildah(environment, "mount", container).strip())
    finally:
        _buildah(environment, "rm", container)


@contextlib.contextmanager
def run_container(
    image: Image,
    command: Sequence[str] | None = None,
    *,
    variables: Mapping[str, str] | None = None,
    volumes: Mapping[Path, str] | None = None,
    wait: bool = True,
    port_variable: str = "FIRSTWORD_SERVER_PORT",
    start_s: float = _START_S,
) -> Iterator[Container]:
    """Start it the way its image says (buildah itself ignores entry point, command and user) on a free port of
    loopback, and end it. With `wait` the body begins when it says that it listens. One for arm64 needs EMULATOR."""
    environment = image.environment
    container = _buildah(environment, "from", image.name).strip()
    port = free_port()
    options = ["--isolation", "chroot", "--user", image.config.get("User") or "root"]
    for name, value in {port_variable: str(port), **(variables or {})}.items():
        options += ["--env", f"{name}={value}"]
    for source, target in (volumes or {}).items():
        options += ["--volume", f"{source}:{target}:ro"]
    line = [*image.config["Entrypoint"], *(command or image.config["Cmd"])]
    stop_s = _STOP_S
    if image.architecture == "arm64":
        stop_s = _EMULATED_STOP_S
        options += ["--volume", f"{EMULATOR}:{EMULATOR}:ro"]
        line = [EMULATOR, *line]
    process = subprocess.Popen(
        ["buildah", "run", *options, container, "--", *line], env=environment, stdout=subprocess.PIPE, text=True
    )
    started_s = time.monotonic()
    try:
        if wait:
            _await_line(process, "listening on", start_s)
        yield Container(url=f"http://127.0.0.1:{port}", process=process, started_s=started_s, stop_s=stop_s)
    finally:
        if process.poll() is None:
            os.kill(_innermost(process.pid), signal.SIGTERM)
            process.wait(timeout=stop_s)
        if process.stdout:
            process.stdout.close()
        _buildah(environment, "rm", container)


def shell(image: Image, script: str) -> str:
    """What `script` prints inside a fresh container of the image."""
    container = _buildah(image.environment, "from", image.name).strip()
    try:
        return _buildah(image.environment, "run", "--isolation", "chroot", container, "--", "/bin/sh", "-c", script)
    finally:
        _buildah(image.environment, "rm", container)


def _innermost(pid: int) -> int:
    """The last of the chain of processes that each have one child (of any of their threads)."""
    while True:
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        children = [int(child) for task in tasks for child in task.read_text().split()]
        if not children:
            return pid
        pid = children[0]


def _await_line(process: subprocess.Popen[str], wanted: str, start_s: float) -> None:
    deadline_s = time.monotonic() + start_s
    assert process.stdout is not None
    while True:
        left_s = deadline_s - time.monotonic()
        ready, _, _ = select.select([process.stdout], [], [], max(left_s, 0))
        assert ready, f"no line {wanted!r} within {start_s} s"
        line = process.stdout.readline()
        assert line, f"the container ended: {process.wait(timeout=_STOP_S)}"
        if wanted in line:
            return


def ping_statuses(container: Container) -> Iterator[int]:
    """The status of /ping again and again, each change once, until it is 200; 0 while nobody listens."""
    last = -1
    deadline_s = time.monotonic() + _START_S
    with httpx.Client(base_url=container.url, timeout=2.0, trust_env=False) as client:
        while time.monotonic() < deadline_s and container.process.poll() is None:
            try:
                status = client.get("/ping").status_code
            except httpx.HTTPError:
                status = 0
            if status != last:
                yield (last := status)
            if status == 200:
                return


def free_port() -> int:
    """A port of loopback that nobody has right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _buildah(environment: Mapping[str, str], *arguments: str) -> str:
    return subprocess.run(
        ["buildah", *arguments], env=environment, capture_output=True, text=True, check=True, timeout=BUILD_S
    ).stdout


@contextlib.contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    saved = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)
