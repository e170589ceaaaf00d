"""The image repositories: scanned at push, tags that cannot be moved, kept when the stack goes."""

import aws_cdk as cdk
from aws_cdk import aws_ecr as ecr
from aws_cdk import aws_kms as kms
from constructs import Construct

from firstword.infra.deployment import Kept, Place

__all__ = ["image_repository"]

_KEPT: dict[str, Kept] = {"speech": "speech-images", "agent": "agent-images"}


def image_repository(scope: Construct, *, place: Place, image: str, key: kms.IKey) -> ecr.IRepository:
    """The repository of the `speech` or the `agent` image; the last twenty images are kept."""
    name = place.repository("speech" if image == "speech" else "agent")
    if _KEPT[image] in place.kept:
        return ecr.Repository.from_repository_name(scope, f"{image.title()}Images", name)
    return ecr.Repository(
        scope,
        f"{image.title()}Images",
        repository_name=name,
        image_scan_on_push=True,
        image_tag_mutability=ecr.TagMutability.IMMUTABLE,
        encryption=ecr.RepositoryEncryption.KMS,
        encryption_key=key,
        lifecycle_rules=[ecr.LifecycleRule(description="keep the last twenty images", max_image_count=20)],
        removal_policy=cdk.RemovalPolicy.RETAIN,
    )
