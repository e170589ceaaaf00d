"""`speech-infra estimate`: what a deployment costs a month, line by line, before it exists."""

from dataclasses import dataclass

from firstword.infra.deployment import SpeechDeployment
from firstword.infra.toolkit.cloud import Cloud
from firstword.infra.toolkit.prices import hourly_price

__all__ = ["CostLine", "estimate"]

HOURS_A_MONTH = 730


@dataclass(frozen=True, kw_only=True)
class CostLine:
    """US dollars a month at the least and the most the deployment can cost; None where the price is not known."""

    what: str
    least_usd: float | None
    most_usd: float | None
    source: str


def estimate(deployment: SpeechDeployment, region: str, cloud: Cloud | None) -> list[CostLine]:
    """The lines of one voice. Traffic, logs by volume and S3 requests are not in it."""
    lines = [_instances(deployment, name, region, cloud) for name in deployment.types]
    fixed = "us-east-1 list price, 2026-11"
    alarms = 4 if deployment.scales else 3
    return [
        *lines,
        CostLine(what="customer key (KMS)", least_usd=1.0, most_usd=1.0, source=fixed),
        CostLine(what=f"{alarms} alarms", least_usd=0.1 * alarms, most_usd=0.1 * alarms, source=fixed),
        CostLine(what="dashboard (three are free)", least_usd=0.0, most_usd=3.0, source=fixed),
        CostLine(what="weights and images (S3, ECR), about 1 GB", least_usd=0.1, most_usd=0.2, source=fixed),
    ]


def _instances(deployment: SpeechDeployment, name: str, region: str, cloud: Cloud | None) -> CostLine:
    price = hourly_price(cloud, name, region)
    alternative = " (if the pool falls to it)" if len(deployment.types) > 1 and name != deployment.types[0] else ""
    most = deployment.max_instances if deployment.scales else deployment.min_instances
    if deployment.paused:
        return CostLine(what=f"{name}, paused", least_usd=0.0, most_usd=0.0, source="nothing runs")
    if price.usd_per_hour is None:
        return CostLine(what=f"{name}{alternative}", least_usd=None, most_usd=None, source=price.source)
    monthly = price.usd_per_hour * HOURS_A_MONTH
    return CostLine(
        what=f"{name} x {deployment.min_instances} to {most}{alternative}",
        least_usd=round(monthly * deployment.min_instances, 2),
        most_usd=round(monthly * most, 2),
        source=price.source,
    )
