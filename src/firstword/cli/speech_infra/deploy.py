"""`speech-infra deploy` and `diff`."""

from typing import Annotated

import typer

from firstword.cli.infra_options import (
    AsJson,
    Builder,
    Common,
    Config,
    DryRun,
    ImageUri,
    Model,
    Prefix,
    Profile,
    Region,
    Yes,
    print_changes,
    print_json,
)
from firstword.errors import UsageError
from firstword.infra.configuration import speech_deployment
from firstword.infra.speech.deploying import VoiceDeployer

__all__ = ["deploy", "diff", "network_flag"]

InstanceTypes = Annotated[
    list[str] | None, typer.Option("--instance-type", help="Repeat for a pool, tried in that order when short.")
]
Least = Annotated[int | None, typer.Option("--min-instances", min=1)]
Most = Annotated[int | None, typer.Option("--max-instances", min=1)]
Streams = Annotated[float | None, typer.Option("--streams-per-instance", help="Open streams an instance should carry.")]
Email = Annotated[str | None, typer.Option("--alarm-email", help="Address that alarms are sent to.")]
Isolation = Annotated[bool | None, typer.Option("--network-isolation/--no-network-isolation")]
Subnets = Annotated[list[str] | None, typer.Option("--subnet", help="A subnet of your VPC; repeat.")]
Groups = Annotated[list[str] | None, typer.Option("--security-group", help="A security group for it; repeat.")]
Weights = Annotated[
    str | None, typer.Option(help="Source of the weights: packages | hub | dir:PATH | s3://BUCKET/PREFIX")
]
Espeak = Annotated[bool, typer.Option("--espeak/--no-espeak", help="Whether the image holds espeak-ng (GPL).")]

Japanese = Annotated[bool, typer.Option("--japanese", help="Whether the image speaks Japanese (128 MB more).")]


def deploy(
    model: Model,
    instance_type: InstanceTypes = None,
    min_instances: Least = None,
    max_instances: Most = None,
    streams_per_instance: Streams = None,
    alarm_email: Email = None,
    network_isolation: Isolation = None,
    subnet: Subnets = None,
    security_group: Groups = None,
    weights: Weights = None,
    espeak: Espeak = True,
    japanese: Japanese = False,
    image_uri: ImageUri = "",
    builder: Builder = None,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Bring a voice into service: foundation, weights, image, endpoint. Run again, it does what is left."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config, yes=yes, builder=builder)
    flags = {
        "instance_types": instance_type or None,
        "min_instances": min_instances,
        "max_instances": max_instances,
        "streams_per_instance": streams_per_instance,
        "alarm_email": alarm_email,
        "network_isolation": network_isolation,
        "network": network_flag(subnet, security_group),
    }
    wanted = speech_deployment(model, common.file, flags)
    name = "image-uri" if image_uri else common.builder_name
    deployer = VoiceDeployer(
        site=common.site, builder=name, weights=weights, image_uri=image_uri, espeak=espeak, japanese=japanese
    )
    if dry_run:
        deployer.check(wanted)
        print_changes(deployer.plan(wanted).changes, as_json)
        return
    done = deployer.deploy(wanted)
    endpoint = common.site.place.endpoint_name(model)
    if as_json:
        print_json({"endpoint": endpoint, "region": common.site.place.region, "deployment": done})
    else:
        print(f"{endpoint} is in service. Hear it: speech-infra say {model} 'Hello there.'")


def diff(
    model: Model,
    weights: Weights = None,
    image_uri: ImageUri = "",
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """What a deployment with this --config would change, resource by resource; changes nothing."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config)
    wanted = speech_deployment(model, common.file, {})
    plan = VoiceDeployer(site=common.site, weights=weights, image_uri=image_uri).plan(wanted)
    print_changes(plan.changes, as_json)


def network_flag(subnets: list[str] | None, groups: list[str] | None) -> dict[str, list[str]] | None:
    """The network of the flags, None without any. Raises UsageError for half of one."""
    if not subnets and not groups:
        return None
    if not subnets or not groups:
        raise UsageError("A network needs --subnet and --security-group.", code="half_network")
    return {"subnets": subnets, "security_groups": groups}
