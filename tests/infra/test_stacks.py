"""The stacks say what they should: properties of the templates, never generated ids."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_s3 as s3
from hypothesis import given
from hypothesis import strategies as st

from fakes.deployments import PLACE, TEARDOWN_LEFT, Assembly
from firstword.errors import InfraError
from firstword.infra.application import PlaceStack, new_app, synthesize
from firstword.infra.constructs.scaling import scale_in_threshold

SPEECH = PLACE.speech_stack("kokoro-82m")
SPEECH_CPU = PLACE.speech_stack("kokoro-82m-cpu")


def test_every_template_passes_cfn_lint(assemblies: dict[str, Assembly]) -> None:
    templates = {path.read_bytes(): path for a in assemblies.values() for path in a.directory.glob("*.template.json")}
    # W3005: the library's runtime depends on its role's policy both by reference and by name, which does no harm.
    command = [str(Path(sys.executable).with_name("cfn-lint")), "--format", "json", "--ignore-checks", "W3005"]
    files = ["--regions", "us-east-1", "--template", *map(str, templates.values())]
    lint = subprocess.run([*command, *files], capture_output=True, text=True, timeout=280)
    findings = json.loads(lint.stdout)
    # The linter's list of IAM actions is older than the bidirectional one.
    unknown = [f for f in findings if "'invokeendpointwithbidirectionalstream' is not one of" not in f["Message"]]
    assert [(f["Rule"]["Id"], f["Filename"], f["Message"][:200]) for f in unknown] == []


def test_the_rules_are_really_in_force(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    stack = PlaceStack(app, place=PLACE, name="naked", about="a bucket with nothing around it")
    s3.Bucket(stack, "Naked")
    with pytest.raises(InfraError, match="do not pass"):
        synthesize(app)
    report = json.loads((tmp_path / "validation-report.json").read_text())
    rules = {v["ruleName"] for plugin in report["pluginReports"] for v in plugin["violations"]}
    assert {"AwsSolutions-S1", "AwsSolutions-S10"} <= rules


def test_a_property_that_cloudformation_would_refuse_is_refused_here(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    stack = PlaceStack(app, place=PLACE, name="wrong", about="a type without its ml.")
    variant = {"ModelName": "m", "VariantName": "v", "InitialInstanceCount": 1, "InstanceType": "g5.xlarge"}
    cdk.CfnResource(
        stack, "Config", type="AWS::SageMaker::EndpointConfig", properties={"ProductionVariants": [variant]}
    )
    with pytest.raises(InfraError, match=r"'g5\.xlarge' is not one of"):
        synthesize(app)


def test_synthesis_needs_neither_network_nor_credentials(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path\n"
        "from firstword.infra.deployment import Place\n"
        "from firstword.infra.speech.app import synthesize_speech\n"
        f"print(synthesize_speech(Place(account='123456789012', region='us-east-1'), None, Path({str(tmp_path)!r})))"
    )
    alone = ["unshare", "--net", "--map-root-user"]
    ran = subprocess.run(
        [*alone, sys.executable, "-W", "ignore", "-c", program],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert (tmp_path / f"{PLACE.foundation_stack}.template.json").exists()


def test_no_role_has_a_fixed_name_and_none_is_an_administrator(assemblies: dict[str, Assembly]) -> None:
    for assembly in assemblies.values():
        for path in assembly.directory.glob("*.template.json"):
            for item in json.loads(path.read_text())["Resources"].values():
                if item["Type"] == "AWS::IAM::Role":
                    assert "RoleName" not in item["Properties"]
                    assert "ManagedPolicyArns" not in item["Properties"]


def test_weights_are_versioned_encrypted_kept_and_reached_over_tls_only(assemblies: dict[str, Assembly]) -> None:
    template = assemblies["gpu"].template(PLACE.cache_stack)
    buckets = [r for r in template["Resources"].values() if r["Type"] == "AWS::S3::Bucket"]
    assert all(bucket["DeletionPolicy"] == "Retain" for bucket in buckets)
    (weights,) = [b["Properties"] for b in buckets if b["Properties"]["BucketName"] == PLACE.weights_bucket]
    assert weights["VersioningConfiguration"] == {"Status": "Enabled"}
    rule = weights["BucketEncryption"]["ServerSideEncryptionConfiguration"][0]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert all(weights["PublicAccessBlockConfiguration"].values())
    policies = assemblies["gpu"].resources(PLACE.cache_stack, "AWS::S3::BucketPolicy")
    denials = [s for p in policies for s in p["PolicyDocument"]["Statement"] if s["Effect"] == "Deny"]
    assert [d["Condition"] for d in denials] == [{"Bool": {"aws:SecureTransport": "false"}}] * 2


def test_image_repositories_scan_refuse_moved_tags_and_stay(assemblies: dict[str, Assembly]) -> None:
    found = assemblies["gpu"].template(PLACE.foundation_stack)["Resources"].values()
    repositories = [item for item in found if item["Type"] == "AWS::ECR::Repository"]
    assert len(repositories) == 2
    for item in repositories:
        assert item["DeletionPolicy"] == "Retain"
        assert item["Properties"]["ImageTagMutability"] == "IMMUTABLE"
        assert item["Properties"]["ImageScanningConfiguration"] == {"ScanOnPush": True}
        assert item["Properties"]["EncryptionConfiguration"]["EncryptionType"] == "KMS"


def test_what_a_teardown_left_is_taken_over_and_not_made_again(assemblies: dict[str, Assembly]) -> None:
    place = TEARDOWN_LEFT
    stacks = (place.foundation_stack, place.cache_stack)
    kinds = {r["Type"] for s in stacks for r in assemblies["adopted"].template(s)["Resources"].values()}
    assert not kinds & {"AWS::S3::Bucket", "AWS::ECR::Repository", "AWS::KMS::Key", "AWS::KMS::Alias"}


def _variant(assembly: Assembly, stack: str) -> dict[str, Any]:
    (variant,) = assembly.only(stack, "AWS::SageMaker::EndpointConfig")["ProductionVariants"]
    result: dict[str, Any] = variant
    return result


def test_the_gpu_voice_runs_on_one_type_with_a_driver_new_enough(assemblies: dict[str, Assembly]) -> None:
    variant = _variant(assemblies["gpu"], SPEECH)
    assert variant["InstanceType"] == "ml.g5.xlarge"
    assert variant["InferenceAmiVersion"] == "al2023-ami-sagemaker-inference-gpu-4-1"
    assert variant["RoutingConfig"] == {"RoutingStrategy": "LEAST_OUTSTANDING_REQUESTS"}
    assert "VolumeSizeInGB" not in variant
    config = assemblies["gpu"].only(SPEECH, "AWS::SageMaker::EndpointConfig")
    assert "KmsKeyId" not in config
    assert config["MetricsConfig"]["EnableDetailedObservability"] is True


def test_a_pool_replaces_the_type_in_the_order_given(assemblies: dict[str, Assembly]) -> None:
    variant = _variant(assemblies["gpu-pool"], SPEECH)
    assert "InstanceType" not in variant
    assert [(p["Priority"], p["InstanceType"]) for p in variant["InstancePools"]] == [
        (1, "ml.g6.xlarge"),
        (2, "ml.g5.xlarge"),
        (3, "ml.g4dn.xlarge"),
    ]


def test_the_cpu_voice_has_a_pool_an_encrypted_volume_and_no_gpu_image(assemblies: dict[str, Assembly]) -> None:
    variant = _variant(assemblies["cpu"], SPEECH_CPU)
    assert variant["InstancePools"][0]["InstanceType"] == "ml.c7i.2xlarge"
    assert "InferenceAmiVersion" not in variant
    assert variant["VolumeSizeInGB"] == 30
    assert "KmsKeyId" in assemblies["cpu"].only(SPEECH_CPU, "AWS::SageMaker::EndpointConfig")
    assert "KmsKeyId" not in assemblies["cpu-plain-volume"].only(SPEECH_CPU, "AWS::SageMaker::EndpointConfig")


def test_the_model_reads_its_weights_from_a_prefix_and_never_from_a_tar(assemblies: dict[str, Assembly]) -> None:
    model = assemblies["gpu"].only(SPEECH, "AWS::SageMaker::Model")
    source = model["PrimaryContainer"]["ModelDataSource"]["S3DataSource"]
    assert source["CompressionType"] == "None"
    assert source["S3Uri"].endswith("/")
    assert model["PrimaryContainer"]["Environment"]["FIRSTWORD_VOICE_BACKEND"] == "cuda"
    assert "VpcConfig" not in model


def test_a_closed_voice_has_subnets_isolation_and_only_then_the_right_to_interfaces(
    assemblies: dict[str, Assembly],
) -> None:
    model = assemblies["gpu-closed"].only(SPEECH, "AWS::SageMaker::Model")
    assert model["EnableNetworkIsolation"] is True
    assert len(model["VpcConfig"]["Subnets"]) == 2
    assert assemblies["gpu-closed"].resources(SPEECH, "AWS::IAM::Policy")
    assert not assemblies["gpu"].resources(SPEECH, "AWS::IAM::Policy")


def test_an_update_rolls_back_by_itself_and_keeps_the_live_count(assemblies: dict[str, Assembly]) -> None:
    for name, routing in (("gpu", "ALL_AT_ONCE"), ("gpu-fleet", "CANARY")):
        endpoint = assemblies[name].only(SPEECH, "AWS::SageMaker::Endpoint")
        assert endpoint["RetainAllVariantProperties"] is True
        deployment = endpoint["DeploymentConfig"]
        shift = deployment["BlueGreenUpdatePolicy"]["TrafficRoutingConfiguration"]
        assert shift["Type"] == routing
        # SageMaker's call requires it, whatever the type; CloudFormation's schema does not say so.
        assert isinstance(shift["WaitIntervalInSeconds"], int)
        alarms = {
            a["AlarmName"] for a in assemblies[name].resources(SPEECH, "AWS::CloudWatch::Alarm") if "AlarmName" in a
        }
        assert {a["AlarmName"] for a in deployment["AutoRollbackConfiguration"]["Alarms"]} <= alarms


def test_alarms_reach_the_topic_and_an_address_when_one_is_given(assemblies: dict[str, Assembly]) -> None:
    alarms = assemblies["gpu-fleet"].resources(SPEECH, "AWS::CloudWatch::Alarm")
    named = {alarm["AlarmName"]: alarm for alarm in alarms if "AlarmName" in alarm}
    assert {name.removeprefix("firstword-kokoro-82m-") for name in named} == {"errors", "first-audio", "full"}
    assert all(alarm["AlarmActions"] and alarm["OKActions"] for alarm in named.values())
    assert assemblies["gpu-fleet"].only(SPEECH, "AWS::SNS::Subscription")["Endpoint"] == "oncall@example.com"
    assert not assemblies["gpu"].resources(SPEECH, "AWS::SNS::Subscription")


def test_the_fleet_grows_by_open_streams_and_shrinks_when_silent(assemblies: dict[str, Assembly]) -> None:
    policies = assemblies["gpu-fleet"].resources(SPEECH, "AWS::ApplicationAutoScaling::ScalingPolicy")
    (out,) = [
        p["TargetTrackingScalingPolicyConfiguration"] for p in policies if p["PolicyType"] == "TargetTrackingScaling"
    ]
    metric = out["PredefinedMetricSpecification"]["PredefinedMetricType"]
    assert metric == "SageMakerVariantConcurrentRequestsPerModelHighResolution"
    assert out["DisableScaleIn"] is True
    (step,) = [p["StepScalingPolicyConfiguration"] for p in policies if p["PolicyType"] == "StepScaling"]
    assert step["StepAdjustments"] == [{"MetricIntervalUpperBound": 0, "ScalingAdjustment": -1}]
    alarms = assemblies["gpu-fleet"].resources(SPEECH, "AWS::CloudWatch::Alarm")
    (idle,) = [alarm for alarm in alarms if "AlarmName" not in alarm]
    assert idle["TreatMissingData"] == "breaching"
    assert idle["Threshold"] == scale_in_threshold(8)
    target = assemblies["gpu-fleet"].only(SPEECH, "AWS::ApplicationAutoScaling::ScalableTarget")
    assert (target["MinCapacity"], target["MaxCapacity"]) == (2, 8)


@given(
    target=st.floats(min_value=0.5, max_value=500),
    instances=st.integers(min_value=2, max_value=100),
    share=st.floats(min_value=0, max_value=0.999),
)
def test_an_instance_taken_away_is_never_asked_back_for_the_same_load(
    target: float, instances: int, share: float
) -> None:
    load = share * scale_in_threshold(target)
    assert load * instances / (instances - 1) < target


def test_a_fleet_of_fixed_size_takes_the_size_it_is_given(assemblies: dict[str, Assembly]) -> None:
    endpoint = assemblies["gpu-fixed"].only(SPEECH, "AWS::SageMaker::Endpoint")
    assert endpoint["RetainAllVariantProperties"] is False


def test_an_image_of_another_repository_may_be_pulled_by_the_voice_that_runs_it(
    assemblies: dict[str, Assembly],
) -> None:
    (policy,) = assemblies["gpu-other-image"].resources(SPEECH, "AWS::IAM::Policy")
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert statement["Resource"] == f"arn:aws:ecr:us-east-1:{PLACE.account}:repository/mine/voice"
    assert "ecr:BatchGetImage" in statement["Action"]


@pytest.mark.parametrize("name", ["gpu-fixed", "gpu-paused"])
def test_no_scaling_is_made_where_none_is_wanted(assemblies: dict[str, Assembly], name: str) -> None:
    assert not assemblies[name].resources(SPEECH, "AWS::ApplicationAutoScaling::ScalableTarget")


def test_a_paused_voice_keeps_model_and_configuration_and_nothing_that_costs(assemblies: dict[str, Assembly]) -> None:
    kinds = {r["Type"] for r in assemblies["gpu-paused"].template(SPEECH)["Resources"].values()}
    assert kinds == {"AWS::Logs::LogGroup", "AWS::SageMaker::Model", "AWS::SageMaker::EndpointConfig"}


def test_logs_end_and_the_container_cannot_bring_their_group_back(assemblies: dict[str, Assembly]) -> None:
    group = assemblies["gpu"].only(SPEECH, "AWS::Logs::LogGroup")
    assert group["RetentionInDays"] == 30
    policies = json.dumps(assemblies["gpu"].resources(PLACE.foundation_stack, "AWS::IAM::Policy"))
    assert "logs:CreateLogGroup" not in policies


def test_the_agent_runs_its_image_with_one_model_and_one_voice(assemblies: dict[str, Assembly]) -> None:
    runtime = assemblies["agent"].only(PLACE.agent_stack, "AWS::BedrockAgentCore::Runtime")
    assert runtime["AgentRuntimeName"] == "firstword_agent"
    assert runtime["EnvironmentVariables"]["FIRSTWORD_AGENT_SPEECH"] == "endpoint:firstword-kokoro-82m"
    assert runtime["NetworkConfiguration"] == {"NetworkMode": "PUBLIC"}
    closed = assemblies["agent-closed"].only(PLACE.agent_stack, "AWS::BedrockAgentCore::Runtime")
    assert closed["NetworkConfiguration"]["NetworkMode"] == "VPC"
    zipped = assemblies["agent-zip"].only(PLACE.agent_stack, "AWS::BedrockAgentCore::Runtime")
    assert zipped["AgentRuntimeArtifact"]["CodeConfiguration"]["Runtime"] == "PYTHON_3_12"


def test_the_endpoint_of_the_agent_follows_its_newest_version(assemblies: dict[str, Assembly]) -> None:
    endpoint = assemblies["agent"].only(PLACE.agent_stack, "AWS::BedrockAgentCore::RuntimeEndpoint")
    assert endpoint["AgentRuntimeVersion"]["Fn::GetAtt"][1] == "AgentRuntimeVersion"


def test_the_foundation_is_the_same_whoever_is_deployed_beside_it(assemblies: dict[str, Assembly]) -> None:
    names = ("gpu", "gpu-closed", "gpu-paused", "cpu", "agent", "agent-zip")
    texts = {json.dumps(assemblies[name].template(PLACE.foundation_stack), sort_keys=True) for name in names}
    assert len(texts) == 1
