"""A registry of images on loopback that stands where ECR would, and a buildah that finds it there."""

import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
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
# minute of both cores, for bytes that do not leave the machine.
_BUILDAH = """\
#!/usr/bin/env bash
for argument in "$@"; do arguments+=("${{argument//{host}/{address}}}"); done
case "$1" in
  login) arguments=("$1" --tls-verify=false "${{arguments[@]:1}}");;
  push) arguments=("$1" --tls-verify=false --compression-format gzip --compression-level 1 "${{arguments[@]:1}}");;
esac
exec {buildah} "${{arguments[@]}}"
"""


@dataclass(frozen=True, kw_only=True)
class ImageRegistry:
    """`tools` holds a `buildah` for which ECR's host is this registry; put it first on PATH."""

    address: str
    tools: Path

    def digest(self, repository: str, tag: str) -> str | None:
        """Digest of what lies under that tag, None if nothing does: what ECR's DescribeImages tells."""
        request = urllib.request.Request(  # loopback
            f"http://{self.address}/v2/{repository}/manifests/{tag}", headers={"Accept": _MANIFEST}, method="HEAD"
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
                digest: str = answer.headers["Docker-Content-Digest"]
                return digest
        except HTTPError:
            return None


@contextmanager
def image_registry(ecr_host: str) -> Iterator[ImageRegistry]:
    """The registry, running."""
    buildah = shutil.which("buildah")
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
            wrapper = tools / "buildah"
            wrapper.write_text(_BUILDAH.format(host=ecr_host, address=address, buildah=buildah))
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
