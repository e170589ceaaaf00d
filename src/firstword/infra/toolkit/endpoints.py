"""SageMaker endpoints as they stand: status, fleet, why one failed, alarms, what scaling did."""

from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.deployment import ALARMS
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of

__all__ = ["Endpoint", "Variant", "alarm_states", "find_endpoint", "log_group", "scaling_activities"]

_IN_SERVICE = "InService"


@dataclass(frozen=True, kw_only=True)
class Variant:
    name: str
    instance_types: tuple[str, ...]
    current: int
    desired: int
    image: str = ""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """`status` is SageMaker's: Creating, InService, Updating, RollingBack, Failed, Deleting and so on."""

    name: str
    status: str
    failure: str = ""
    config: str = ""
    variants: list[Variant] = field(default_factory=list)

    @property
    def in_service(self) -> bool:
        return self.status == _IN_SERVICE

    @property
    def failed(self) -> bool:
        return self.status in {"Failed", "UpdateRollbackFailed"}

    @property
    def changing(self) -> bool:
        return self.status in {"Creating", "Updating", "RollingBack", "SystemUpdating", "Deleting"}


def find_endpoint(cloud: Cloud, name: str) -> Endpoint | None:
    """The endpoint of that name, None if there is none."""
    try:
        with aws_errors("read the endpoint"):
            found = cloud.client("sagemaker").describe_endpoint(EndpointName=name)
    except InfraError as error:
        cause = error.__cause__
        missing = isinstance(cause, ClientError) and "could not find" in str(cause).lower()
        if missing or (isinstance(cause, ClientError) and code_of(cause) == "ResourceNotFound"):
            return None
        raise
    config = found.get("EndpointConfigName", "")
    return Endpoint(
        name=name,
        status=found["EndpointStatus"],
        failure=" ".join(found.get("FailureReason", "").split()),
        config=config,
        variants=_variants(found, _configured_types(cloud, config)),
    )


def _variants(found: dict[str, Any], types: dict[str, tuple[str, ...]]) -> list[Variant]:
    return [
        Variant(
            name=item["VariantName"],
            instance_types=types.get(item["VariantName"], ()),
            current=item.get("CurrentInstanceCount", 0),
            desired=item.get("DesiredInstanceCount", 0),
            image=next((image.get("ResolvedImage", "") for image in item.get("DeployedImages", [])), ""),
        )
        for item in found.get("ProductionVariants", [])
    ]


def _configured_types(cloud: Cloud, config: str) -> dict[str, tuple[str, ...]]:
    """Instance types by variant. A configuration that is gone (it may go before its endpoint does) has none."""
    if not config:
        return {}
    try:
        with aws_errors("read the endpoint configuration"):
            found = cloud.client("sagemaker").describe_endpoint_config(EndpointConfigName=config)
    except InfraError as error:
        if isinstance(error.__cause__, ClientError) and "could not find" in str(error.__cause__).lower():
            return {}
        raise
    return {item["VariantName"]: _types(item) for item in found["ProductionVariants"]}


def _types(variant: dict[str, Any]) -> tuple[str, ...]:
    pools = sorted(variant.get("InstancePools", []), key=lambda pool: int(pool["Priority"]))
    return tuple(pool["InstanceType"] for pool in pools) or (variant.get("InstanceType", ""),)


def log_group(name: str) -> str:
    return f"/aws/sagemaker/Endpoints/{name}"


def alarm_states(cloud: Cloud, endpoint: str) -> dict[str, str]:
    """State of each of the endpoint's alarms by its short name."""
    names = [f"{endpoint}-{alarm}" for alarm in ALARMS]
    with aws_errors("read the alarms"):
        found = cloud.client("cloudwatch").describe_alarms(AlarmNames=names)["MetricAlarms"]
    return {item["AlarmName"].removeprefix(f"{endpoint}-"): item["StateValue"] for item in found}


def scaling_activities(cloud: Cloud, endpoint: str, variant: str) -> list[str]:
    """What autoscaling last did, newest first."""
    with aws_errors("read the scaling activities"):
        found = cloud.client("application-autoscaling").describe_scaling_activities(
            ServiceNamespace="sagemaker", ResourceId=f"endpoint/{endpoint}/variant/{variant}", MaxResults=3
        )["ScalingActivities"]
    return [f"{item['StartTime']:%Y-%m-%d %H:%M} {item['Description']} ({item['StatusCode']})" for item in found]
