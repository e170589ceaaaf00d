"""AgentCore runtimes as they stand, and whether the account may use a Bedrock model."""

from collections.abc import Callable
from dataclasses import dataclass

from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of

__all__ = ["Runtime", "check_model", "find_runtime", "runtime_log_group"]

_UNKNOWN = {"ResourceNotFoundException", "ValidationException"}


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


def check_model(cloud: Cloud, model_id: str, say: Callable[[str], None]) -> None:
    """Raises InfraError if the account may not run the model. Where Bedrock does not tell, says so and goes on."""
    base = model_id.split("/")[-1]
    geography, _, model = base.partition(".")
    base = model if geography in {"apac", "au", "ca", "eu", "global", "jp", "us", "us-gov"} else base
    try:
        with aws_errors("ask Bedrock about the model"):
            found = cloud.client("bedrock").get_foundation_model_availability(modelId=base)
    except InfraError as error:
        if isinstance(error.__cause__, ClientError) and code_of(error.__cause__) in _UNKNOWN:
            raise InfraError(
                f"Bedrock knows no model {model_id!r} in {cloud.region}.",
                code="unknown_bedrock_model",
                hint="aws bedrock list-foundation-models and list-inference-profiles show the ids.",
            ) from error
        say("Bedrock did not tell whether the account may use this model; if not, the agent's answers will fail")
        return
    if found.get("authorizationStatus") == "NOT_AUTHORIZED" or found.get("regionAvailability") == "NOT_AVAILABLE":
        raise InfraError(
            f"The account may not use the Bedrock model {model_id!r} in {cloud.region}.",
            code="no_model_access",
            hint="Ask for access in the Bedrock console, or choose another --bedrock-model-id.",
        )
