"""What an instance costs an hour: asked of the Price List API, else from a dated table that says so."""

import json
from dataclasses import dataclass
from typing import Any

from firstword.errors import InfraError
from firstword.infra.instances import instance
from firstword.infra.toolkit.cloud import Cloud, aws_errors

__all__ = ["TABLE_DATE", "Price", "hourly_price"]

TABLE_DATE = "2026-11"
_PRICES_LIVE_IN = "us-east-1"


@dataclass(frozen=True, kw_only=True)
class Price:
    """US dollars an hour; `source` says who said so."""

    instance_type: str
    usd_per_hour: float
    source: str


def hourly_price(cloud: Cloud | None, instance_type: str, region: str) -> Price:
    """The on-demand price of `instance_type` for real-time inference in `region`."""
    if cloud is not None:
        try:
            found = _listed(cloud, instance_type, region)
        except InfraError:
            found = None
        if found is not None:
            return Price(instance_type=instance_type, usd_per_hour=found, source="AWS Price List")
    known = instance(instance_type)
    source = f"table of {TABLE_DATE}, us-east-1{', EC2 and a fifth' if known.from_ec2 else ''}"
    return Price(instance_type=instance_type, usd_per_hour=known.usd_per_hour, source=source)


def _listed(cloud: Cloud, instance_type: str, region: str) -> float | None:
    filters = {"regionCode": region, "instanceName": instance_type, "component": "Hosting"}
    with aws_errors("read the price list"):
        found = (
            cloud.elsewhere(_PRICES_LIVE_IN)
            .client("pricing")
            .get_products(
                ServiceCode="AmazonSageMaker",
                Filters=[{"Type": "TERM_MATCH", "Field": key, "Value": value} for key, value in filters.items()],
            )
        )
    for item in found["PriceList"]:
        price = _on_demand(json.loads(item))
        if price is not None:
            return price
    return None


def _on_demand(product: dict[str, Any]) -> float | None:
    if not product["product"]["attributes"].get("usagetype", "").split("-")[-1].startswith("Host"):
        return None
    for term in product["terms"].get("OnDemand", {}).values():
        for dimension in term["priceDimensions"].values():
            value = float(dimension["pricePerUnit"].get("USD", 0))
            if value > 0:
                return value
    return None
