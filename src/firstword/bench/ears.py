"""Who hears audio back: the packaged Whisper, or Amazon Transcribe where an account is at hand."""

import asyncio
import time
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any

import msgspec

from firstword.audio import SAMPLE_RATE_HZ, wav_header
from firstword.bench.hearing import transcribe
from firstword.errors import FirstwordError, UsageError

__all__ = ["open_ear"]

_POLL_S = 3.0
_DEADLINE_S = 600.0


def open_ear(name: str) -> Callable[[bytes], str]:
    """A function from PCM to words: `whisper`, or `transcribe:BUCKET` (clips are put there and removed again)."""
    if name == "whisper":
        return transcribe
    kind, _, bucket = name.partition(":")
    if kind == "transcribe" and bucket:
        return _Transcribe(bucket)
    raise UsageError(f"There is no ear {name!r}.", hint="Use whisper, or transcribe:BUCKET.")


class _Transcribe:
    """One batch job a clip. Not run by us: no account was at hand; the calls are those of the public API."""

    def __init__(self, bucket: str) -> None:
        import boto3

        self._bucket = bucket
        self._s3: Any = boto3.client("s3")
        self._jobs: Any = boto3.client("transcribe")

    def __call__(self, pcm: bytes) -> str:
        from botocore.exceptions import BotoCoreError, ClientError

        key = f"firstword-bench/{uuid.uuid4().hex}.wav"
        try:
            self._s3.put_object(Bucket=self._bucket, Key=key, Body=wav_header(len(pcm)) + pcm)
            try:
                return self._heard(key)
            finally:
                self._s3.delete_object(Bucket=self._bucket, Key=key)
        except (ClientError, BotoCoreError) as error:
            hint = "Check credentials, region and that the bucket may be written."
            raise FirstwordError("Amazon Transcribe could not be used.", code="transcribe", hint=hint) from error

    def _heard(self, key: str) -> str:
        name = key.rpartition("/")[2].removesuffix(".wav")
        self._jobs.start_transcription_job(
            TranscriptionJobName=name,
            LanguageCode="en-US",
            MediaSampleRateHertz=SAMPLE_RATE_HZ,
            Media={"MediaFileUri": f"s3://{self._bucket}/{key}"},
        )
        try:
            return self._wait(name)
        finally:
            self._jobs.delete_transcription_job(TranscriptionJobName=name)

    def _wait(self, name: str) -> str:
        deadline = time.monotonic() + _DEADLINE_S
        while time.monotonic() < deadline:
            job = self._jobs.get_transcription_job(TranscriptionJobName=name)["TranscriptionJob"]
            if job["TranscriptionJobStatus"] == "COMPLETED":
                with urllib.request.urlopen(job["Transcript"]["TranscriptFileUri"], timeout=30) as answer:  # noqa: S310
                    result = msgspec.json.decode(answer.read())
                return str(result["results"]["transcripts"][0]["transcript"])
            if job["TranscriptionJobStatus"] == "FAILED":
                raise FirstwordError(f"Transcription failed: {job.get('FailureReason', 'no reason given')}.")
            asyncio.run(asyncio.sleep(_POLL_S))
        raise FirstwordError(f"Transcription took longer than {_DEADLINE_S:.0f} s.", code="timeout")
