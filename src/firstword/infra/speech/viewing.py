"""`speech-infra list` and `status`: what stands, in what state, what it costs an hour. Reads only."""

from typing import Any

import msgspec

from firstword.infra.deployment import MODELS, VARIANT, SpeechDeployment
from firstword.infra.site import Site
from firstword.infra.toolkit.endpoints import Endpoint, Variant, alarm_states, find_endpoint, scaling_activities
from firstword.infra.toolkit.prices import hourly_price
from firstword.infra.toolkit.stacks import Stack, deployed_options, failure_reason, find_stack

__all__ = ["VoiceStatus", "all_voices", "voice_status"]


class VoiceStatus(msgspec.Struct, frozen=True, kw_only=True):
    """`state` is for a person: missing, paused, in service, changing, failed. `failure` is SageMaker's reason, or why
    CloudFormation undid the last change (the voice may be in service, as it was before). `usd_per_hour` is what runs
    now."""

    model: str
    state: str
    endpoint: str
    endpoint_status: str = ""
    failure: str = ""
    stack: str = ""
    stack_status: str = ""
    variants: tuple[dict[str, Any], ...] = ()
    image: str = ""
    weights: str = ""
    alarms: dict[str, str] = {}
    scaling: tuple[str, ...] = ()
    usd_per_hour: float | None = None
    price_source: str = ""

    @property
    def healthy(self) -> bool:
        return self.state in ("in service", "paused")


def all_voices(site: Site) -> list[VoiceStatus]:
    """Every model of the catalogue, deployed here or not."""
    return [voice_status(site, model, details=False) for model in MODELS]


def voice_status(site: Site, model: str, *, details: bool = True) -> VoiceStatus:
    """The state of one voice; with `details` also its alarms, scaling and price, which are further calls."""
    name = site.place.endpoint_name(model)
    stack = find_stack(site.cloud, site.place.speech_stack(model))
    endpoint = find_endpoint(site.cloud, name)
    options = (
        deployed_options(site.cloud, stack.name, SpeechDeployment) if stack is not None and not stack.empty else None
    )
    status = VoiceStatus(
        model=model,
        state=_state(stack, options, endpoint),
        endpoint=name,
        endpoint_status=endpoint.status if endpoint else "",
        failure=_failure(site, stack, endpoint),
        stack=stack.name if stack else "",
        stack_status=stack.status if stack else "",
        variants=tuple(_row(variant) for variant in endpoint.variants) if endpoint else (),
        image=options.image_uri if options else "",
        weights=options.weights_uri if options else "",
    )
    return _with_details(site, status, endpoint) if details and endpoint is not None else status


def _state(stack: Stack | None, options: SpeechDeployment | None, endpoint: Endpoint | None) -> str:
    if endpoint is None:
        if stack is None:
            return "missing"
        if stack.busy:
            return "changing"
        if stack.broken or stack.empty:
            return "failed"
        return "paused" if options is not None and options.paused else "without endpoint"
    if endpoint.failed:
        return "failed"
    if endpoint.in_service:
        return "in service"
    return "changing" if endpoint.changing else endpoint.status.lower()


def _failure(site: Site, stack: Stack | None, endpoint: Endpoint | None) -> str:
    """The endpoint's own reason; without one, why the last change of the stack was undone or did not come about."""
    if endpoint is not None and endpoint.failure:
        return endpoint.failure
    if stack is None or not (stack.broken or stack.undone):
        return ""
    return failure_reason(site.cloud, stack.name)


def _row(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "instance_types": list(variant.instance_types),
        "current": variant.current,
        "desired": variant.desired,
    }


def _with_details(site: Site, status: VoiceStatus, endpoint: Endpoint) -> VoiceStatus:
    total = 0.0
    source = ""
    for variant in endpoint.variants:
        if not variant.instance_types:
            continue
        price = hourly_price(site.cloud, variant.instance_types[0], site.place.region)
        source = price.source
        total += price.usd_per_hour * variant.current
    return msgspec.structs.replace(
        status,
        alarms=alarm_states(site.cloud, endpoint.name),
        scaling=tuple(scaling_activities(site.cloud, endpoint.name, VARIANT)),
        usd_per_hour=total,
        price_source=source,
    )
