"""`agent-infra deploy`, `diff` and `synth`."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from firstword.cli.infra_options import Common, Deploying, Planning, place_of, print_changes, print_json, spread
from firstword.cli.speech_infra.synth import Account, Output
from firstword.infra.agent.app import synthesize_agent
from firstword.infra.agent.deploying import AgentDeployer
from firstword.infra.configuration import agent_deployment
from firstword.infra.deployment import AgentDeployment, Place
from firstword.infra.toolkit.agents import find_runtime

__all__ = ["deploy", "diff", "synth"]


@dataclass(frozen=True, kw_only=True)
class Agent:
    """What an agent is deployed with."""

    bedrock_model_id: Annotated[str | None, typer.Option(help="A Bedrock model's id, or an inference profile's.")] = (
        None
    )
    endpoint_name: Annotated[
        str | None, typer.Option(help="The voice it speaks through; default: PREFIX-kokoro-82m.")
    ] = None
    package: Annotated[str | None, typer.Option(help="container | zip (an archive; no image is built)")] = None

    def flags(self) -> dict[str, Any]:
        return {
            "bedrock_model_id": self.bedrock_model_id,
            "endpoint_name": self.endpoint_name,
            "package": self.package,
        }


@spread
def deploy(agent: Agent, common: Deploying) -> None:
    """Bring the agent up: foundation, image or archive, runtime. Run again, it does what is left."""
    wanted = _wanted(common, common.site.place, agent, network=common.network)
    deployer = AgentDeployer(site=common.site, builder=common.image_from, image_uri=common.image_uri)
    if common.dry_run:
        deployer.check(wanted)
        print_changes(deployer.plan(wanted).changes, common.as_json)
        return
    done = deployer.deploy(wanted)
    runtime = find_runtime(common.site.cloud, common.site.place.runtime_name)
    arn = runtime.arn if runtime else ""
    if common.as_json:
        print_json({"runtime_arn": arn, "region": common.site.place.region, "deployment": done})
    else:
        print(f"{arn} is up. Hear it: agent-infra demo")


@spread
def diff(agent: Agent, common: Planning) -> None:
    """What `deploy` with the same options would change, resource by resource; changes nothing."""
    wanted = _wanted(common, common.site.place, agent, network=common.network)
    plan = AgentDeployer(site=common.site, builder=common.image_from, image_uri=common.image_uri).plan(wanted)
    print_changes(plan.changes, common.as_json)


@spread
def synth(
    agent: Agent,
    common: Common,
    output: Output = Path("cdk.out"),
    account: Account = None,
    image_uri: Annotated[str, typer.Option(help="Image to name in the templates.")] = "",
) -> None:
    """Write the templates of the agent. With --account and --region nothing is asked of anybody."""
    number = account or common.cloud.account
    place = place_of(number, common.settings.region or common.cloud.region, common.settings.name_prefix)
    image = image_uri or f"{number}.dkr.ecr.{place.region}.amazonaws.com/{place.repository('agent')}:latest"
    with tempfile.TemporaryDirectory() as code:
        (Path(code) / "main.py").write_text("")
        wanted = _wanted(common, place, agent, image_uri=image, zip_dir=code)
        directory = synthesize_agent(place, wanted, output.absolute())
    stacks = [place.foundation_stack, place.agent_stack]
    if common.as_json:
        print_json({"directory": str(directory), "stacks": stacks})
        return
    for stack in stacks:
        print(directory / f"{stack}.template.json")


def _wanted(common: Common, place: Place, agent: Agent, **more: Any) -> AgentDeployment:
    return agent_deployment(common.file, agent.flags() | more, place.endpoint_name("kokoro-82m"))
