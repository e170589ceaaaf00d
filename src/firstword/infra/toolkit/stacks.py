"""CloudFormation stacks as they stand: state, outputs, template, what a failed one says."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.deployment import METADATA_KEY
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of

__all__ = [
    "Stack",
    "deployed_options",
    "deployed_template",
    "failure_reason",
    "find_stack",
    "stack_events",
    "stacks_of",
]


@dataclass(frozen=True, kw_only=True)
class Stack:
    """`status` is CloudFormation's; `outputs` by name."""

    name: str
    status: str
    reason: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def busy(self) -> bool:
        return self.status.endswith("_IN_PROGRESS") and not self.empty

    @property
    def empty(self) -> bool:
        """A name only: somebody began a change set for a new stack and left it."""
        return self.status == "REVIEW_IN_PROGRESS"

    @property
    def broken(self) -> bool:
        """Nothing runs from it as it is: what it was to make never came, or does not go."""
        return self.status in {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED"}

    @property
    def undone(self) -> bool:
        """Its last change failed and was taken back."""
        return self.status in {"UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED"}


def find_stack(cloud: Cloud, name: str) -> Stack | None:
    """The stack of that name, None if there is none (or it has been deleted)."""
    try:
        with aws_errors("read a stack"):
            found = _describe(cloud, name)
    except InfraError as error:
        cause = error.__cause__
        if isinstance(cause, ClientError) and code_of(cause) == "ValidationError":
            return None
        raise
    return None if found["StackStatus"] == "DELETE_COMPLETE" else _stack(found)


def _describe(cloud: Cloud, name: str) -> dict[str, Any]:
    found: dict[str, Any] = cloud.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    return found


def stacks_of(cloud: Cloud, prefix: str) -> list[Stack]:
    """Every stack that carries this prefix's tag."""
    with aws_errors("list the stacks"):
        pages = cloud.client("cloudformation").get_paginator("describe_stacks").paginate()
        found = [_stack(item) for page in pages for item in page["Stacks"]]
    return [
        stack for stack in found if stack.tags.get("firstword:prefix") == prefix and stack.status != "DELETE_COMPLETE"
    ]


def _stack(found: dict[str, Any]) -> Stack:
    return Stack(
        name=found["StackName"],
        status=found["StackStatus"],
        reason=found.get("StackStatusReason", ""),
        outputs={item["OutputKey"]: item["OutputValue"] for item in found.get("Outputs", [])},
        tags={item["Key"]: item["Value"] for item in found.get("Tags", [])},
    )


def deployed_template(cloud: Cloud, name: str) -> dict[str, Any] | None:
    """The template the stack was last deployed with; without any resources for one that is no JSON."""
    if find_stack(cloud, name) is None:
        return None
    with aws_errors("read a template"):
        body = cloud.client("cloudformation").get_template(StackName=name, TemplateStage="Original")["TemplateBody"]
    if not isinstance(body, str):
        return dict(body)
    try:
        return msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.DecodeError:
        return {}  # ours are JSON: this one is somebody else's, or of a stack that was never made


def deployed_options[T](cloud: Cloud, name: str, kind: type[T]) -> T | None:
    """What the stack was deployed with, from its own metadata; None if there is no such stack."""
    template = deployed_template(cloud, name)
    if template is None:
        return None
    try:
        return msgspec.json.decode(template["Metadata"][METADATA_KEY], type=kind)
    except (KeyError, msgspec.DecodeError) as error:
        raise InfraError(
            f"The stack {name} was not deployed by this tool, or by another version of it.", code="foreign_stack"
        ) from error


def failure_reason(cloud: Cloud, name: str) -> str:
    """Why the last change of the stack failed: the first failed resource's own words."""
    with aws_errors("read the events of a stack"):
        events = cloud.client("cloudformation").describe_stack_events(StackName=name)["StackEvents"]
    reasons = []
    for event in events:
        if event["ResourceType"] == "AWS::CloudFormation::Stack" and event["ResourceStatus"] in _STARTS:
            break
        reason = event.get("ResourceStatusReason", "")
        if event["ResourceStatus"].endswith("_FAILED") and "cancelled" not in reason:
            reasons.append(f"{event['LogicalResourceId']}: {reason}")
    return reasons[-1] if reasons else ""


_STARTS = {"CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "DELETE_IN_PROGRESS"}


def stack_events(cloud: Cloud, name: str, poll_s: float) -> Iterator[str]:
    """Wait until nobody changes the stack any more, giving each status it passes through."""
    last = ""
    while (stack := find_stack(cloud, name)) is not None:
        if stack.status != last:
            last = stack.status
            yield f"{name}: {last}"
        if not stack.busy:
            return
        threading.Event().wait(poll_s)
