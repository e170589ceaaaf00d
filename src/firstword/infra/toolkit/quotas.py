"""How many instances of a type the account may have for endpoints. New accounts have none of most GPU types."""

from collections.abc import Callable, Sequence

from firstword.errors import InfraError
from firstword.infra.toolkit.cloud import Cloud, aws_errors

__all__ = ["check_quota", "endpoint_quotas"]

_SUFFIX = " for endpoint usage"


def endpoint_quotas(cloud: Cloud) -> dict[str, int]:
    """The account's quota by instance type; empty where Service Quotas does not tell."""
    try:
        with aws_errors("read the quotas"):
            # The account's own list leaves out what stands as it does in every account.
            return _listed(cloud, "list_aws_default_service_quotas") | _listed(cloud, "list_service_quotas")
    except InfraError:
        # Not everybody who may deploy may read quotas: then the deployment itself will tell.
        return {}


def _listed(cloud: Cloud, call: str) -> dict[str, int]:
    pages = cloud.client("service-quotas").get_paginator(call).paginate(ServiceCode="sagemaker")
    quotas = [quota for page in pages for quota in page["Quotas"] if quota["QuotaName"].endswith(_SUFFIX)]
    return {quota["QuotaName"].removesuffix(_SUFFIX): int(quota["Value"]) for quota in quotas}


def check_quota(
    cloud: Cloud, instance_types: Sequence[str], needed: int, later: int, say: Callable[[str], None]
) -> None:
    """Raises InfraError if no type of a pool may be had `needed` times; tells where none may be had `later` times, and
    where quotas cannot be read."""
    quotas = endpoint_quotas(cloud)
    if not quotas:
        say("the instance quota could not be read; if it is 0 the endpoint will fail and say so")
        return
    for name in instance_types:
        if name not in quotas:
            say(f"Service Quotas names no {name} in {cloud.region}: it may not be offered there")
    known = {name: quotas[name] for name in instance_types if name in quotas}
    told = ", ".join(f"{name}: {value}" for name, value in known.items())
    if len(known) == len(instance_types) and all(value < needed for value in known.values()):
        raise InfraError(
            f"The account's quota is too small for {needed} instance(s) ({told}).",
            code="quota",
            hint="Ask Service Quotas for '<type> for endpoint usage', or choose another --instance-type.",
        )
    if known and all(value < later for value in known.values()):
        say(f"the quota ({told}) is below {later} instances: the largest fleet, or an update beside the old one, fails")
