"""CloudFormation types that moto skips in silence, each made in moto's own backend of that service.

moto finds its types as the direct subclasses of CloudFormationModel, so importing this module is what registers them.
"""

import json
from typing import Any, ClassVar

from moto.applicationautoscaling.models import applicationautoscaling_backends
from moto.bedrockagentcorecontrol.models import bedrockagentcorecontrol_backends
from moto.cloudformation import parsing
from moto.cloudformation.parsing import ResourceMap
from moto.cloudwatch.models import cloudwatch_backends
from moto.codebuild.models import codebuild_backends
from moto.core.common_models import CloudFormationModel
from moto.kms import responses as kms_responses
from moto.sagemaker.models import FakeEndpoint, FakeEndpointConfig

REGION = "us-east-1"
_DIMENSION = "sagemaker:variant:DesiredInstanceCount"

_make_endpoint = FakeEndpoint.create_from_cloudformation_json.__func__  # type: ignore[attr-defined]


def _named_endpoint(cls: Any, resource_name: str, cloudformation_json: Any, *rest: Any, **more: Any) -> Any:
    named = cloudformation_json["Properties"].get("EndpointName", resource_name)
    return _make_endpoint(cls, named, cloudformation_json, *rest, **more)


_diff = ResourceMap.build_resource_diff


def _following_diff(self: ResourceMap, template: dict[str, Any], parameters: Any = None) -> dict[str, Any]:
    """What changes, and what refers to it, each after what it refers to: an endpoint follows its configuration."""
    changes = _diff(self, template, parameters)
    for name in changes["Add"]:
        # Of what was removed earlier and comes back moto believes that it is still there.
        self._parsed_resources.pop(name, None)
    resources = {name: json.dumps(item) for name, item in template["Resources"].items() if _is_sagemaker(item)}
    order = [name for name in changes["Modify"] if name not in resources]
    changed = {name for name in resources if name in changes["Modify"]}
    while more := {n for n, text in resources.items() if any(f'"{m}"' in text for m in changed)} - changed:
        changed |= more
    while changed:
        ready = sorted(n for n in changed if not any(f'"{m}"' in resources[n] for m in changed - {n}))
        order += ready
        changed -= set(ready)
    return changes | {"Modify": order}


def _is_sagemaker(item: dict[str, Any]) -> bool:
    return str(item["Type"]).startswith("AWS::SageMaker::")


_MENDED: tuple[tuple[Any, str, Any], ...] = (
    # moto ignores the name a template gives an endpoint,
    (FakeEndpoint, "create_from_cloudformation_json", classmethod(_named_endpoint)),
    # forgets an endpoint whose configuration is replaced,
    (ResourceMap, "build_resource_diff", _following_diff),
    # knows of types that make nothing, and warns of them,
    (parsing, "NULL_MODELS", []),
    # its list of instance types ends about 2020,
    (FakeEndpointConfig, "validate_production_variants", lambda self, variants: None),
    # and it reads a key policy that came from a template as if it were text.
    (kms_responses, "validate_policy", lambda key, action: None),
)
for _home, _name, _better in _MENDED:
    setattr(_home, _name, _better)


class _Made:
    """What the types here have in common: a physical id, attributes, and no state beyond the backend's."""

    kind: ClassVar[str]
    attributes: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, physical_resource_id: str, values: dict[str, str] | None = None) -> None:
        self.physical_resource_id = physical_resource_id
        self._values = values or {}

    @classmethod
    def cloudformation_type(cls) -> str:
        return cls.kind

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return attr in cls.attributes

    def get_cfn_attribute(self, attribute_name: str) -> str:
        return self._values[attribute_name]

    def is_created(self) -> bool:
        return True

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
    ) -> Any:
        return cls.make(cloudformation_json["Properties"], account_id, region_name, resource_name)

    @classmethod
    def update_from_cloudformation_json(
        cls, original_resource: Any, new_resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
    ) -> Any:
        cls.unmake(original_resource.physical_resource_id, account_id, region_name)
        return cls.make(cloudformation_json["Properties"], account_id, region_name, new_resource_name)

    @classmethod
    def delete_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
    ) -> None:
        cls.unmake(resource_name, account_id, region_name)

    @classmethod
    def make(cls, properties: dict[str, Any], account: str, region: str, name: str) -> Any:
        return cls(name)

    @classmethod
    def unmake(cls, physical_id: str, account: str, region: str) -> None:
        """Nothing to undo unless a type says so."""


class BucketPolicy(_Made, CloudFormationModel):
    """moto enforces a policy put through S3; one refusing plain HTTP would refuse this very server."""

    kind = "AWS::S3::BucketPolicy"


class WaitConditionHandle(_Made, CloudFormationModel):
    kind = "AWS::CloudFormation::WaitConditionHandle"


class TopicPolicy(_Made, CloudFormationModel):
    kind = "AWS::SNS::TopicPolicy"


class ScalableTarget(_Made, CloudFormationModel):
    kind = "AWS::ApplicationAutoScaling::ScalableTarget"

    @classmethod
    def make(cls, properties: dict[str, Any], account: str, region: str, name: str) -> Any:
        applicationautoscaling_backends[account][region].register_scalable_target(
            "sagemaker",
            properties["ResourceId"],
            properties["ScalableDimension"],
            int(properties["MinCapacity"]),
            int(properties["MaxCapacity"]),
            properties.get("RoleARN", ""),
            {},  # type: ignore[arg-type]  # moto says text and gives out a structure
        )
        return cls("|".join((properties["ResourceId"], properties["ScalableDimension"], "sagemaker")))

    @classmethod
    def unmake(cls, physical_id: str, account: str, region: str) -> None:
        resource, dimension, namespace = physical_id.split("|")
        applicationautoscaling_backends[account][region].deregister_scalable_target(namespace, resource, dimension)


class ScalingPolicy(_Made, CloudFormationModel):
    kind = "AWS::ApplicationAutoScaling::ScalingPolicy"

    @classmethod
    def make(cls, properties: dict[str, Any], account: str, region: str, name: str) -> Any:
        resource = properties["ScalingTargetId"].split("|")[0]
        tracking = properties.get("TargetTrackingScalingPolicyConfiguration")
        policy = applicationautoscaling_backends[account][region].put_scaling_policy(
            properties["PolicyName"],
            "sagemaker",
            resource,
            _DIMENSION,
            tracking or properties["StepScalingPolicyConfiguration"],
            properties["PolicyType"],
        )
        return cls(f"{policy.policy_arn}|{resource}|{properties['PolicyName']}")

    @classmethod
    def unmake(cls, physical_id: str, account: str, region: str) -> None:
        _, resource, policy = physical_id.split("|")
        backend = applicationautoscaling_backends[account][region]
        backend.delete_scaling_policy(policy, "sagemaker", resource, _DIMENSION)


class Alarm(_Made, CloudFormationModel):
    kind = "AWS::CloudWatch::Alarm"

    @classmethod
    def make(cls, properties: dict[str, Any], account: str, region: str, name: str) -> Any:
        chosen = properties.get("AlarmName", name)
        cloudwatch_backends[account][region].put_metric_alarm(
            name=chosen,
            namespace=properties["Namespace"],
            metric_name=properties["MetricName"],
            comparison_operator=properties["ComparisonOperator"],
            evaluation_periods=int(properties["EvaluationPeriods"]),
            period=int(properties["Period"]),
            threshold=float(properties["Threshold"]),
            statistic=properties.get("Statistic", ""),
            description=properties.get("AlarmDescription", ""),
            dimensions=properties["Dimensions"],
            alarm_actions=properties.get("AlarmActions", []),
        )
        return cls(chosen)

    @classmethod
    def unmake(cls, physical_id: str, account: str, region: str) -> None:
        cloudwatch_backends[account][region].delete_alarms([physical_id])


class Project(_Made, CloudFormationModel):
    kind = "AWS::CodeBuild::Project"
    attributes = frozenset({"Arn"})

    @classmethod
    def make(cls, properties: dict[str, Any], account: str, region: str, name: str) -> Any:
        codebuild_backends[account][region].create_project(
            project_name=name,
            description=properties.get("Description"),
            project_source={"type": "S3", "location": "asset"},
            artifacts={"type": "NO_ARTIFACTS"},
            environment={"type": properties["Environment"]["Type"]},
            service_role=properties["ServiceRole"],
            tags=None,
            cache=None,
            timeout=None,
            queued_timeout=None,
            source_version=None,
            logs_config=None,
            vpc_config=None,
        )
        return cls(name, {"Arn": f"arn:aws:codebuild:{region}:{account}:project/{name}"})

    @classmethod
    def unmake(cls, physical_id: str, account: str, region: str) -> None:
        codebuild_backends[account][region].codebuild_projects.pop(physical_id, None)


class Runtime(_Made, CloudFormationModel):
    kind = "AWS::BedrockAgentCore::Runtime"
    attributes = frozenset({"AgentRuntimeArn", "AgentRuntimeId", "AgentRuntimeVersion", "Status"})

    @classmethod
    def make(cls, properties: dict[str, Any], account: str, region: str, name: str) -> Any:
        runtime = bedrockagentcorecontrol_backends[account][region].create_agent_runtime(
            agent_runtime_name=properties["AgentRuntimeName"],
            agent_runtime_artifact=properties["AgentRuntimeArtifact"],
            role_arn=properties["RoleArn"],
            network_configuration={"networkMode": properties["NetworkConfiguration"]["NetworkMode"]},
            description=properties.get("Description"),
            authorizer_configuration=None,
            request_header_configuration=None,
            protocol_configuration=None,
            lifecycle_configuration=None,
            environment_variables=properties.get("EnvironmentVariables"),
            tags=None,
        )
        # AWS names a runtime after what it is called.
        number = runtime.agent_runtime_id
        runtime.agent_runtime_arn = f"arn:aws:bedrock-agentcore:{region}:{account}:runtime/{number}"
        values = {"AgentRuntimeArn": runtime.agent_runtime_arn, "AgentRuntimeId": number, "AgentRuntimeVersion": "1"}
        return cls(number, values)

    @classmethod
    def unmake(cls, physical_id: str, account: str, region: str) -> None:
        bedrockagentcorecontrol_backends[account][region].delete_agent_runtime(physical_id)


class RuntimeEndpoint(_Made, CloudFormationModel):
    kind = "AWS::BedrockAgentCore::RuntimeEndpoint"
    attributes = frozenset({"AgentRuntimeEndpointArn", "EndpointName", "Id"})

    @classmethod
    def make(cls, properties: dict[str, Any], account: str, region: str, name: str) -> Any:
        runtime, called = properties["AgentRuntimeId"], properties["Name"]
        backend = bedrockagentcorecontrol_backends[account][region]
        backend.create_agent_runtime_endpoint(runtime, called, properties.get("AgentRuntimeVersion"), None, None)
        return cls(f"{runtime}|{called}", {"EndpointName": called, "Id": called})

    @classmethod
    def unmake(cls, physical_id: str, account: str, region: str) -> None:
        runtime, called = physical_id.split("|")
        # A runtime takes its endpoints with it, and moto deletes in no particular order.
        bedrockagentcorecontrol_backends[account][region].agent_runtime_endpoints.pop((runtime, called), None)
