"""A stand-in for the public python:3.12-slim image, made here: Debian from its archive, and the Python that runs us.

Image builds in the tests start from it, because no registry of images can be reached from where they run.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

BASE_IMAGE = "localhost/python:3.12-slim-bookworm"
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
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
    return BASE_IMAGE


def _debian(target: Path) -> None:
    slim = "--dpkgopt=path-exclude=/usr/share/{man,doc,locale}/*"
    command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={_PACKAGES}", slim, "bookworm", str(target)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


def _python(target: Path) -> None:
    """This interpreter's installation without its tests, packages and caches."""
    home = Path(sys.base_prefix)
    unwanted = shutil.ignore_patterns("test", "idlelib", "tkinter", "turtledemo", "__pycache__", "*.a", "site-packages")
    for part in ("bin", "lib"):
        shutil.copytree(home / part, target / part, symlinks=True, ignore=unwanted)
    pip = Path(sysconfig.get_path("stdlib", vars={"base": str(home), "installed_base": str(home)})) / "site-packages"
    for package in pip.glob("pip*"):
        shutil.copytree(package, target / "lib" / "python3.12" / "site-packages" / package.name, ignore=unwanted)
