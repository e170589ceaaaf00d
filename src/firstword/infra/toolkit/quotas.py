"""How many instances of a type the account may have for endpoints. New accounts have none of most GPU types."""

from collections.abc import Callable, Sequence

from firstword.errors import InfraError
from firstword.infra.toolkit.cloud import Cloud, aws_errors

__all__ = ["check_quota", "endpoint_quota"]


def endpoint_quota(cloud: Cloud, instance_type: str) -> int | None:
    """The quota of `instance_type` for endpoint usage; None if Service Quotas does not tell."""
    wanted = f"{instance_type} for endpoint usage"
    try:
        with aws_errors("read the quotas"):
            pages = (
                cloud.client("service-quotas").get_paginator("list_service_quotas").paginate(ServiceCode="sagemaker")
            )
            for page in pages:
                for quota in page["Quotas"]:
                    if quota["QuotaName"] == wanted:
                        return int(quota["Value"])
    except InfraError:
        # Not everybody who may deploy may read quotas: then the deployment itself will tell.
        return None
    return None


def check_quota(cloud: Cloud, instance_types: Sequence[str], needed: int, say: Callable[[str], None]) -> None:
    """Raises InfraError if no type of a pool may be had; says so where quotas cannot be read."""
    quotas = {name: endpoint_quota(cloud, name) for name in instance_types}
    if all(value is not None and value < needed for value in quotas.values()):
        told = ", ".join(f"{name}: {value}" for name, value in quotas.items())
        raise InfraError(
            f"The account's quota is too small for {needed} instance(s) ({told}).",
            code="quota",
            hint="Ask Service Quotas for '<type> for endpoint usage', or choose another --instance-type.",
        )
    if None in quotas.values():
        say("the instance quota could not be read; if it is 0 the endpoint will fail and say so")
