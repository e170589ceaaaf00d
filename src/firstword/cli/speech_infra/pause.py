"""`speech-infra pause` and `resume`."""

from firstword.cli.infra_options import Common, Model, print_json, spread
from firstword.infra.deployment import model_kind
from firstword.infra.speech.deploying import VoiceDeployer

__all__ = ["pause", "resume"]


@spread
def pause(model: Model, common: Common) -> None:
    """Remove the endpoint and keep model, configuration, image and weights: nothing runs, nothing costs."""
    _switch(common, model, True)


@spread
def resume(model: Model, common: Common) -> None:
    """Bring a paused voice back exactly as it was deployed; takes as long as a first start."""
    _switch(common, model, False)


def _switch(common: Common, model: str, paused: bool) -> None:
    model_kind(model)
    VoiceDeployer(site=common.site).pause(model, paused)
    endpoint = common.site.place.endpoint_name(model)
    if common.as_json:
        print_json({"endpoint": endpoint, "paused": paused})
    else:
        print(f"{endpoint} is {'paused' if paused else 'in service'}.")
