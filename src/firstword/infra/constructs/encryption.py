"""One customer key for everything at rest: weights, images, logs, alarm messages, volumes."""

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from firstword.infra.deployment import Place

__all__ = ["deployment_key"]


def deployment_key(scope: Construct, *, place: Place) -> kms.IKey:
    """The place's key: a new one that outlives its stack (what it encrypts does), or the one left by a teardown."""
    if "key" in place.kept:
        return kms.Key.from_key_arn(scope, "Key", place.kept_key_arn)
    key = kms.Key(
        scope,
        "Key",
        description=f"firstword {place.prefix}: weights, images, logs and alarms",
        enable_key_rotation=True,
        removal_policy=cdk.RemovalPolicy.RETAIN,
        pending_window=cdk.Duration.days(7),
    )
    alias = kms.Alias(scope, "KeyAlias", alias_name=place.key_alias, target_key=key)
    alias.apply_removal_policy(cdk.RemovalPolicy.RETAIN)
    for principal, condition in _service_uses(place):
        key.add_to_resource_policy(
            iam.PolicyStatement(
                actions=["kms:Decrypt", "kms:GenerateDataKey*", "kms:Encrypt", "kms:ReEncrypt*", "kms:DescribeKey"],
                principals=[iam.ServicePrincipal(principal)],
                resources=["*"],
                conditions=condition,
            )
        )
    return key


def _service_uses(place: Place) -> list[tuple[str, dict[str, dict[str, str]]]]:
    here = {"aws:SourceAccount": place.account}
    logs = f"arn:aws:logs:{place.region}:{place.account}:log-group:*"
    return [
        (f"logs.{place.region}.amazonaws.com", {"ArnLike": {"kms:EncryptionContext:aws:logs:arn": logs}}),
        ("cloudwatch.amazonaws.com", {"StringEquals": here}),
    ]
