"""What is to be deployed, as frozen, validated values: one for a voice, one for an agent, one for the place.

They come from a TOML file, flags, or the metadata of a deployed stack; the same types serve all three. Knows no AWS
call and no CDK. The catalogue of models says what each one needs.
"""

import re
from typing import Annotated, Literal

import msgspec

from firstword.errors import UsageError
from firstword.infra.instances import instance

__all__ = [
    "ALARMS",
    "METADATA_KEY",
    "MODELS",
    "PREFIX",
    "VARIANT",
    "AgentDeployment",
    "Kept",
    "ModelKind",
    "Network",
    "Place",
    "SpeechDeployment",
    "model_kind",
]

# Names that stand in the templates and that whoever looks at what is deployed asks for.
METADATA_KEY = "firstword"
VARIANT = "primary"
ALARMS = ("errors", "first-audio", "full")

type Kept = Literal["key", "weights", "access-logs", "speech-images", "agent-images", "agent-logs"]

# Every service's names at once: ECR takes no hyphen beside another or at an end.
PREFIX = r"^(?=.{2,20}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$"
Prefix = Annotated[str, msgspec.Meta(pattern=PREFIX)]
SubnetId = Annotated[str, msgspec.Meta(pattern="^subnet-[0-9a-f]{8,17}$")]
GroupId = Annotated[str, msgspec.Meta(pattern="^sg-[0-9a-f]{8,17}$")]
Minutes = Annotated[int, msgspec.Meta(ge=60, le=3600)]
# What both SageMaker and AgentCore take, with room for what we set ourselves.
Environment = Annotated[
    dict[
        Annotated[str, msgspec.Meta(pattern="^[A-Za-z_][A-Za-z0-9_]*$", max_length=100)],
        Annotated[str, msgspec.Meta(max_length=1024)],
    ],
    msgspec.Meta(max_length=40),
]


_ENVIRONMENT_BYTES = 31 << 10


class ModelKind(msgspec.Struct, frozen=True, kw_only=True):
    """A deployable voice: the weights it runs (`precision`), the image it needs and the types it runs on by default."""

    name: str
    device: Literal["cpu", "gpu"]
    precision: Literal["int8", "fp32"]
    instance_types: tuple[str, ...]
    streams_per_instance: float
    pool: tuple[str, ...]


MODELS = {
    kind.name: kind
    for kind in (
        ModelKind(
            name="kokoro-82m",
            device="gpu",
            precision="fp32",
            instance_types=("ml.g5.xlarge",),
            pool=("ml.g6.xlarge", "ml.g5.xlarge", "ml.g4dn.xlarge"),
            streams_per_instance=8,
        ),
        ModelKind(
            name="kokoro-82m-cpu",
            device="cpu",
            precision="int8",
            instance_types=("ml.c7i.2xlarge", "ml.m7i.2xlarge", "ml.c6i.2xlarge"),
            pool=("ml.c7i.2xlarge", "ml.m7i.2xlarge", "ml.c6i.2xlarge"),
            streams_per_instance=4,
        ),
    )
}


def model_kind(name: str) -> ModelKind:
    if name not in MODELS:
        raise UsageError(f"Unknown model {name!r}.", code="unknown_model", hint=f"One of: {', '.join(MODELS)}.")
    return MODELS[name]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where: account and region, and the prefix that keeps several deployments of one account apart.

    `kept` names what an earlier teardown left here; what is ours to make is taken over by name, not made again.
    """

    account: Annotated[str, msgspec.Meta(pattern=r"^\d{12}$")]
    region: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2}(-[a-z]+)+-\d$")]
    prefix: Prefix = "firstword"
    kept: frozenset[Kept] = frozenset()
    kept_key_arn: str = ""

    @property
    def foundation_stack(self) -> str:
        return f"{self.prefix}-foundation"

    @property
    def cache_stack(self) -> str:
        return f"{self.prefix}-model-cache"

    @property
    def builder_stack(self) -> str:
        return f"{self.prefix}-builder"

    @property
    def agent_stack(self) -> str:
        return f"{self.prefix}-agent"

    def speech_stack(self, model: str) -> str:
        return f"{self.prefix}-speech-{model}"

    def endpoint_name(self, model: str) -> str:
        return f"{self.prefix}-{model}"

    @property
    def runtime_name(self) -> str:
        """AgentCore's names know no hyphen."""
        return f"{self.prefix.replace('-', '_')}_agent"

    @property
    def weights_bucket(self) -> str:
        return f"{self.prefix}-models-{self.account}-{self.region}"

    @property
    def access_log_bucket(self) -> str:
        return f"{self.prefix}-access-{self.account}-{self.region}"

    def repository(self, image: Literal["speech", "agent"]) -> str:
        return f"{self.prefix}/{image}"

    @property
    def key_alias(self) -> str:
        return f"alias/{self.prefix}"


class Network(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Subnets and security groups of your VPC the containers get an interface in; two zones or more."""

    subnets: Annotated[tuple[SubnetId, ...], msgspec.Meta(min_length=1, max_length=16)]
    security_groups: Annotated[tuple[GroupId, ...], msgspec.Meta(min_length=1, max_length=5)]


class SpeechDeployment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One voice endpoint. Several `instance_types` are a pool, tried in that order when capacity is short.

    `streams_per_instance` is the mean number of open streams an instance is scaled towards. `image_uri`,
    `image_tag` (the fingerprint it was built from) and `weights_uri` are filled in as those stages are done;
    `scaling_off` is the first of the two phases of a change of types.
    """

    model: str
    instance_types: tuple[str, ...] = ()
    min_instances: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    max_instances: Annotated[int, msgspec.Meta(ge=1, le=100)] = 2
    streams_per_instance: Annotated[float, msgspec.Meta(gt=0, le=1000)] | None = None
    autoscaling: bool = True
    network: Network | None = None
    network_isolation: bool = False
    encrypt_volume: bool = True
    alarm_email: str = ""
    first_chunk_slo_ms: Annotated[int, msgspec.Meta(ge=10, le=60_000)] = 1000
    log_retention_days: Literal[1, 3, 5, 7, 14, 30, 60, 90, 180, 365] = 30
    startup_timeout_s: Minutes = 600
    download_timeout_s: Minutes = 600
    environment: Environment = {}
    paused: bool = False
    scaling_off: bool = False
    image_uri: str = ""
    image_tag: str = ""
    weights_uri: str = ""

    def __post_init__(self) -> None:
        kind = model_kind(self.model)
        if len(set(self.types)) != len(self.types) or len(self.types) > 5:
            raise UsageError("A pool is one to five different instance types.", code="bad_instance_pool")
        for item in map(instance, self.types):
            if (item.gpu is not None) != (kind.device == "gpu"):
                has = "a" if item.gpu else "no"
                raise UsageError(
                    f"{item.name} has {has} GPU and {self.model} runs on the {kind.device.upper()}.",
                    code="wrong_instance_type",
                    hint=f"Choose from: {', '.join(kind.pool)}.",
                )
        if self.max_instances < self.min_instances:
            raise UsageError("max_instances is below min_instances.", code="bad_scaling")
        if sum(len(f"{name}{value}".encode()) for name, value in self.environment.items()) > _ENVIRONMENT_BYTES:
            raise UsageError("The environment is above 31 KiB; SageMaker takes 32 with ours.", code="bad_environment")
        if self.alarm_email and not re.fullmatch(r"[^@\s]+@[^@\s]+", self.alarm_email):
            raise UsageError(f"{self.alarm_email!r} is no e-mail address.", code="bad_email")

    @property
    def kind(self) -> ModelKind:
        return model_kind(self.model)

    @property
    def types(self) -> tuple[str, ...]:
        return self.instance_types or self.kind.instance_types

    @property
    def target_streams(self) -> float:
        return self.streams_per_instance or self.kind.streams_per_instance

    @property
    def scales(self) -> bool:
        return self.keeps_count and not self.paused and not self.scaling_off

    @property
    def keeps_count(self) -> bool:
        """Whether an update keeps the number of instances that run: where load sets it, and not these options."""
        return self.autoscaling and self.max_instances > self.min_instances


class AgentDeployment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One agent runtime. `bedrock_model_id` is a foundation model's id or an inference profile's; `package` says how
    the code gets there: a container image, or a zip archive that needs no image build."""

    bedrock_model_id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9:./_-]{3,200}$")]
    endpoint_name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9](-*[A-Za-z0-9]){0,62}$")]
    package: Literal["container", "zip"] = "container"
    network: Network | None = None
    idle_timeout_s: Annotated[int, msgspec.Meta(ge=60, le=28_800)] = 900
    environment: Environment = {}
    image_uri: str = ""
    image_tag: str = ""
    zip_dir: str = ""
