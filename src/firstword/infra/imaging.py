"""Gets an image into its repository: built here or in AWS, once per fingerprint, named by digest.

Above: the operations of both tools. Below: `images` (what goes in) and the toolkit (who builds).
"""

import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firstword.errors import InfraError
from firstword.infra.application import kernel_alive, new_app, synthesize
from firstword.infra.builder import BuilderStack
from firstword.infra.foundation import Foundation
from firstword.infra.images.context import BuildContext
from firstword.infra.site import Site
from firstword.infra.toolkit.builders import (
    BuilderName,
    find_pushed,
    local_builder,
    registry_password,
    repository_uri,
)
from firstword.infra.toolkit.cloud import aws_errors
from firstword.infra.toolkit.registry import DOCKER_MANIFEST
from firstword.infra.toolkit.stacks import find_stack

__all__ = ["publish"]

_BUILD_POLLS = 720


def publish(site: Site, context: BuildContext, builder: BuilderName) -> str:
    """The image of `context` in the place's repository, as REPOSITORY@DIGEST; built unless it is there already. Raises
    InfraError for one that SageMaker would refuse."""
    name = site.place.repository(context.image)
    uri = repository_uri(site.cloud, name)
    found = find_pushed(site.cloud, name, context.tag)
    if found is not None:
        site.report.say(f"{name}:{context.tag} is there already")
    else:
        if builder == "codebuild":
            _build_in_aws(site, context, f"{uri}:{context.tag}")
        else:
            _build_here(site, context, uri, builder)
        found = find_pushed(site.cloud, name, context.tag)
    if found is None:
        raise InfraError(f"The build succeeded and {uri}:{context.tag} is not there.", code="build_failed")
    if context.image == "speech" and found.manifest not in ("", DOCKER_MANIFEST):
        raise InfraError(
            f"{name}:{context.tag} was pushed as {found.manifest}, which SageMaker does not take.",
            code="bad_manifest",
            hint=f"Remove it (aws ecr batch-delete-image --repository-name {name} --image-ids imageTag={context.tag}) "
            "and build with --builder podman, buildah or codebuild.",
        )
    return f"{uri}@{found.digest}"


def _build_here(site: Site, context: BuildContext, uri: str, builder: BuilderName) -> None:
    engine = local_builder(builder)
    local = f"localhost/firstword-{context.image}:{context.tag}"
    site.report.say(f"building with {engine.engine} (minutes, the first time)")
    engine.build(context, local, site.settings.base_image, site.report.say)
    engine.login(uri.partition("/")[0], registry_password(site.cloud))
    site.report.say(f"pushing {uri}:{context.tag}")
    engine.push(local, f"{uri}:{context.tag}")


def _build_in_aws(site: Site, context: BuildContext, remote: str) -> None:
    stack = f"{site.place.builder_stack}-{context.image}"
    with TemporaryDirectory() as scratch:
        with kernel_alive():
            app = new_app(Path(scratch))
            foundation = Foundation(app, place=site.place)
            BuilderStack(app, place=site.place, foundation=foundation, context=context)
            assembly = synthesize(app)
        site.approve_grants(site.changes(assembly, [stack]))
        site.apply(assembly, [stack])
    found = find_stack(site.cloud, stack)
    if found is None:
        raise InfraError(f"The stack {stack} vanished.", code="stack_failed")
    _run_project(site, found.outputs["Project"], remote)


def _run_project(site: Site, project: str, remote: str) -> None:
    client = site.cloud.client("codebuild")
    variable = {"name": "IMAGE", "value": remote, "type": "PLAINTEXT"}
    with aws_errors("start the build"):
        build = client.start_build(projectName=project, environmentVariablesOverride=[variable])["build"]
    try:
        _await_build(site, client, build["id"])
    except KeyboardInterrupt:
        site.report.say(f"the build {build['id']} goes on in AWS; deploying again finds its image")
        raise


def _await_build(site: Site, client: Any, build_id: str) -> None:
    phase = ""
    for _ in range(_BUILD_POLLS):
        with aws_errors("look at the build"):
            (build,) = client.batch_get_builds(ids=[build_id])["builds"]
        if build.get("currentPhase", "") != phase:
            phase = build["currentPhase"]
            site.report.say(f"CodeBuild: {phase}")
        if build["buildStatus"] == "SUCCEEDED":
            return
        if build["buildStatus"] != "IN_PROGRESS":
            raise InfraError(
                f"The build ended as {build['buildStatus']}{_why(build)}.",
                code="build_failed",
                hint=build.get("logs", {}).get("deepLink", ""),
            )
        threading.Event().wait(site.settings.poll_s)
    raise InfraError("The build did not end in time.", code="build_failed")


def _why(build: dict[str, Any]) -> str:
    """What the phase that failed says of itself."""
    contexts = [context for phase in build.get("phases", []) for context in phase.get("contexts", [])]
    said = [context["message"] for context in contexts if context.get("message")]
    return f": {said[-1].rstrip('.')}" if said else ""
