"""Weights to S3: every file of a set under a prefix named after its contents, proven by hash, the manifest last.

What is already there and right, a file or a part of a large one, is not sent again: an interrupted sync goes on where
it stopped. A prefix with its manifest is complete and never changes; an endpoint that runs from it cannot be surprised.
"""

import hashlib
from dataclasses import dataclass
from functools import partial

from firstword.config import AssetSettings
from firstword.errors import AssetError
from firstword.infra.deployment import ModelKind
from firstword.infra.toolkit.cloud import Cloud, aws_errors
from firstword.infra.toolkit.uploads import PART_BYTES, Upload
from firstword.kokoro.assets import AssetStore, Manifest, Progress, open_store
from firstword.kokoro.assets.manifest import MANIFEST

__all__ = ["SyncResult", "asset_store", "prefix_of", "sync_weights", "weights_uri"]


@dataclass(frozen=True, kw_only=True)
class SyncResult:
    uri: str
    sent_files: int
    sent_bytes: int
    kept_files: int


def asset_store(kind: ModelKind, source: str | None) -> AssetStore:
    """The assets a model runs on. Raises AssetError when the source holds another precision than it needs."""
    fitting = source or (None if kind.precision == "int8" else "hub")
    store = open_store(AssetSettings.load(source=fitting))
    found = store.manifest().precision
    if found != kind.precision:
        raise AssetError(
            f"{kind.name} runs {kind.precision} weights and this source holds {found}.",
            code="wrong_weights",
            hint="Pass --weights with a source that has them (hub, dir:PATH or s3://BUCKET/PREFIX).",
        )
    return store


def prefix_of(model: str, manifest: Manifest) -> str:
    return f"models/{model}/{hashlib.sha256(manifest.encode()).hexdigest()[:12]}/"


def weights_uri(bucket: str, model: str, manifest: Manifest) -> str:
    return f"s3://{bucket}/{prefix_of(model, manifest)}"


def sync_weights(
    cloud: Cloud, store: AssetStore, *, bucket: str, model: str, progress: Progress, part_bytes: int = PART_BYTES
) -> SyncResult:
    """Bring the store's set to the bucket. Raises AssetError when the set is not whole, InfraError when S3 refuses."""
    directory = store.ensure(progress)
    manifest = store.manifest()
    prefix = prefix_of(model, manifest)
    s3 = cloud.client("s3")
    sent_files = sent_bytes = done_bytes = 0
    for name, record in sorted(manifest.files.items()):
        upload = Upload(
            s3=s3,
            bucket=bucket,
            key=prefix + name,
            path=directory / name,
            size=record.bytes,
            sha256=record.sha256,
            part_bytes=part_bytes,
        )
        if not upload.there():
            sent_bytes += upload.send(partial(_tell, progress, done_bytes, manifest.total_bytes))
            sent_files += 1
        done_bytes += record.bytes
    with aws_errors("write the manifest"):
        s3.put_object(Bucket=bucket, Key=prefix + MANIFEST, Body=manifest.encode())
    return SyncResult(
        uri=f"s3://{bucket}/{prefix}",
        sent_files=sent_files,
        sent_bytes=sent_bytes,
        kept_files=len(manifest.files) - sent_files,
    )


def _tell(progress: Progress, before: int, total: int, there: int) -> None:
    progress("weights to S3", before + there, total)
