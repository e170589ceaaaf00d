"""`agent-infra deploy`, `diff` and `synth`."""

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from firstword.cli.infra_options import (
    AsJson,
    Builder,
    Common,
    Config,
    DryRun,
    ImageUri,
    Prefix,
    Profile,
    Region,
    Yes,
    place_of,
    print_changes,
    print_json,
)
from firstword.cli.speech_infra.deploy import network_flag
from firstword.cli.speech_infra.synth import Account, Output
from firstword.infra.agent.app import synthesize_agent
from firstword.infra.agent.deploying import AgentDeployer
from firstword.infra.configuration import agent_deployment
from firstword.infra.deployment import AgentDeployment, Place
from firstword.infra.toolkit.agents import find_runtime

__all__ = ["deploy", "diff", "synth"]

BedrockModel = Annotated[str | None, typer.Option(help="A Bedrock model's id, or an inference profile's.")]
EndpointName = Annotated[str | None, typer.Option(help="The voice it speaks through; default: PREFIX-kokoro-82m.")]
Package = Annotated[str | None, typer.Option(help="container | zip (an archive; no image is built)")]
Subnets = Annotated[list[str] | None, typer.Option("--subnet", help="A subnet of your VPC; repeat.")]
Groups = Annotated[list[str] | None, typer.Option("--security-group", help="A security group for it; repeat.")]


def deploy(
    bedrock_model_id: BedrockModel = None,
    endpoint_name: EndpointName = None,
    package: Package = None,
    subnet: Subnets = None,
    security_group: Groups = None,
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
    """Bring the agent up: foundation, image or archive, runtime. Run again, it does what is left."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config, yes=yes, builder=builder)
    flags = {"network": network_flag(subnet, security_group), "package": package}
    wanted = _wanted(common, common.site.place, bedrock_model_id, endpoint_name, flags)
    name = "image-uri" if image_uri else common.builder_name
    deployer = AgentDeployer(site=common.site, builder=name, image_uri=image_uri)
    if dry_run:
        deployer.check(wanted)
        print_changes(deployer.plan(wanted).changes, as_json)
        return
    done = deployer.deploy(wanted)
    runtime = find_runtime(common.site.cloud, common.site.place.runtime_name)
    arn = runtime.arn if runtime else ""
    if as_json:
        print_json({"runtime_arn": arn, "region": common.site.place.region, "deployment": done})
    else:
        print(f"{arn} is up.")


def diff(
    bedrock_model_id: BedrockModel = None,
    endpoint_name: EndpointName = None,
    image_uri: ImageUri = "",
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """What a deployment would change, resource by resource; changes nothing."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config)
    wanted = _wanted(common, common.site.place, bedrock_model_id, endpoint_name, {})
    print_changes(AgentDeployer(site=common.site, image_uri=image_uri).plan(wanted).changes, as_json)


def synth(
    output: Output = Path("cdk.out"),
    account: Account = None,
    bedrock_model_id: BedrockModel = None,
    endpoint_name: EndpointName = None,
    package: Package = None,
    image_uri: Annotated[str, typer.Option(help="Image to name in the templates.")] = "",
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Write the templates of the agent. With --account and --region nothing is asked of anybody."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config)
    number = account or common.cloud.account
    place = place_of(number, common.settings.region or common.cloud.region, common.settings.name_prefix)
    image = image_uri or f"{number}.dkr.ecr.{place.region}.amazonaws.com/{place.repository('agent')}:latest"
    with tempfile.TemporaryDirectory() as code:
        (Path(code) / "main.py").write_text("")
        flags = {"package": package, "image_uri": image, "zip_dir": code}
        wanted = _wanted(common, place, bedrock_model_id, endpoint_name, flags)
        directory = synthesize_agent(place, wanted, output.absolute())
    stacks = [place.foundation_stack, place.agent_stack]
    if as_json:
        print_json({"directory": str(directory), "stacks": stacks})
        return
    for stack in stacks:
        print(directory / f"{stack}.template.json")


def _wanted(
    common: Common, place: Place, model: str | None, endpoint: str | None, flags: dict[str, Any]
) -> AgentDeployment:
    given = flags | {"bedrock_model_id": model, "endpoint_name": endpoint}
    return agent_deployment(common.file, given, place.endpoint_name("kokoro-82m"))
