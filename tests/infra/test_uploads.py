"""Weights on their way to S3: cut off in the middle they go on where they stopped, and what arrives is proven."""

import hashlib
import json
from pathlib import Path

import pytest

from fakes.aws_cloud import AwsCloud, Call
from firstword.errors import InfraError
from firstword.infra.toolkit.cloud import open_cloud
from firstword.infra.toolkit.uploads import Upload

BUCKET = "weights"
DEPLOYER_POLICY = Path(__file__).parents[2] / "docs" / "guide" / "deployer-policy.json"
PART_BYTES = 5 << 20  # the least that S3 takes as a part that is not the last
CONTENTS = b"a large file. " * 900_000


@pytest.fixture
def large(account: AwsCloud, tmp_path: Path) -> Upload:
    """A file of three parts, on its way to a bucket of the account."""
    account.client("s3").create_bucket(Bucket=BUCKET)
    path = tmp_path / "model.onnx"
    path.write_bytes(CONTENTS)
    return Upload(
        s3=open_cloud("us-east-1", None).client("s3"),
        bucket=BUCKET,
        key="models/model.onnx",
        path=path,
        size=len(CONTENTS),
        sha256=hashlib.sha256(CONTENTS).hexdigest(),
        part_bytes=PART_BYTES,
    )


def _sent(account: AwsCloud) -> list[str]:
    """Every call that carries contents or ends an upload."""
    names = [call.operation for call in account.script.calls]
    return [name for name in names if name in ("PutObject", "UploadPart") or name.endswith("MultipartUpload")]


def test_a_large_file_goes_in_parts_and_is_known_to_be_there(account: AwsCloud, large: Upload) -> None:
    there: list[int] = []
    assert not large.there()
    assert large.send(there.append) == len(CONTENTS)
    assert there == [PART_BYTES, 2 * PART_BYTES, len(CONTENTS)]
    assert _sent(account) == ["CreateMultipartUpload", *["UploadPart"] * 3, "CompleteMultipartUpload"]
    assert large.there()
    found = account.client("s3").get_object(Bucket=BUCKET, Key=large.key)["Body"].read()
    assert found == CONTENTS


def test_cut_off_between_two_parts_it_goes_on_with_the_next(account: AwsCloud, large: Upload) -> None:
    def cut(there: int) -> None:
        if there == 2 * PART_BYTES:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        large.send(cut)
    assert not large.there()
    account.script.calls.clear()
    assert large.send(lambda there: None) == len(CONTENTS) - 2 * PART_BYTES
    assert _sent(account) == ["UploadPart", "CompleteMultipartUpload"]
    assert large.there()


def test_parts_of_another_size_are_sent_again(account: AwsCloud, large: Upload) -> None:
    s3 = account.client("s3")
    begun = s3.create_multipart_upload(Bucket=BUCKET, Key=large.key, ChecksumAlgorithm="SHA256")["UploadId"]
    s3.upload_part(Bucket=BUCKET, Key=large.key, UploadId=begun, PartNumber=1, Body=b"short")
    assert large.send(lambda there: None) == len(CONTENTS)
    assert large.there()


def test_a_part_with_wrong_contents_is_found_out(account: AwsCloud, large: Upload) -> None:
    s3 = account.client("s3")
    begun = s3.create_multipart_upload(Bucket=BUCKET, Key=large.key, ChecksumAlgorithm="SHA256")["UploadId"]
    s3.upload_part(Bucket=BUCKET, Key=large.key, UploadId=begun, PartNumber=1, Body=b"x" * PART_BYTES)
    with pytest.raises(InfraError, match=r"models/model\.onnx did not arrive as it was sent"):
        large.send(lambda there: None)
    assert not large.there()
    assert large.send(lambda there: None) == len(CONTENTS)
    assert large.there()


def test_parts_that_s3_refuses_to_join_are_thrown_away(account: AwsCloud, large: Upload) -> None:
    def refuse_once(call: Call) -> None:
        del account.script.after["UploadPart"]
        account.script.faults["CompleteMultipartUpload"] = (400, "InvalidPart", "One of them is not what it should be.")

    account.script.after["UploadPart"] = refuse_once
    with pytest.raises(InfraError, match=r"Could not write models/model\.onnx to the weights bucket: InvalidPart"):
        large.send(lambda there: None)
    assert account.client("s3").list_multipart_uploads(Bucket=BUCKET).get("Uploads", []) == []
    account.script.faults.clear()
    assert large.send(lambda there: None) == len(CONTENTS)


def test_a_small_file_is_one_piece_that_s3_holds_to_its_hash(account: AwsCloud, large: Upload) -> None:
    small = Upload(s3=large.s3, bucket=BUCKET, key="voice.bin", path=large.path, size=large.size, sha256=large.sha256)
    assert small.send(lambda there: None) == large.size
    assert _sent(account) == ["PutObject"]
    assert small.there()


def test_a_deployer_may_do_all_that_an_upload_does(account: AwsCloud, large: Upload) -> None:
    allowed = {
        action
        for statement in json.loads(DEPLOYER_POLICY.read_text())["Statement"]
        for action in ([statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"])
    }
    needed = {"ListMultipartUploads": "ListBucketMultipartUploads", "ListParts": "ListMultipartUploadParts"}
    needed |= dict.fromkeys(("CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"), "PutObject")
    needed |= {"HeadObject": "GetObject", "AbortMultipartUpload": "AbortMultipartUpload"}
    assert {f"s3:{needed[name]}" for name in needed} <= allowed
    large.send(lambda there: None)
    called = {call.operation for call in account.script.calls if call.sdk == "boto3"}
    assert called <= needed.keys()
