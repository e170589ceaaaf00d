"""An image as ECR holds it: what kind of manifest, for which machines, with which labels. Asked before it is deployed.

An image that does not fit fails many minutes into a deployment, or, without the label of bidirectional streaming, not
before the first call.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import msgspec

from firstword.errors import InfraError, UsageError
from firstword.infra.image_names import ImageName, image_name
from firstword.infra.toolkit.cloud import Cloud, aws_errors

__all__ = ["DOCKER_MANIFEST", "RemoteImage", "check_image", "look_at"]

DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
_BIDIRECTIONAL = "com.amazonaws.sagemaker.capabilities.bidirectional-streaming"
_FETCH_S = 20


@dataclass(frozen=True, kw_only=True)
class RemoteImage:
    """`platforms` such as linux/arm64, more than one for an index of images; `labels` only of a single image."""

    manifest: str
    platforms: tuple[str, ...]
    labels: dict[str, str] = field(default_factory=dict)


def look_at(cloud: Cloud, name: ImageName) -> RemoteImage | None:
    """The image, None if there is none of that name. Raises InfraError where ECR does not show it to us."""
    ecr = cloud.elsewhere(name.region).client("ecr") if name.region != cloud.region else cloud.client("ecr")
    where = {"registryId": name.account, "repositoryName": name.repository}
    with aws_errors("look at the image"):
        found = ecr.batch_get_image(**where, imageIds=[name.id])["images"]
    if not found:
        return None
    manifest = msgspec.json.decode(found[0]["imageManifest"], type=dict[str, Any])
    kind = found[0].get("imageManifestMediaType") or manifest.get("mediaType", "")
    if "manifests" in manifest:
        platforms = [item.get("platform", {}) for item in manifest["manifests"]]
        return RemoteImage(manifest=kind, platforms=tuple(_platform(item) for item in platforms))
    with aws_errors("look at the image"):
        url = ecr.get_download_url_for_layer(**where, layerDigest=manifest["config"]["digest"])["downloadUrl"]
    config = _fetched(url)
    labels = (config.get("config") or {}).get("Labels") or {}
    return RemoteImage(manifest=kind, platforms=(_platform(config),), labels=labels)


def _platform(found: dict[str, Any]) -> str:
    return f"{found.get('os', '')}/{found.get('architecture', '')}"


def _fetched(url: str) -> dict[str, Any]:
    try:
        answer = httpx.get(url, timeout=_FETCH_S, follow_redirects=True).raise_for_status()
        return msgspec.json.decode(answer.content, type=dict[str, Any])
    except (httpx.HTTPError, msgspec.DecodeError) as error:
        raise InfraError("The image's configuration did not arrive.", code="unreachable", retryable=True) from error


def check_image(cloud: Cloud, uri: str, *, image: Literal["speech", "agent"], say: Callable[[str], None]) -> None:
    """Raises UsageError or InfraError for an image that cannot serve as the `speech` or the `agent` image; says so and
    goes on where ECR does not show it to us."""
    name = image_name(uri, "SageMaker" if image == "speech" else "AgentCore")
    if image == "speech" and name.region != cloud.region:
        raise UsageError(
            f"{uri} is in {name.region}, and SageMaker takes an image from the endpoint's own region {cloud.region}.",
            code="bad_image_uri",
            hint="Push it there.",
        )
    try:
        found = look_at(cloud, name)
    except InfraError as error:
        say(f"the image could not be looked at beforehand ({error.message.rstrip('.')})")
        return
    if found is None:
        hint = "Push it first, or leave --image-uri out to have one built."
        raise InfraError(f"There is no image {uri}.", code="no_image", hint=hint)
    if wrong := _speech_fault(found) if image == "speech" else _agent_fault(found):
        raise InfraError(f"{uri} {wrong[0]}", code="wrong_image", hint=wrong[1])


def _agent_fault(found: RemoteImage) -> tuple[str, str] | None:
    if "linux/arm64" in found.platforms:
        return None
    return (
        f"is for {', '.join(found.platforms)}, and AgentCore runs linux/arm64.",
        "Build it with --platform linux/arm64.",
    )


def _speech_fault(found: RemoteImage) -> tuple[str, str] | None:
    if found.manifest != DOCKER_MANIFEST:
        hint = "Push a single image in docker's format (buildah push --format v2s2)."
        return f"was pushed as {found.manifest}, which SageMaker does not take.", hint
    if found.platforms != ("linux/amd64",):
        return f"is for {', '.join(found.platforms)}, and these instances run linux/amd64.", "Build it for that."
    if found.labels.get(_BIDIRECTIONAL) != "true":
        return f"lacks the label {_BIDIRECTIONAL}=true: no session would open.", "Build it from firstword's Dockerfile."
    return None
