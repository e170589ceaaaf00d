"""Assets out of an S3 bucket, laid out there as in the cache. Credentials and region are boto3's to find."""

from pathlib import Path
from typing import Any

import boto3
from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from firstword.errors import AssetSourceError
from firstword.kokoro.assets.manifest import MANIFEST, Manifest, Progress

__all__ = ["S3Source"]


class S3Source:
    """`url` is s3://BUCKET/PREFIX; the prefix holds a manifest and the files it names."""

    directory: Path | None = None

    def __init__(self, url: str) -> None:
        bucket, _, prefix = url.removeprefix("s3://").partition("/")
        self._bucket = bucket
        self._prefix = prefix.strip("/")
        self._url = url
        self.slug = "-".join(part for part in ("s3", bucket, *self._prefix.split("/")) if part)

    def manifest(self) -> Manifest:
        try:
            data = self._client().get_object(Bucket=self._bucket, Key=self._key(MANIFEST))["Body"].read()
        except (BotoCoreError, ClientError) as error:
            raise self._failed(MANIFEST, error) from error
        return Manifest.decode(data, f"{self._url}/{MANIFEST}")

    def fetch(self, names: list[str], into: Path, progress: Progress) -> None:
        client, sizes = self._client(), {name: record.bytes for name, record in self.manifest().files.items()}
        for name in names:
            target = into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            done = 0

            def count(block: int, name: str = name) -> None:
                nonlocal done
                done += block
                progress(name, done, sizes[name])

            try:
                client.download_file(self._bucket, self._key(name), str(target), Callback=count)
            except (BotoCoreError, Boto3Error, ClientError) as error:
                raise self._failed(name, error) from error

    def _client(self) -> Any:
        return boto3.client("s3", config=Config(connect_timeout=10, read_timeout=60, retries={"max_attempts": 3}))

    def _key(self, name: str) -> str:
        return f"{self._prefix}/{name}" if self._prefix else name

    def _failed(self, name: str, error: Exception) -> AssetSourceError:
        reason = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
        return AssetSourceError(
            f"S3 did not deliver {name} from {self._url} ({reason}).",
            hint="Check the URL, the region and the permission to read it.",
            retryable=not isinstance(error, ClientError),
        )
