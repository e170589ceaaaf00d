"""Weights to S3: every file of a set under a prefix named after its contents, proven by hash, the manifest last.

What is already there and right is not sent again, so an interrupted sync goes on where it stopped. A prefix with its
manifest is complete and never changes; an endpoint that runs from it cannot be surprised.
"""

import base64
import hashlib
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of
from firstword.kokoro.assets import AssetStore, Manifest, Progress
from firstword.kokoro.assets.manifest import MANIFEST

__all__ = ["SyncResult", "prefix_of", "sync_weights", "weights_uri"]


@dataclass(frozen=True, kw_only=True)
class SyncResult:
    uri: str
    sent_files: int
    sent_bytes: int
    kept_files: int


def prefix_of(model: str, manifest: Manifest) -> str:
    return f"models/{model}/{hashlib.sha256(manifest.encode()).hexdigest()[:12]}/"


def weights_uri(bucket: str, model: str, manifest: Manifest) -> str:
    return f"s3://{bucket}/{prefix_of(model, manifest)}"


def sync_weights(cloud: Cloud, store: AssetStore, *, bucket: str, model: str, progress: Progress) -> SyncResult:
    """Bring the store's set to the bucket. Raises AssetError when the set is not whole, InfraError when S3 refuses."""
    directory = store.ensure(progress)
    manifest = store.manifest()
    prefix = prefix_of(model, manifest)
    s3 = cloud.client("s3")
    sent_files = sent_bytes = done_bytes = 0
    for name, record in sorted(manifest.files.items()):
        done_bytes += record.bytes
        checksum = base64.b64encode(bytes.fromhex(record.sha256)).decode()
        if _there(s3, bucket, prefix + name, record.bytes, checksum):
            continue
        with aws_errors(f"write {name} to the weights bucket"), (directory / name).open("rb") as body:
            # S3 hashes what arrives and refuses it if it is not this.
            s3.put_object(
                Bucket=bucket, Key=prefix + name, Body=body, ChecksumAlgorithm="SHA256", ChecksumSHA256=checksum
            )
        sent_files += 1
        sent_bytes += record.bytes
        progress("weights to S3", done_bytes, manifest.total_bytes)
    with aws_errors("write the manifest"):
        s3.put_object(Bucket=bucket, Key=prefix + MANIFEST, Body=manifest.encode())
    return SyncResult(
        uri=f"s3://{bucket}/{prefix}",
        sent_files=sent_files,
        sent_bytes=sent_bytes,
        kept_files=len(manifest.files) - sent_files,
    )


def _there(s3: Any, bucket: str, key: str, size: int, checksum: str) -> bool:
    try:
        with aws_errors("look into the weights bucket"):
            found = s3.head_object(Bucket=bucket, Key=key, ChecksumMode="ENABLED")
    except InfraError as error:
        cause = error.__cause__
        if isinstance(cause, ClientError) and code_of(cause) in {"404", "NoSuchKey", "NotFound"}:
            return False
        raise
    return bool(found["ContentLength"] == size and found.get("ChecksumSHA256") == checksum)
