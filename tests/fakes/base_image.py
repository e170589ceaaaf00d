"""Stand-ins for the public python:3.12-slim image, made here, for no registry of images can be reached from the tests.

For amd64 it is made as the public one is: Debian bookworm with a CPython 3.12 built from source in /usr/local (the one
that runs the tests, without its packages). No such CPython is at hand for arm64, so there are two images of both kinds
under one name, as a registry has them: one whose arm64 has no Python, enough to build on (nothing of it is run), and
one of Debian trixie with Debian's Python 3.13 in both, to boot by emulation. Neither needs emulation to be made.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["BASE_IMAGE", "BOOT_PYTHON", "make_base_image", "make_boot_base", "make_cross_base", "storage_environment"]

BASE_IMAGE = "localhost/python:3.12-slim-bookworm"
_CROSS_BASE = "localhost/python:3.12-both"
_BOOT_BASE = "localhost/python:3.13-both"
BOOT_PYTHON = "python3.13"
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
_BARE_PACKAGES = "base-files,libc6,libgcc-s1,libstdc++6,zlib1g"
_BARE_CONTAINERFILE = """\
FROM scratch
ADD root.tar /
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
ENV LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt
"""
_BOOT_PACKAGES = (
    "base-files,base-passwd,bash,ca-certificates,coreutils,dash,findutils,grep,libc-bin,libstdc++6,login.defs,netbase,"
    "passwd,python3,python3-pip,python3-venv,tzdata"
)
# What Debian's own scripts would have done, for both: they are run for none. Bytecode is the same for both.
_BOOT_CONTAINERFILE = """\
FROM scratch AS amd64
ADD amd64.tar /
RUN cp /usr/share/base-passwd/passwd.master /etc/passwd && cp /usr/share/base-passwd/group.master /etc/group \
 && python3.13 -m compileall -q /usr/lib/python3.13
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
ENV LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt

FROM amd64 AS laid
ADD arm64.tar /arm64/
RUN cp /etc/passwd /etc/group /arm64/etc/ && python3.13 -m compileall -q -s /arm64 /arm64/usr/lib/python3.13

FROM scratch AS arm64
COPY --from=laid /arm64 /
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


def make_base_image(environment: Mapping[str, str]) -> str:
    """Build the base unless it is there already, and return its name. About a minute, most of it mmdebstrap."""
    if not _there(BASE_IMAGE, environment):
        with tempfile.TemporaryDirectory() as scratch:
            context = Path(scratch)
            _debian(context / "root.tar", "bookworm", _PACKAGES, "--variant=minbase")
            _python(context / "python")
            shutil.copy(_bundle(), context / "ca-certificates.crt")
            (context / "Containerfile").write_text(_CONTAINERFILE)
            _build(context, BASE_IMAGE, "amd64", environment)
    return BASE_IMAGE


def make_cross_base(environment: Mapping[str, str]) -> str:
    """The base above and, for arm64, a Debian without Python, under one name."""
    if not _there(_CROSS_BASE, environment):
        arm64 = f"{_CROSS_BASE}-arm64"
        with tempfile.TemporaryDirectory() as scratch:
            context = Path(scratch)
            _debian(context / "root.tar", "bookworm", _BARE_PACKAGES, "--variant=extract", "--architectures=arm64")
            (context / "Containerfile").write_text(_BARE_CONTAINERFILE)
            _build(context, arm64, "arm64", environment)
        _list(_CROSS_BASE, (make_base_image(environment), arm64), environment)
    return _CROSS_BASE


def make_boot_base(environment: Mapping[str, str]) -> str:
    """A base whose arm64 boots too; its Python is BOOT_PYTHON."""
    if not _there(_BOOT_BASE, environment):
        images = [f"{_BOOT_BASE}-{architecture}" for architecture in ("amd64", "arm64")]
        with tempfile.TemporaryDirectory() as scratch:
            context = Path(scratch)
            for architecture in ("amd64", "arm64"):
                options = ("--variant=extract", f"--architectures={architecture}")
                _debian(context / f"{architecture}.tar", "trixie", _BOOT_PACKAGES, *options)
            shutil.copy(_bundle(), context / "ca-certificates.crt")
            (context / "Containerfile").write_text(_BOOT_CONTAINERFILE)
            for architecture, image in zip(("amd64", "arm64"), images, strict=True):
                _build(context, image, architecture, environment, "--target", architecture)
        _list(_BOOT_BASE, images, environment)
    return _BOOT_BASE


def _there(image: str, environment: Mapping[str, str]) -> bool:
    inspect = ["buildah", "images", "--quiet", image]
    return subprocess.run(inspect, env=environment, capture_output=True, timeout=60).returncode == 0


def _build(context: Path, image: str, architecture: str, environment: Mapping[str, str], *options: str) -> None:
    command = ["buildah", "build", "--platform", f"linux/{architecture}", "--format", "docker", "--squash"]
    command += ["--tag", image, *options, str(context)]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=1800)


def _list(name: str, images: Sequence[str], environment: Mapping[str, str]) -> None:
    command = ["buildah", "manifest", "create", name, *images]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)


def _bundle() -> str:
    return os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")


def _debian(target: Path, suite: str, packages: str, *options: str) -> None:
    slim = "--dpkgopt=path-exclude=/usr/share/{man,doc,locale}/*"
    command = ["mmdebstrap", "--quiet", f"--include={packages}", slim, *options, suite, str(target)]
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
