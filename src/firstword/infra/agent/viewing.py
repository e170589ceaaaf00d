"""`agent-infra status`: what stands and in what state. Reads only."""

import msgspec

from firstword.infra.deployment import AgentDeployment
from firstword.infra.site import Site
from firstword.infra.toolkit.agents import find_runtime
from firstword.infra.toolkit.endpoints import find_endpoint
from firstword.infra.toolkit.stacks import deployed_options, find_stack

__all__ = ["RUNTIME_ENDPOINT", "AgentStatus", "agent_status"]

# Where calls go that name no endpoint, as our client's do; `live` is for callers that want a name of their own.
RUNTIME_ENDPOINT = "DEFAULT"


class AgentStatus(msgspec.Struct, frozen=True, kw_only=True):
    """`state` is one word for a person: missing, ready, changing, failed."""

    state: str
    runtime_arn: str = ""
    runtime_status: str = ""
    version: str = ""
    failure: str = ""
    stack: str = ""
    stack_status: str = ""
    bedrock_model_id: str = ""
    endpoint: str = ""
    endpoint_status: str = ""

    def rows(self) -> list[tuple[str, str]]:
        return [(name.replace("_", " "), value) for name, value in msgspec.structs.asdict(self).items()]


def agent_status(site: Site) -> AgentStatus:
    """The agent of this site, deployed or not."""
    runtime = find_runtime(site.cloud, site.place.runtime_name)
    stack = find_stack(site.cloud, site.place.agent_stack)
    options = deployed_options(site.cloud, stack.name, AgentDeployment) if stack and not stack.empty else None
    endpoint = find_endpoint(site.cloud, options.endpoint_name) if options else None
    return AgentStatus(
        state=_state(runtime.status if runtime else ""),
        runtime_arn=runtime.arn if runtime else "",
        runtime_status=runtime.status if runtime else "",
        version=runtime.version if runtime else "",
        failure=runtime.failure if runtime else "",
        stack=stack.name if stack else "",
        stack_status=stack.status if stack else "",
        bedrock_model_id=options.bedrock_model_id if options else "",
        endpoint=options.endpoint_name if options else "",
        endpoint_status=(endpoint.status if endpoint else "missing") if options else "",
    )


def _state(status: str) -> str:
    if not status:
        return "missing"
    if status == "READY":
        return "ready"
    return "failed" if status.endswith("FAILED") else "changing"
