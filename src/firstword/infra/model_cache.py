"""Where the weights live: a versioned, encrypted bucket that only TLS reaches, shared by all models and kept."""

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from firstword.infra.application import PlaceStack, acknowledge
from firstword.infra.deployment import Place

__all__ = ["ModelCache"]


class ModelCache(PlaceStack):
    """The model cache stack. The weights under `models/` are written by the toolkit and read by the endpoints."""

    def __init__(self, app: Construct, *, place: Place, key: kms.IKey) -> None:
        super().__init__(app, place=place, name=place.cache_stack, about="firstword: the bucket of model weights")
        cdk.CfnOutput(self, "WeightsBucket", value=place.weights_bucket)
        if "weights" in place.kept:
            self.bucket = s3.Bucket.from_bucket_name(self, "Weights", place.weights_bucket)
            # A stack must hold something, and the marker shows in the console where the weights are.
            cdk.CfnWaitConditionHandle(self, "Adopted")
            return
        self.bucket = s3.Bucket(
            self,
            "Weights",
            bucket_name=place.weights_bucket,
            encryption=s3.BucketEncryption.KMS,
            encryption_key=key,
            bucket_key_enabled=True,
            enforce_ssl=True,
            versioned=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            server_access_logs_bucket=self._access_logs(place),
            server_access_logs_prefix="weights/",
            lifecycle_rules=[
                s3.LifecycleRule(
                    noncurrent_version_expiration=cdk.Duration.days(30),
                    abort_incomplete_multipart_upload_after=cdk.Duration.days(1),
                )
            ],
            removal_policy=cdk.RemovalPolicy.RETAIN,
        )

    def _access_logs(self, place: Place) -> s3.IBucket:
        if "access-logs" in place.kept:
            return s3.Bucket.from_bucket_name(self, "AccessLogs", place.access_log_bucket)
        bucket = s3.Bucket(
            self,
            "AccessLogs",
            bucket_name=place.access_log_bucket,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            lifecycle_rules=[s3.LifecycleRule(expiration=cdk.Duration.days(90))],
            removal_policy=cdk.RemovalPolicy.RETAIN,
        )
        acknowledge(bucket, {"AwsSolutions-S1": "The bucket of the access logs does not log to itself."})
        return bucket
