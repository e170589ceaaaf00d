"""`speech-infra deploy` and `diff`."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from firstword.cli.infra_options import Deploying, Model, Planning, print_changes, print_json, spread
from firstword.cli.speech_infra.fleet import Fleet
from firstword.infra.configuration import speech_deployment
from firstword.infra.deployment import SpeechDeployment
from firstword.infra.speech.deploying import VoiceDeployer

__all__ = ["deploy", "diff"]


@dataclass(frozen=True, kw_only=True)
class Voice(Fleet):
    """What a voice is deployed with."""

    streams_per_instance: Annotated[
        float | None, typer.Option("--streams-per-instance", help="Open streams an instance should carry.")
    ] = None
    alarm_email: Annotated[str | None, typer.Option("--alarm-email", help="Address that alarms are sent to.")] = None
    network_isolation: Annotated[bool | None, typer.Option("--network-isolation/--no-network-isolation")] = None
    weights: Annotated[
        str | None, typer.Option(help="Source of the weights: packages | hub | dir:PATH | s3://BUCKET/PREFIX")
    ] = None
    espeak: Annotated[bool, typer.Option("--espeak/--no-espeak", help="Whether the image holds espeak-ng (GPL).")] = (
        True
    )
    japanese: Annotated[bool, typer.Option("--japanese", help="Whether the image speaks Japanese (128 MB more).")] = (
        False
    )

    def flags(self) -> dict[str, Any]:
        return super().flags() | {
            "streams_per_instance": self.streams_per_instance,
            "alarm_email": self.alarm_email,
            "network_isolation": self.network_isolation,
        }


@spread
def deploy(model: Model, voice: Voice, common: Deploying) -> None:
    """Bring a voice into service: foundation, weights, image, endpoint. Run again, it does what is left."""
    deployer, wanted = _wanted(model, voice, common)
    if common.dry_run:
        deployer.check(wanted)
        print_changes(deployer.plan(wanted).changes, common.as_json)
        return
    done = deployer.deploy(wanted)
    endpoint = common.site.place.endpoint_name(model)
    if common.as_json:
        print_json({"endpoint": endpoint, "region": common.site.place.region, "deployment": done})
    elif done.paused:
        print(f"{endpoint} stays paused. speech-infra resume {model} brings it into service.")
    else:
        print(f"{endpoint} is in service. Hear it: speech-infra say {model} 'Hello there.'")


@spread
def diff(model: Model, voice: Voice, common: Planning) -> None:
    """What `deploy` with the same options would change, resource by resource; changes nothing."""
    deployer, wanted = _wanted(model, voice, common)
    print_changes(deployer.plan(wanted).changes, common.as_json)


def _wanted(model: str, voice: Voice, common: Planning) -> tuple[VoiceDeployer, SpeechDeployment]:
    wanted = speech_deployment(model, common.file, voice.flags() | {"network": common.network})
    builder = common.image_from
    deployer = VoiceDeployer(
        site=common.site,
        builder=builder,
        weights=voice.weights,
        image_uri=common.image_uri,
        espeak=voice.espeak,
        japanese=voice.japanese,
    )
    return deployer, wanted
