"""Full-precision weights and voices from the model hub, by its own client.

What the hub's large-file store says of a file (its size, its SHA-256) is the manifest; a fetch is pinned to the
commit that the manifest was read from.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx2
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, OfflineModeIsEnabled

from firstword.errors import AssetSourceError
from firstword.kokoro.assets.manifest import MODEL, FileRecord, Manifest, Progress, voice_file
from firstword.kokoro.voices import VOICES

__all__ = ["HubSource"]

_REMOTE_MODEL: Final = "onnx/model.onnx"


class HubSource:
    """`repo` is laid out as onnx-community/Kokoro-82M-v1.0-ONNX is: onnx/model.onnx and voices/NAME.bin."""

    directory: Path | None = None

    def __init__(self, *, repo: str, revision: str, endpoint: str | None, timeout_s: float) -> None:
        self._repo = repo
        self._revision = revision
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._commit: str | None = None
        self.slug = f"hub-{repo.replace('/', '-')}-{revision.replace('/', '-')}"

    def manifest(self) -> Manifest:
        with self._translated():
            info = HfApi(endpoint=self._endpoint).model_info(
                self._repo, revision=self._revision, files_metadata=True, timeout=min(30.0, self._timeout_s)
            )
        held = {item.rfilename: item.lfs for item in info.siblings or () if item.lfs is not None}
        files = {}
        for name in (MODEL, *map(voice_file, VOICES)):
            record = held.get(_remote(name))
            if record is None:
                raise AssetSourceError(f"The hub's {self._repo} has no {_remote(name)}.", hint="Check the repository.")
            files[name] = FileRecord(bytes=record.size, sha256=record.sha256)
        self._commit = info.sha
        return Manifest(model="Kokoro-82M v1.0", precision="fp32", files=files)

    def fetch(self, names: list[str], into: Path, progress: Progress) -> None:
        sizes = {name: record.bytes for name, record in self.manifest().files.items()}
        for name in names:
            with self._translated():
                path = hf_hub_download(
                    self._repo,
                    _remote(name),
                    revision=self._commit,
                    endpoint=self._endpoint,
                    local_dir=into / ".hub",
                    tqdm_class=_bar(name, sizes[name], progress),
                )
            target = into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            Path(path).replace(target)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (HfHubHTTPError, EntryNotFoundError, OfflineModeIsEnabled, httpx2.HTTPError) as error:
            response = getattr(error, "response", None)
            reason = f"HTTP {response.status_code}" if response is not None else type(error).__name__
            raise AssetSourceError(
                f"The hub did not deliver {self._repo} ({reason}).",
                hint="Check the network and the repository, or choose another source (FIRSTWORD_ASSETS_SOURCE).",
                retryable=response is None,
            ) from error


def _remote(name: str) -> str:
    return _REMOTE_MODEL if name == MODEL else name


def _bar(name: str, total: int, progress: Progress) -> Any:
    """A class that stands where the hub's client expects a progress bar, and reports to ours."""

    class Bar:
        def __init__(self, *_: Any, initial: int = 0, **__: Any) -> None:
            self.n = initial

        def update(self, n: float | None = 1) -> None:
            self.n += int(n or 0)
            progress(name, self.n, total)

        def close(self) -> None:
            """Nothing is drawn here."""

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

    return Bar
