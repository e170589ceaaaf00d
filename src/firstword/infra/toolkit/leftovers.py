"""What a teardown leaves on purpose, how the next deployment finds it again, and how `--purge` ends it.

Weights bucket, access logs, image repositories and the key are shared by all models of a prefix and outlive the stacks.
So do the agent's log groups, which AgentCore makes for itself and never ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.deployment import Kept, Place
from firstword.infra.toolkit.agents import runtime_log_group
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of
from firstword.infra.toolkit.stacks import find_stack

__all__ = ["Leftover", "adopting", "existing", "purge"]

# A versioned bucket is not emptied by `aws s3 rb --force`: the old versions and their markers stay, and it with them.
_VERSIONS = "{{Objects: [Versions, DeleteMarkers][].{{Key: Key, VersionId: VersionId}}}}"
_REMOVE_VERSIONED = (
    "{aws} s3api delete-objects --bucket {bucket} --delete"
    f" \"$({{aws}} s3api list-object-versions --bucket {{bucket}} --output json --query '{_VERSIONS}')\""
    "; {aws} s3api delete-bucket --bucket {bucket}"
)
_ABSENT = {"404", "NoSuchBucket", "NotFound", "NotFoundException", "RepositoryNotFoundException"}


@dataclass(frozen=True, kw_only=True)
class Leftover:
    """One thing that stays: what it is, its name, and the command that removes it by hand."""

    kind: Kept
    name: str
    remove_with: str


def existing(cloud: Cloud, place: Place) -> list[Leftover]:
    """Everything of this place that outlives its stacks and exists now."""
    buckets: dict[Kept, tuple[str, str]] = {
        "weights": (place.weights_bucket, _REMOVE_VERSIONED),
        "access-logs": (place.access_log_bucket, "{aws} s3 rb --force s3://{bucket}"),
    }
    images: dict[Kept, str] = {"speech-images": place.repository("speech"), "agent-images": place.repository("agent")}
    aws = f"aws --region {place.region}"
    found = []
    for kind, (bucket, remove) in buckets.items():
        if _exists(partial(cloud.client("s3").head_bucket, Bucket=bucket)):
            found.append(Leftover(kind=kind, name=bucket, remove_with=remove.format(aws=aws, bucket=bucket)))
    for kind, name in images.items():
        if _exists(partial(cloud.client("ecr").describe_repositories, repositoryNames=[name])):
            remove = f"{aws} ecr delete-repository --force --repository-name {name}"
            found.append(Leftover(kind=kind, name=name, remove_with=remove))
    remove = f"{aws} logs delete-log-group --log-group-name"
    found += [Leftover(kind="agent-logs", name=g, remove_with=f"{remove} {g}") for g in _agent_logs(cloud, place)]
    key = key_arn(cloud, place)
    if key:
        # With its alias left behind the next deployment could not make one.
        remove = f"{aws} kms delete-alias --alias-name {place.key_alias}"
        remove += f"; {aws} kms schedule-key-deletion --pending-window-in-days 7 --key-id {key}"
        found.append(Leftover(kind="key", name=key, remove_with=remove))
    return found


def _agent_logs(cloud: Cloud, place: Place) -> list[str]:
    """Log groups of every runtime this place has had: each is named after its runtime, a number and an endpoint."""
    prefix = runtime_log_group(place.runtime_name, "")
    with aws_errors("look for the agent's logs"):
        pages = cloud.client("logs").get_paginator("describe_log_groups").paginate(logGroupNamePrefix=prefix)
        return [group["logGroupName"] for page in pages for group in page["logGroups"]]


def _exists(call: Callable[[], Any]) -> bool:
    try:
        with aws_errors("look for what an earlier teardown left"):
            call()
    except InfraError as error:
        if isinstance(error.__cause__, ClientError) and code_of(error.__cause__) in _ABSENT:
            return False
        raise
    return True


def key_arn(cloud: Cloud, place: Place) -> str:
    """ARN of the place's key, found by its alias; empty if there is none or it is on its way out."""
    client = cloud.client("kms")
    try:
        with aws_errors("look for the key"):
            found = client.describe_key(KeyId=place.key_alias)["KeyMetadata"]
    except InfraError as error:
        if isinstance(error.__cause__, ClientError) and code_of(error.__cause__) in _ABSENT:
            return ""
        raise
    arn: str = found["Arn"]
    return "" if found["KeyState"] == "PendingDeletion" else arn


def adopting(cloud: Cloud, place: Place) -> Place:
    """`place`, knowing what exists here without belonging to its stacks: that is taken over, not made again."""
    owned = _owned(cloud, place)
    kept = {item.kind: item for item in existing(cloud, place) if item.name not in owned}
    key = kept["key"].name if "key" in kept else ""
    return msgspec.structs.replace(place, kept=frozenset(kept), kept_key_arn=key)


def _owned(cloud: Cloud, place: Place) -> set[str]:
    names: set[str] = set()
    for stack in (place.foundation_stack, place.cache_stack):
        if find_stack(cloud, stack) is None:
            continue
        with aws_errors("read the resources of a stack"):
            pages = cloud.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack)
            names |= {item.get("PhysicalResourceId", "") for page in pages for item in page["StackResourceSummaries"]}
    keys = {f"arn:aws:kms:{place.region}:{place.account}:key/{name}" for name in names}
    return names | keys


def purge(cloud: Cloud, place: Place) -> list[Leftover]:
    """Remove everything `existing` finds, contents and all. The key goes last, after seven days. Returns what went."""
    found = existing(cloud, place)
    for item in found:
        with aws_errors(f"remove {item.name}"):
            match item.kind:
                case "weights" | "access-logs":
                    _remove_bucket(cloud, item.name)
                case "speech-images" | "agent-images":
                    cloud.client("ecr").delete_repository(repositoryName=item.name, force=True)
                case "agent-logs":
                    cloud.client("logs").delete_log_group(logGroupName=item.name)
                case "key":
                    kms = cloud.client("kms")
                    kms.delete_alias(AliasName=place.key_alias)
                    kms.schedule_key_deletion(KeyId=item.name.rpartition("/")[2], PendingWindowInDays=7)
    return found


def _remove_bucket(cloud: Cloud, bucket: str) -> None:
    s3 = cloud.client("s3")
    for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
        versions = [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
        doomed = [{"Key": item["Key"], "VersionId": item["VersionId"]} for item in versions]
        if doomed:
            s3.delete_objects(Bucket=bucket, Delete={"Objects": doomed, "Quiet": True})
    s3.delete_bucket(Bucket=bucket)
