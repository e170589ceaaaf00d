"""A registry of images on loopback that stands where ECR would, and engines that find it there: buildah, podman."""

import json
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

__all__ = ["ImageRegistry", "image_registry"]

_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
_CONFIG = """\
version: 0.1
log: {{fields: {{}}}}
storage: {{filesystem: {{rootdirectory: "{root}"}}}}
http: {{addr: "127.0.0.1:0"}}
"""
# An engine asks DNS for ECR's host; here the name is replaced before the real one runs. Compressing well takes half a
# minute of both cores, for bytes that do not leave the machine; podman 4.3 cannot be told so.
_ENGINE = """\
#!/usr/bin/env bash
for argument in "$@"; do arguments+=("${{argument//{host}/{address}}}"); done
case "$1" in
  login) arguments=("$1" --tls-verify=false "${{arguments[@]:1}}");;
  push) arguments=("$1" --tls-verify=false --compression-format gzip {level} "${{arguments[@]:1}}");;
esac
exec {engine} "${{arguments[@]}}"
"""
_ENGINES = {"buildah": "--compression-level 1", "podman": ""}


@dataclass(frozen=True, kw_only=True)
class ImageRegistry:
    """`tools` holds the engines that are here; for them ECR's host is this registry. Put it first on PATH."""

    address: str
    tools: Path

    def digest(self, repository: str, tag: str) -> str | None:
        """Digest of what lies under that tag, None if nothing does: what ECR's DescribeImages tells."""
        try:
            with self._open(repository, f"manifests/{tag}", "HEAD") as answer:
                digest: str = answer.headers["Docker-Content-Digest"]
                return digest
        except HTTPError:
            return None

    def config(self, repository: str, tag: str) -> dict[str, Any]:
        """The configuration of what lies under that tag, by its manifest, which is docker's."""
        with self._open(repository, f"manifests/{tag}") as answer:
            manifest = json.load(answer)
        assert manifest["mediaType"] == _MANIFEST
        with self._open(repository, f"blobs/{manifest['config']['digest']}") as answer:
            config: dict[str, Any] = json.load(answer)
        return config

    def _open(self, repository: str, what: str, method: str = "GET") -> Any:
        url = f"http://{self.address}/v2/{repository}/{what}"  # loopback
        request = urllib.request.Request(url, headers={"Accept": _MANIFEST}, method=method)
        return urllib.request.urlopen(request, timeout=10)  # noqa: S310


@contextmanager
def image_registry(ecr_host: str) -> Iterator[ImageRegistry]:
    """The registry, running."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        config = root / "registry.yml"
        config.write_text(_CONFIG.format(root=root / "images"))
        log = root / "registry.log"
        with log.open("wb") as sink:
            process = subprocess.Popen(["docker-registry", "serve", str(config)], stdout=sink, stderr=sink)
        try:
            address = _address(process, log)
            tools = root / "tools"
            tools.mkdir()
            for name, level in _ENGINES.items():
                if engine := shutil.which(name):
                    wrapper = tools / name
                    wrapper.write_text(_ENGINE.format(host=ecr_host, address=address, engine=engine, level=level))
                    wrapper.chmod(0o755)
            yield ImageRegistry(address=address, tools=tools)
        finally:
            process.terminate()
            process.wait(timeout=20)


def _address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    for _ in range(200):
        if found := re.search(r"listening on (127\.0\.0\.1:\d+)", log.read_text()):
            return found.group(1)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.1)
            break
    raise AssertionError(f"the registry did not come up: {log.read_text()[-500:]}")
