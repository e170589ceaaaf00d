"""`agent-infra deploy` and what it looks at: from options to a runtime that answers, stage by stage."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from firstword.errors import UsageError
from firstword.infra.agent.app import synthesize_agent
from firstword.infra.agent.packaging import agent_archive
from firstword.infra.deployment import MODELS, AgentDeployment
from firstword.infra.image_names import image_name
from firstword.infra.images.context import agent_context
from firstword.infra.imaging import publish
from firstword.infra.site import Site
from firstword.infra.toolkit.bedrock import check_model
from firstword.infra.toolkit.builders import BuilderName, choose_builder
from firstword.infra.toolkit.endpoints import find_endpoint
from firstword.infra.toolkit.leftovers import adopting
from firstword.infra.toolkit.registry import check_image
from firstword.infra.toolkit.stacks import deployed_options
from firstword.infra.toolkit.templates import Change

__all__ = ["AgentDeployer", "AgentPlan"]


@dataclass(frozen=True, kw_only=True)
class AgentPlan:
    """What a deployment would do: changes by stack."""

    deployment: AgentDeployment
    changes: dict[str, list[Change]]

    @property
    def empty(self) -> bool:
        return not any(self.changes.values())


@dataclass(frozen=True, kw_only=True)
class AgentDeployer:
    """Deploys the agent to a site."""

    site: Site
    builder: BuilderName = "auto"
    image_uri: str = ""

    def plan(self, wanted: AgentDeployment) -> AgentPlan:
        """What `deploy` would change; makes nothing."""
        with TemporaryDirectory() as scratch:
            site = self._adopted()
            prepared = self._prepare(site, wanted, Path(scratch))
            assembly = synthesize_agent(site.place, prepared, Path(scratch) / "cdk.out")
            stacks = [site.place.foundation_stack, site.place.agent_stack]
            return AgentPlan(deployment=prepared, changes=site.changes(assembly, stacks))

    def deploy(self, wanted: AgentDeployment) -> AgentDeployment:
        """Bring the agent up and return what was deployed. Raises InfraError."""
        go_on = "Run the same again to go on; agent-infra destroy removes what stands."
        stacks = [self.site.place.foundation_stack, self.site.place.agent_stack]
        with TemporaryDirectory() as scratch, self.site.stages(stacks, go_on=go_on) as begin:
            self.check(wanted)
            plan = self.plan(wanted)
            self.site.approve_grants(plan.changes)
            site = self._adopted()
            directory = Path(scratch)
            begin("foundation")
            site.apply(synthesize_agent(site.place, None, directory / "shared"), [site.place.foundation_stack])
            ready = plan.deployment
            if wanted.package == "zip":
                begin("archive")
                ready = msgspec.structs.replace(ready, zip_dir=str(agent_archive(directory / "archive")))
            else:
                begin("image")
                ready = msgspec.structs.replace(ready, image_uri=self._image(site, directory / "context"))
            begin("runtime")
            site.apply(synthesize_agent(site.place, ready, directory / "cdk.out"), [site.place.agent_stack])
        return ready

    def check(self, wanted: AgentDeployment) -> None:
        """Everything that can be known to fail before anything is made."""
        site = self.site
        if wanted.package == "container":
            choose_builder(self.builder)
            if self.builder == "image-uri" and not self.image_uri:
                raise UsageError("--builder image-uri needs --image-uri.", code="no_image_uri")
        if self.image_uri:
            image_name(self.image_uri, "AgentCore")
        site.check_ready([site.place.foundation_stack, site.place.agent_stack])
        if self.image_uri and wanted.package == "container":
            check_image(site.cloud, self.image_uri, image="agent", say=site.report.say)
        check_model(site.cloud, wanted.bedrock_model_id, site.report.say)
        if find_endpoint(site.cloud, wanted.endpoint_name) is None:
            there = [name for name in map(site.place.endpoint_name, MODELS) if find_endpoint(site.cloud, name)]
            other = f"; --endpoint-name {there[0]} is there" if there else ""
            site.report.say(
                f"there is no endpoint {wanted.endpoint_name} yet: the agent will be silent until there is{other}"
            )

    def _adopted(self) -> Site:
        place = adopting(self.site.cloud, self.site.place)
        return Site(cloud=self.site.cloud, place=place, settings=self.site.settings, report=self.site.report)

    def _prepare(self, site: Site, wanted: AgentDeployment, scratch: Path) -> AgentDeployment:
        if wanted.package == "zip":
            code = scratch / "code"
            code.mkdir()
            (code / "main.py").write_text("")
            return msgspec.structs.replace(wanted, zip_dir=str(code))
        if self.image_uri:
            return msgspec.structs.replace(wanted, image_uri=self.image_uri)
        context = agent_context(scratch / "context")
        deployed = deployed_options(site.cloud, site.place.agent_stack, AgentDeployment)
        host = f"{site.place.account}.dkr.ecr.{site.place.region}.amazonaws.com"
        uri = f"{host}/{site.place.repository('agent')}:{context.tag}"
        if deployed is not None and deployed.image_tag == context.tag:
            uri = deployed.image_uri
        return msgspec.structs.replace(wanted, image_uri=uri, image_tag=context.tag)

    def _image(self, site: Site, directory: Path) -> str:
        return self.image_uri or publish(site, agent_context(directory), choose_builder(self.builder))
