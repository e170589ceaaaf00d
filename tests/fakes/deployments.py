"""Deployments that the infra tests synthesize and deploy: every combination of options worth a template."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from firstword.infra.deployment import AgentDeployment, Network, Place, SpeechDeployment

ACCOUNT = "123456789012"
PLACE = Place(account=ACCOUNT, region="us-east-1")
REGISTRY = f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com"
SPEECH_IMAGE = f"{REGISTRY}/firstword/speech@sha256:{'0' * 64}"
AGENT_IMAGE = f"{REGISTRY}/firstword/agent:0123456789ab"
NETWORK = Network(subnets=("subnet-11111111", "subnet-22222222"), security_groups=("sg-11111111",))
TEARDOWN_LEFT = Place(
    account=ACCOUNT,
    region="eu-central-1",
    prefix="team-a",
    kept=frozenset({"key", "weights", "access-logs", "speech-images", "agent-images"}),
    kept_key_arn=f"arn:aws:kms:eu-central-1:{ACCOUNT}:key/11111111-2222-3333-4444-555555555555",
)


def voice(model: str = "kokoro-82m", **options: Any) -> SpeechDeployment:
    weights = f"s3://{PLACE.weights_bucket}/models/{model}/0123456789ab/"
    return SpeechDeployment(model=model, image_uri=SPEECH_IMAGE, weights_uri=weights, **options)


def agent(**options: Any) -> AgentDeployment:
    defaults = {"bedrock_model_id": "amazon.nova-lite-v1:0", "endpoint_name": PLACE.endpoint_name("kokoro-82m")}
    return AgentDeployment(**(defaults | {"image_uri": AGENT_IMAGE} | options))


VOICES = {
    "gpu": (PLACE, voice()),
    "gpu-pool": (PLACE, voice(instance_types=("ml.g6.xlarge", "ml.g5.xlarge", "ml.g4dn.xlarge"), max_instances=4)),
    "gpu-fleet": (PLACE, voice(min_instances=2, max_instances=8, alarm_email="oncall@example.com")),
    "gpu-closed": (PLACE, voice(network=NETWORK, network_isolation=True)),
    "gpu-fixed": (PLACE, voice(autoscaling=False, environment={"FIRSTWORD_SERVER_MAX_SESSIONS": "32"})),
    "gpu-paused": (PLACE, voice(paused=True)),
    "cpu": (PLACE, voice("kokoro-82m-cpu")),
    "cpu-plain-volume": (PLACE, voice("kokoro-82m-cpu", instance_types=("ml.c7i.2xlarge",), encrypt_volume=False)),
    "gpu-other-image": (PLACE, msgspec.structs.replace(voice(), image_uri=f"{REGISTRY}/mine/voice:1")),
    "adopted": (TEARDOWN_LEFT, voice()),
}


_OWN_PROFILE = "application-inference-profile/0123456789ab"


def agents(code: Path) -> dict[str, AgentDeployment]:
    """The agents; `code` is the directory a zip is made from."""
    return {
        "agent": agent(),
        "agent-profile": agent(bedrock_model_id="us.anthropic.claude-haiku-4-5-20251001-v1:0"),
        "agent-own-profile": agent(bedrock_model_id=f"arn:aws:bedrock:us-east-1:{ACCOUNT}:{_OWN_PROFILE}"),
        "agent-closed": agent(network=NETWORK),
        "agent-zip": agent(package="zip", zip_dir=str(code), image_uri=""),
    }


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """A synthesized app: template by stack name, and where they lie."""

    directory: Path

    def template(self, stack: str) -> dict[str, Any]:
        result: dict[str, Any] = json.loads((self.directory / f"{stack}.template.json").read_text())
        return result

    def resources(self, stack: str, kind: str) -> list[dict[str, Any]]:
        found = self.template(stack)["Resources"].values()
        return [item.get("Properties", {}) for item in found if item["Type"] == kind]

    def only(self, stack: str, kind: str) -> dict[str, Any]:
        (item,) = self.resources(stack, kind)
        return item
