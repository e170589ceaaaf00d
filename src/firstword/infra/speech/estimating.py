"""`speech-infra estimate`: what a deployment costs a month, line by line, before it exists."""

from dataclasses import dataclass

from firstword.infra.deployment import SpeechDeployment
from firstword.infra.toolkit.cloud import Cloud
from firstword.infra.toolkit.prices import hourly_price

__all__ = ["CostLine", "estimate"]

HOURS_A_MONTH = 730


@dataclass(frozen=True, kw_only=True)
class CostLine:
    """US dollars a month at the least and the most the deployment can cost."""

    what: str
    least_usd: float
    most_usd: float
    source: str


def estimate(deployment: SpeechDeployment, region: str, cloud: Cloud | None) -> list[CostLine]:
    """The lines of one voice. Traffic, logs by volume and S3 requests are not in it."""
    lines = [_instances(deployment, name, region, cloud) for name in deployment.types]
    fixed = "us-east-1 list price, 2026-11"
    storage = 4 if deployment.kind.device == "gpu" else 1
    return [
        *lines,
        # Each of the first two yearly rotations adds a dollar.
        CostLine(what="customer key (KMS)", least_usd=1.0, most_usd=3.0, source=fixed),
        _alarms(deployment, fixed),
        CostLine(what="dashboard (three are free)", least_usd=0.0, most_usd=3.0, source=fixed),
        CostLine(
            what=f"weights and one image (S3, ECR), {storage} GB at most",
            least_usd=round(0.02 * storage, 2),
            most_usd=round(0.1 * storage, 2),
            source=fixed,
        ),
    ]


def _alarms(deployment: SpeechDeployment, source: str) -> CostLine:
    """Ours, and the one at ten seconds' resolution that target tracking makes for itself."""
    if deployment.paused:
        return CostLine(what="no alarms while paused", least_usd=0.0, most_usd=0.0, source=source)
    usd = 0.7 if deployment.scales else 0.3
    return CostLine(what=f"{5 if deployment.scales else 3} alarms", least_usd=usd, most_usd=usd, source=source)


def _instances(deployment: SpeechDeployment, name: str, region: str, cloud: Cloud | None) -> CostLine:
    price = hourly_price(cloud, name, region)
    alternative = " (if the pool falls to it)" if len(deployment.types) > 1 and name != deployment.types[0] else ""
    most = deployment.max_instances if deployment.scales else deployment.min_instances
    if deployment.paused:
        return CostLine(what=f"{name}, paused", least_usd=0.0, most_usd=0.0, source="nothing runs")
    monthly = price.usd_per_hour * HOURS_A_MONTH
    return CostLine(
        what=f"{name} x {deployment.min_instances} to {most}{alternative}",
        least_usd=round(monthly * deployment.min_instances, 2),
        most_usd=round(monthly * most, 2),
        source=price.source,
    )
