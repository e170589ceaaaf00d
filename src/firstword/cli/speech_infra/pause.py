"""`speech-infra pause` and `resume`."""

from firstword.cli.infra_options import AsJson, Common, Config, Model, Prefix, Profile, Region, print_json
from firstword.infra.deployment import model_kind
from firstword.infra.speech.deploying import VoiceDeployer

__all__ = ["pause", "resume"]


def pause(
    model: Model,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Remove the endpoint and keep model, configuration, image and weights: nothing runs, nothing costs."""
    _switch(Common(region=region, profile=profile, name_prefix=name_prefix, config=config), model, True, as_json)


def resume(
    model: Model,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Bring a paused voice back exactly as it was deployed; takes as long as a first start."""
    _switch(Common(region=region, profile=profile, name_prefix=name_prefix, config=config), model, False, as_json)


def _switch(common: Common, model: str, paused: bool, as_json: bool) -> None:
    model_kind(model)
    VoiceDeployer(site=common.site).pause(model, paused)
    endpoint = common.site.place.endpoint_name(model)
    if as_json:
        print_json({"endpoint": endpoint, "paused": paused})
    else:
        print(f"{endpoint} is {'paused' if paused else 'in service'}.")
