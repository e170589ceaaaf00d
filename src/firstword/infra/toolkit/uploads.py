"""One file to S3, proven by SHA-256: a small one in one piece, a large one in parts that an interrupted upload keeps.

S3 hashes every part as it arrives, and gives an object of parts the hash of their hashes; both can be told beforehand
from the file. Whoever calls vouches that a key never stands for two contents: parts found under it are taken as ours,
and a file made of wrong ones does not pass the hash of the whole.
"""

import base64
import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.toolkit.cloud import aws_errors, code_of

__all__ = ["PART_BYTES", "Upload"]

PART_BYTES = 16 << 20
_GONE = frozenset({"404", "NoSuchKey", "NotFound"})
_SPOILT = frozenset({"BadDigest", "InvalidPart", "InvalidPartOrder", "InvalidRequest"})


@dataclass(frozen=True, kw_only=True)
class Upload:
    """`path`, which holds `size` bytes of that `sha256` (hex), as the object `key`."""

    s3: Any
    bucket: str
    key: str
    path: Path
    size: int
    sha256: str
    part_bytes: int = PART_BYTES

    def there(self) -> bool:
        """Whether the object is there with exactly these contents."""
        try:
            with aws_errors("look into the weights bucket"):
                found = self.s3.head_object(**self._object, ChecksumMode="ENABLED")
        except InfraError as error:
            if _said(error, _GONE):
                return False
            raise
        # Of an object of parts it is said with their number behind a hyphen.
        checksum = found.get("ChecksumSHA256", "").partition("-")[0]
        return bool(found["ContentLength"] == self.size and checksum == self._checksum())

    def send(self, there: Callable[[int], None]) -> int:
        """Bring it there, telling after each step how many of its bytes are there; the bytes that had to be sent.
        Raises InfraError when S3 refuses."""
        with self._told():
            if self.size > self.part_bytes:
                return self._send_in_parts(there)
            proof = {"ChecksumAlgorithm": "SHA256", "ChecksumSHA256": self._checksum()}
            with self.path.open("rb") as body:
                self.s3.put_object(**self._object, Body=body, **proof)
            there(self.size)
            return self.size

    def _send_in_parts(self, there: Callable[[int], None]) -> int:
        upload = self._begun()
        held = self._held(upload) if upload else {}
        if not upload:
            upload = self.s3.create_multipart_upload(**self._object, ChecksumAlgorithm="SHA256")["UploadId"]
        parts, done, sent = [], 0, 0
        for number, part in enumerate(self._parts(), start=1):
            which = {"PartNumber": number, "ChecksumSHA256": _base64(hashlib.sha256(part).digest())}
            tag = held.get((number, len(part)))
            if tag is None:
                proven = {"ChecksumAlgorithm": "SHA256", **which}
                tag = self.s3.upload_part(**self._object, UploadId=upload, Body=part, **proven)["ETag"]
                sent += len(part)
            parts.append({"ETag": tag, **which})
            done += len(part)
            there(done)
        self._join(upload, parts)
        return sent

    def _join(self, upload: str, parts: list[dict[str, Any]]) -> None:
        """Parts that do not make up the file are thrown away, so that the next try sends its own."""
        try:
            self.s3.complete_multipart_upload(**self._object, UploadId=upload, MultipartUpload={"Parts": parts})
        except ClientError as error:
            if code_of(error) in _SPOILT:
                self.s3.abort_multipart_upload(**self._object, UploadId=upload)
            raise
        if not self.there():
            raise InfraError(
                f"{self.key} did not arrive as it was sent.", code="bad_upload", hint="Run the same again."
            )

    def _begun(self) -> str:
        """The newest upload of this key that was begun and not ended; empty if there is none."""
        pages = self.s3.get_paginator("list_multipart_uploads").paginate(Bucket=self.bucket, Prefix=self.key)
        found = [item for page in pages for item in page.get("Uploads", []) if item["Key"] == self.key]
        return str(max(found, key=lambda item: item["Initiated"])["UploadId"]) if found else ""

    def _held(self, upload: str) -> dict[tuple[int, int], str]:
        """Tag of every part that S3 holds of an upload, by number and size."""
        pages = self.s3.get_paginator("list_parts").paginate(**self._object, UploadId=upload)
        return {(part["PartNumber"], part["Size"]): part["ETag"] for page in pages for part in page.get("Parts", [])}

    def _parts(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            while part := file.read(self.part_bytes):
                yield part

    def _checksum(self) -> str:
        """What S3 calls the object's SHA-256: of the file, or of its parts' hashes."""
        if self.size <= self.part_bytes:
            return _base64(bytes.fromhex(self.sha256))
        return _base64(hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in self._parts())).digest())

    @property
    def _object(self) -> dict[str, str]:
        return {"Bucket": self.bucket, "Key": self.key}

    def _told(self) -> AbstractContextManager[None]:
        return aws_errors(f"write {self.key} to the weights bucket")


def _base64(digest: bytes) -> str:
    return base64.b64encode(digest).decode()


def _said(error: InfraError, codes: frozenset[str]) -> bool:
    return isinstance(error.__cause__, ClientError) and code_of(error.__cause__) in codes
