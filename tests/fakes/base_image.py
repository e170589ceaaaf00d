"""Stand-ins for the public python:3.12-slim image, made here, for no registry of images can be reached from the tests.

For amd64 it is made as the public one is: Debian bookworm with a CPython 3.12 built from source in /usr/local (the one
that runs the tests, without its packages). For arm64 there is no such build at hand: Debian trixie with Debian's own
Python 3.13, which the agent's locked wheels cover too.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

BASE_IMAGE = "localhost/python:3.12-slim-bookworm"
ARM64_BASE_IMAGE = "localhost/python:3.13-trixie-arm64"
_PACKAGES = (
    "ca-certificates,libbz2-1.0,libffi8,liblzma5,libncursesw6,libreadline8,libsqlite3-0,libssl3,libtinfo6,libuuid1,"
    "netbase,passwd,tzdata,zlib1g"
)
_CONTAINERFILE = """\
FROM scratch
ADD root.tar /
COPY python/ /usr/local/
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN ldconfig && python3.12 -c "import ssl, sqlite3, lzma, bz2, ctypes, ensurepip"
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
ENV LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt
"""


_ARM64_PACKAGES = "ca-certificates,netbase,passwd,tzdata,python3,python3-pip,python3-venv"
_ARM64_CONTAINERFILE = """\
FROM scratch
ADD root.tar /
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
ENV LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt
"""


def storage_environment(root: Path) -> dict[str, str]:
    """Variables that make buildah keep everything below `root` and build without privileges it may not have."""
    root.mkdir(parents=True, exist_ok=True)
    storage = root / "storage.conf"
    storage.write_text(f'[storage]\ndriver = "overlay"\ngraphroot = "{root}/graph"\nrunroot = "{root}/run"\n')
    policy = root / "policy.json"
    policy.write_text('{"default": [{"type": "insecureAcceptAnything"}]}')
    return os.environ | {"CONTAINERS_STORAGE_CONF": str(storage), "BUILDAH_ISOLATION": "chroot"}


def make_base_image(environment: dict[str, str]) -> str:
    """Build the base unless it is there already, and return its name. About a minute, most of it mmdebstrap."""
    there = subprocess.run(["buildah", "inspect", "--type", "image", BASE_IMAGE], env=environment, capture_output=True)
    if there.returncode == 0:
        return BASE_IMAGE
    with tempfile.TemporaryDirectory() as scratch:
        context = Path(scratch)
        _debian(context / "root.tar")
        _python(context / "python")
        bundle = os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")
        shutil.copy(bundle, context / "ca-certificates.crt")
        (context / "Containerfile").write_text(_CONTAINERFILE)
        command = ["buildah", "build", "--format", "docker", "--squash", "--tag", BASE_IMAGE, str(context)]
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=900)
    return BASE_IMAGE


def why_no_arm64() -> str:
    """Why programs for arm64 do not run here; empty if they do."""
    handler = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
    if not handler.exists():
        return "no emulation of arm64: install qemu-user-static and binfmt-support, and mount binfmt_misc"
    # Without F the emulator is looked for inside the image, where it is not.
    flags = next(line for line in handler.read_text().splitlines() if line.startswith("flags:"))
    return "" if "F" in flags else "qemu-aarch64 is registered without the flag F"


def make_arm64_base_image(environment: dict[str, str]) -> str:
    """Build the arm64 base unless it is there already; the name of its Python."""
    image = ARM64_BASE_IMAGE
    there = subprocess.run(["buildah", "inspect", "--type", "image", image], env=environment, capture_output=True)
    if there.returncode != 0:
        with tempfile.TemporaryDirectory() as scratch:
            context = Path(scratch)
            _debian(context / "root.tar", "trixie", _ARM64_PACKAGES, "--architectures=arm64")
            shutil.copy("/etc/ssl/certs/ca-certificates.crt", context)
            (context / "Containerfile").write_text(_ARM64_CONTAINERFILE)
            command = ["buildah", "build", "--platform", "linux/arm64", "--format", "docker", "--tag", image]
            subprocess.run([*command, str(context)], env=environment, check=True, capture_output=True, timeout=900)
    return "python3.13"


def _debian(target: Path, suite: str = "bookworm", packages: str = _PACKAGES, *options: str) -> None:
    slim = "--dpkgopt=path-exclude=/usr/share/{man,doc,locale}/*"
    command = [
        "mmdebstrap",
        "--quiet",
        "--variant=minbase",
        f"--include={packages}",
        slim,
        *options,
        suite,
        str(target),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=1800)


def _python(target: Path) -> None:
    """This interpreter's installation without its tests, packages and caches."""
    home = Path(sys.base_prefix)
    unwanted = shutil.ignore_patterns("test", "idlelib", "tkinter", "turtledemo", "__pycache__", "*.a", "site-packages")
    for part in ("bin", "lib"):
        shutil.copytree(home / part, target / part, symlinks=True, ignore=unwanted)
    pip = Path(sysconfig.get_path("stdlib", vars={"base": str(home), "installed_base": str(home)})) / "site-packages"
    for package in pip.glob("pip*"):
        shutil.copytree(package, target / "lib" / "python3.12" / "site-packages" / package.name, ignore=unwanted)
