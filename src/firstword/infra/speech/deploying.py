"""`speech-infra deploy`, `diff`, `pause` and `resume`: from options to a voice in service, stage by stage.

A stage that is done is not done again, so a deployment that failed or was interrupted is simply run once more.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from firstword.errors import InfraError, UsageError
from firstword.infra.deployment import Place, SpeechDeployment
from firstword.infra.image_names import image_name
from firstword.infra.images.context import BuildContext, speech_context
from firstword.infra.imaging import publish
from firstword.infra.shared import agent_on
from firstword.infra.site import Site
from firstword.infra.speech.app import synthesize_speech
from firstword.infra.speech.watching import EndpointWatch, explained
from firstword.infra.toolkit.builders import BuilderName, choose_builder
from firstword.infra.toolkit.endpoints import find_endpoint
from firstword.infra.toolkit.leftovers import adopting
from firstword.infra.toolkit.quotas import check_quota
from firstword.infra.toolkit.registry import check_image
from firstword.infra.toolkit.stacks import deployed_options, find_stack
from firstword.infra.toolkit.templates import Change
from firstword.infra.toolkit.weights import asset_store, sync_weights, weights_uri

__all__ = ["Plan", "VoiceDeployer"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a deployment would do: changes by stack, and which of image and weights are new."""

    deployment: SpeechDeployment
    changes: dict[str, list[Change]]
    new_image: bool
    new_weights: bool

    @property
    def empty(self) -> bool:
        return not any(self.changes.values())


@dataclass(frozen=True, kw_only=True)
class VoiceDeployer:
    """Deploys one voice to a site. `weights` names an asset source, default the one that fits the model."""

    site: Site
    builder: BuilderName = "auto"
    weights: str | None = None
    image_uri: str = ""
    espeak: bool = True
    japanese: bool = False

    def plan(self, wanted: SpeechDeployment) -> Plan:
        """What `deploy` would change; builds and moves nothing, asks S3 and CloudFormation only to read."""
        with TemporaryDirectory() as scratch:
            site = self._adopted()
            prepared = self._prepare(site, wanted, Path(scratch) / "context")
            assembly = synthesize_speech(site.place, prepared, Path(scratch) / "cdk.out")
            deployed = deployed_options(site.cloud, site.place.speech_stack(wanted.model), SpeechDeployment)
            return Plan(
                deployment=prepared,
                changes=site.changes(assembly, self._stacks(wanted)),
                new_image=deployed is None or deployed.image_uri != prepared.image_uri,
                new_weights=deployed is None or deployed.weights_uri != prepared.weights_uri,
            )

    def deploy(self, wanted: SpeechDeployment) -> SpeechDeployment:
        """Bring the voice into service and return what was deployed. Raises InfraError, AssetError."""
        go_on = f"Run the same again to go on; speech-infra destroy {wanted.model} removes what stands."
        with TemporaryDirectory() as scratch, self.site.stages(self._stacks(wanted), go_on=go_on) as begin:
            self.check(wanted)
            plan = self.plan(wanted)
            self.site.approve_grants(plan.changes)
            store = asset_store(wanted.kind, self.weights)
            store.ensure(self.site.report.progress)
            site = self._adopted()
            directory = Path(scratch)
            begin("foundation and model cache")
            shared = synthesize_speech(site.place, None, directory / "shared")
            site.apply(shared, [site.place.foundation_stack, site.place.cache_stack])
            begin("weights")
            sync_weights(
                site.cloud,
                store,
                bucket=site.place.weights_bucket,
                model=wanted.model,
                progress=site.report.progress,
            )
            begin("image")
            context = self._context(wanted, directory / "context")
            uri = self.image_uri or publish(site, context, choose_builder(self.builder))
            ready = msgspec.structs.replace(plan.deployment, image_uri=uri)
            begin("endpoint")
            self._apply_endpoint(site, ready, directory)
        return ready

    def plan_pause(self, model: str, paused: bool) -> dict[str, list[Change]]:
        """What `pause` would change; changes nothing."""
        with TemporaryDirectory() as scratch:
            site = self._adopted()
            assembly = synthesize_speech(site.place, self._switched(model, paused), Path(scratch))
            return site.changes(assembly, [site.place.speech_stack(model)])

    def pause(self, model: str, paused: bool) -> SpeechDeployment:
        """Take the endpoint away and keep the rest, or bring it back as it was."""
        wanted = self._switched(model, paused)
        stack = self.site.place.speech_stack(model)
        self.site.check_ready([stack])
        if paused and (agent := agent_on(self.site, self.site.place.endpoint_name(model))):
            self.site.report.say(f"{agent} speaks through this voice and will be silent.")
        verb = "pause" if paused else "resume"
        go_on = f"Run speech-infra {verb} {model} again to go on."
        with TemporaryDirectory() as scratch, self.site.stages([stack], go_on=go_on) as begin:
            self.site.approve_grants(self.plan_pause(model, paused))
            begin(verb)
            self._apply_endpoint(self._adopted(), wanted, Path(scratch))
        return wanted

    def _switched(self, model: str, paused: bool) -> SpeechDeployment:
        deployed = deployed_options(self.site.cloud, self.site.place.speech_stack(model), SpeechDeployment)
        if deployed is None:
            raise UsageError(f"{model} is not deployed.", code="not_deployed", hint=f"Run speech-infra deploy {model}.")
        return msgspec.structs.replace(deployed, paused=paused)

    def check(self, wanted: SpeechDeployment) -> None:
        """Everything that can be known to fail before anything is made."""
        site, place = self.site, self.site.place
        choose_builder(self.builder)
        if self.builder == "image-uri" and not self.image_uri:
            raise UsageError("--builder image-uri needs --image-uri.", code="no_image_uri")
        if self.image_uri:
            image_name(self.image_uri, "SageMaker")
        site.check_ready(self._stacks(wanted))
        name = place.endpoint_name(wanted.model)
        stack = find_stack(site.cloud, place.speech_stack(wanted.model))
        endpoint = find_endpoint(site.cloud, name)
        if stack is None and endpoint is not None:
            raise InfraError(
                f"An endpoint {name} exists that this tool did not make.",
                code="name_taken",
                hint="Remove it, or pass another --name-prefix.",
            )
        if endpoint is not None and endpoint.changing:
            raise InfraError(
                f"The endpoint {name} is {endpoint.status} and takes no change.",
                code="busy",
                hint=f"Wait until it is done; speech-infra status {wanted.model} shows it.",
                retryable=True,
            )
        if self.image_uri:
            check_image(site.cloud, self.image_uri, image="speech", say=site.report.say)
        # An update brings up a second fleet before the first one goes.
        needed = wanted.min_instances if endpoint is None else 0
        later = max(wanted.max_instances if wanted.scales else 0, 2 * wanted.min_instances)
        check_quota(site.cloud, wanted.types, needed, later, site.report.say)

    def _stacks(self, wanted: SpeechDeployment) -> list[str]:
        place = self.site.place
        return [place.foundation_stack, place.cache_stack, place.speech_stack(wanted.model)]

    def _adopted(self) -> Site:
        return _at(self.site, adopting(self.site.cloud, self.site.place))

    def _prepare(self, site: Site, wanted: SpeechDeployment, scratch: Path) -> SpeechDeployment:
        """`wanted` with the image and weights it will run, before either is there: IAM is the same either way."""
        manifest = asset_store(wanted.kind, self.weights).manifest()
        weights = weights_uri(site.place.weights_bucket, wanted.model, manifest)
        if self.image_uri:
            return msgspec.structs.replace(wanted, image_uri=self.image_uri, image_tag="", weights_uri=weights)
        context = self._context(wanted, scratch)
        deployed = deployed_options(site.cloud, site.place.speech_stack(wanted.model), SpeechDeployment)
        same = deployed is not None and deployed.image_tag == context.tag
        host = f"{site.place.account}.dkr.ecr.{site.place.region}.amazonaws.com"
        uri = deployed.image_uri if deployed and same else f"{host}/{site.place.repository('speech')}:{context.tag}"
        return msgspec.structs.replace(wanted, image_uri=uri, image_tag=context.tag, weights_uri=weights)

    def _context(self, wanted: SpeechDeployment, directory: Path) -> BuildContext:
        return speech_context(directory, device=wanted.kind.device, espeak=self.espeak, japanese=self.japanese)

    def _apply_endpoint(self, site: Site, ready: SpeechDeployment, scratch: Path) -> None:
        """Apply the voice's stack; first without scaling where AWS refuses to change types under it."""
        name = site.place.endpoint_name(ready.model)
        watch = EndpointWatch(site.cloud, name)
        steps = [ready]
        if self._changes_types_under_scaling(site, ready):
            site.report.say("the instance type changes: scaling is taken off first and put back after")
            steps.insert(0, msgspec.structs.replace(ready, scaling_off=True))
        for number, step in enumerate(steps):
            assembly = synthesize_speech(site.place, step, scratch / f"endpoint-{number}")
            try:
                site.apply(assembly, [site.place.speech_stack(ready.model)], watch)
            except InfraError as error:
                raise explained(site, name, watch, error) from error

    def _changes_types_under_scaling(self, site: Site, ready: SpeechDeployment) -> bool:
        stack = find_stack(site.cloud, site.place.speech_stack(ready.model))
        if stack is None or stack.broken:
            return False
        deployed = deployed_options(site.cloud, stack.name, SpeechDeployment)
        return deployed is not None and deployed.scales and ready.scales and deployed.types != ready.types


def _at(site: Site, place: Place) -> Site:
    return Site(cloud=site.cloud, place=place, settings=site.settings, report=site.report)
