"""AgentCore runtimes as they stand."""

from dataclasses import dataclass

from firstword.infra.toolkit.cloud import Cloud, aws_errors

__all__ = ["Runtime", "find_runtime", "runtime_log_group"]


@dataclass(frozen=True, kw_only=True)
class Runtime:
    arn: str
    id: str
    status: str
    version: str
    failure: str = ""


def find_runtime(cloud: Cloud, name: str) -> Runtime | None:
    """The runtime called `name`, None if there is none."""
    client = cloud.client("bedrock-agentcore-control")
    with aws_errors("list the agent runtimes"):
        pages = client.get_paginator("list_agent_runtimes").paginate()
        found = [item for page in pages for item in page["agentRuntimes"] if item["agentRuntimeName"] == name]
    if not found:
        return None
    with aws_errors("read the agent runtime"):
        runtime = client.get_agent_runtime(agentRuntimeId=found[0]["agentRuntimeId"])
    return Runtime(
        arn=runtime["agentRuntimeArn"],
        id=runtime["agentRuntimeId"],
        status=runtime["status"],
        version=runtime["agentRuntimeVersion"],
        failure=runtime.get("failureReason", ""),
    )


def runtime_log_group(runtime_id: str, endpoint: str) -> str:
    return f"/aws/bedrock-agentcore/runtimes/{runtime_id}-{endpoint}"
