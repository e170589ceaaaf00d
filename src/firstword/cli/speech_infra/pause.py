"""`speech-infra pause` and `resume`."""

from firstword.cli.infra_options import Model, Switching, print_changes, print_json, spread
from firstword.infra.deployment import model_kind
from firstword.infra.speech.deploying import VoiceDeployer

__all__ = ["pause", "resume"]


@spread
def pause(model: Model, common: Switching) -> None:
    """Remove the endpoint and keep model, configuration, image and weights: nothing runs, nothing costs."""
    _switch(common, model, True)


@spread
def resume(model: Model, common: Switching) -> None:
    """Bring a paused voice back exactly as it was deployed; takes as long as a first start."""
    _switch(common, model, False)


def _switch(common: Switching, model: str, paused: bool) -> None:
    model_kind(model)
    deployer = VoiceDeployer(site=common.site)
    if common.dry_run:
        print_changes(deployer.plan_pause(model, paused), common.as_json)
        return
    deployer.pause(model, paused)
    endpoint = common.site.place.endpoint_name(model)
    if common.as_json:
        print_json({"endpoint": endpoint, "paused": paused})
    else:
        print(f"{endpoint} is {'paused' if paused else 'in service'}.")
