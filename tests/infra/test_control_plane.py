"""Both tools through their own command lines against an AWS account on loopback, with the real CDK command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.deployments import AGENT_IMAGE, SPEECH_IMAGE
from fakes.iam import policies_of
from fakes.tools import run_tool

pytestmark = [pytest.mark.cloud, pytest.mark.timeout(600)]

DEPLOYER_POLICY = Path(__file__).parents[2] / "docs" / "guide" / "deployer-policy.json"
# Where an SDK's operation is authorized under another name, and a service under another prefix.
ACTIONS = {
    "s3:HeadBucket": "s3:ListBucket",
    "s3:HeadObject": "s3:GetObject",
    "s3:ListBucket": "s3:ListBucket",
    "s3:DeleteObjects": "s3:DeleteObjectVersion",
    "monitoring:DescribeAlarms": "cloudwatch:DescribeAlarms",
    "bedrock-agentcore:GET /runtimes/": "bedrock-agentcore:GetAgentRuntime",
    "bedrock-agentcore:POST /runtimes/": "bedrock-agentcore:ListAgentRuntimes",
}

MODEL = "kokoro-82m-cpu"
ENDPOINT = f"firstword-{MODEL}"
STACK = f"firstword-speech-{MODEL}"
SHARED = {"weights", "access-logs", "speech-images", "agent-images", "key", "agent-logs"}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"dir:{write_set(tmp_path_factory.mktemp('weights'))}"


@pytest.fixture(scope="module")
def deployed(aws: AwsCloud, weights: str) -> Any:
    """A bootstrapped account with the CPU voice and an agent on it, both deployed through their tools."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        aws.enter(monkeypatch)
        assert run_tool("speech-infra", "bootstrap", "--yes").code == 0
        voice = run_tool("speech-infra", *_voice(weights), "--yes", "--json")
        assert voice.code == 0, voice.err
        agent = run_tool("agent-infra", *_agent(), "--yes", "--json")
        assert agent.code == 0, agent.err
        yield {"voice": voice, "agent": agent}


def _voice(weights: str) -> list[str]:
    return ["deploy", MODEL, "--image-uri", SPEECH_IMAGE, "--weights", weights, "--max-instances", "4"]


def _agent() -> list[str]:
    options = ["--bedrock-model-id", "amazon.nova-lite-v1:0", "--endpoint-name", ENDPOINT]
    return ["deploy", *options, "--image-uri", AGENT_IMAGE]


def test_a_deployment_names_its_endpoint_and_tells_its_stages(deployed: Any) -> None:
    assert deployed["voice"].json["endpoint"] == ENDPOINT
    stages = [line for line in deployed["voice"].err.splitlines() if line.startswith("== ")]
    assert stages == ["== foundation and model cache", "== weights", "== image", "== endpoint"]
    assert deployed["agent"].json["runtime_arn"].startswith("arn:aws:bedrock-agentcore:us-east-1:")


def test_the_endpoint_is_really_there_with_its_scaling_and_alarms(deployed: Any, aws: AwsCloud) -> None:
    assert aws.client("sagemaker").describe_endpoint(EndpointName=ENDPOINT)["EndpointStatus"] == "InService"
    scaling = aws.client("application-autoscaling")
    (target,) = scaling.describe_scalable_targets(ServiceNamespace="sagemaker")["ScalableTargets"]
    assert (target["MinCapacity"], target["MaxCapacity"]) == (1, 4)
    assert len(scaling.describe_scaling_policies(ServiceNamespace="sagemaker")["ScalingPolicies"]) == 2
    names = {alarm["AlarmName"] for alarm in aws.client("cloudwatch").describe_alarms()["MetricAlarms"]}
    assert {f"{ENDPOINT}-errors", f"{ENDPOINT}-first-audio", f"{ENDPOINT}-full"} <= names


def test_the_weights_are_in_the_bucket_with_their_hashes(deployed: Any, aws: AwsCloud) -> None:
    uri = deployed["voice"].json["deployment"]["weights_uri"]
    bucket, _, prefix = uri.removeprefix("s3://").partition("/")
    found = aws.client("s3").list_objects_v2(Bucket=bucket, Prefix=prefix)["Contents"]
    names = {item["Key"].removeprefix(prefix) for item in found}
    assert {"manifest.json", "model.onnx", "voices/af_heart.bin"} <= names
    head = aws.client("s3").head_object(Bucket=bucket, Key=f"{prefix}model.onnx", ChecksumMode="ENABLED")
    assert head["ChecksumSHA256"]


def test_list_and_status_tell_it_as_it_is(deployed: Any) -> None:
    listed = {voice["model"]: voice["state"] for voice in run_tool("speech-infra", "list", "--json").json["voices"]}
    assert listed == {"kokoro-82m": "missing", MODEL: "in service"}
    status = run_tool("speech-infra", "status", MODEL, "--json")
    assert status.code == 0
    assert status.json["variants"][0]["current"] == 1
    assert status.json["alarms"].keys() >= {"errors", "first-audio", "full"}
    agent = run_tool("agent-infra", "status", "--json")
    assert (agent.code, agent.json["state"], agent.json["endpoint_status"]) == (0, "ready", "InService")


def test_a_status_for_people_fits_the_same_facts_in_a_table(deployed: Any) -> None:
    said = run_tool("speech-infra", "status", MODEL).out
    assert "in service" in said
    assert "ml.c7i.2xlarge" in said


def test_diff_is_empty_for_what_stands_and_names_what_would_change(deployed: Any, weights: str, tmp_path: Path) -> None:
    same = tmp_path / "same.toml"
    same.write_text(f"[speech.{MODEL}]\nmax_instances = 4\n")
    common = ["--image-uri", SPEECH_IMAGE, "--weights", weights, "--json"]
    still = run_tool("speech-infra", "diff", MODEL, "--config", str(same), *common).json["changes"]
    assert not any(still.values())
    other = tmp_path / "other.toml"
    other.write_text(f"[speech.{MODEL}]\nmax_instances = 6\nlog_retention_days = 90\n")
    changes = run_tool("speech-infra", "diff", MODEL, "--config", str(other), *common).json["changes"][STACK]
    assert {(c["type"], p) for c in changes for p in c["paths"]} == {
        ("AWS::ApplicationAutoScaling::ScalableTarget", "MaxCapacity"),
        ("AWS::Logs::LogGroup", "RetentionInDays"),
    }


def test_a_dry_run_shows_the_plan_and_changes_nothing(deployed: Any, weights: str, aws: AwsCloud) -> None:
    before = len(aws.script.calls)
    ran = run_tool("speech-infra", *_voice(weights), "--min-instances", "2", "--dry-run", "--json")
    assert ran.code == 0
    assert any(ran.json["changes"].values())
    operations = {call.operation for call in aws.script.calls[before:]}
    assert not {name for name in operations if name.startswith(("Create", "Update", "Put", "Delete", "PUT"))}


def test_weights_that_are_there_are_not_sent_again(deployed: Any, weights: str) -> None:
    ran = run_tool("speech-infra", "models", "sync", MODEL, "--weights", weights, "--json")
    assert (ran.code, ran.json["sent_files"]) == (0, 0)
    assert ran.json["kept_files"] == 55


def test_permissions_are_not_changed_without_a_yes(deployed: Any, weights: str) -> None:
    network = ["--subnet", "subnet-11111111", "--security-group", "sg-11111111"]
    ran = run_tool("speech-infra", *_voice(weights), *network)
    assert ran.code == 2
    assert "AWS::IAM::Policy" in ran.err
    assert "--yes" in ran.last_error


def test_a_new_instance_type_under_scaling_goes_in_two_phases(deployed: Any, weights: str, aws: AwsCloud) -> None:
    ran = run_tool("speech-infra", *_voice(weights), "--instance-type", "ml.c7i.4xlarge", "--yes", "--json")
    assert ran.code == 0, ran.err
    assert "scaling is taken off first" in ran.err
    finished = [line for line in ran.err.splitlines() if "UPDATE_COMPLETE" in line and STACK in line]
    assert len(finished) == 2
    status = run_tool("speech-infra", "status", MODEL, "--json").json
    assert status["variants"][0]["instance_types"] == ["ml.c7i.4xlarge"]
    targets = aws.client("application-autoscaling").describe_scalable_targets(ServiceNamespace="sagemaker")
    assert len(targets["ScalableTargets"]) == 1


def test_pause_takes_the_endpoint_and_resume_brings_it_back(deployed: Any, aws: AwsCloud) -> None:
    shown = run_tool("speech-infra", "pause", MODEL, "--dry-run", "--json").json["changes"][STACK]
    assert ("remove", "AWS::SageMaker::Endpoint") in {(change["kind"], change["type"]) for change in shown}
    assert aws.client("sagemaker").list_endpoints()["Endpoints"]
    assert run_tool("speech-infra", "pause", MODEL).code == 0
    assert aws.client("sagemaker").list_endpoints()["Endpoints"] == []
    assert aws.client("sagemaker").list_models()["Models"]
    paused = run_tool("speech-infra", "status", MODEL, "--json")
    assert (paused.code, paused.json["state"]) == (0, "paused")
    assert run_tool("speech-infra", "resume", MODEL).code == 0
    assert aws.client("sagemaker").describe_endpoint(EndpointName=ENDPOINT)["EndpointStatus"] == "InService"


def test_teardown_goes_step_by_step_names_what_stays_and_is_taken_over_by_the_next(
    deployed: Any, weights: str, aws: AwsCloud
) -> None:
    voice = run_tool("speech-infra", "destroy", MODEL, "--yes", "--json")
    assert voice.code == 0, voice.err
    assert "agent-infra destroy" in voice.err
    assert voice.json["removed"] == [STACK]
    assert voice.json["still_used_by"] == ["firstword-agent"]

    # AgentCore makes it when the runtime first says something.
    aws.client("logs").create_log_group(logGroupName="/aws/bedrock-agentcore/runtimes/firstword_agent-0123456789-live")
    agent = run_tool("agent-infra", "destroy", "--bedrock-model-id", "amazon.nova-lite-v1:0", "--yes", "--json")
    assert agent.json["removed"] == ["firstword-agent", "firstword-model-cache", "firstword-foundation"]
    assert {item["kind"] for item in agent.json["left"]} == SHARED
    commands = {item["kind"]: item["remove_with"] for item in agent.json["left"]}
    assert all(command.startswith("aws --region us-east-1 ") for command in commands.values())
    assert "kms delete-alias --alias-name alias/firstword; " in commands["key"]
    assert aws.client("bedrock-agentcore-control").list_agent_runtimes()["agentRuntimes"] == []
    assert (
        aws.client("application-autoscaling").describe_scalable_targets(ServiceNamespace="sagemaker")["ScalableTargets"]
        == []
    )

    again = run_tool("speech-infra", *_voice(weights), "--yes", "--json")
    assert again.code == 0, again.err
    gone = run_tool("speech-infra", "destroy", MODEL, "--purge", "--yes", "--json")
    assert gone.code == 0, gone.err
    assert {item["kind"] for item in gone.json["purged"]} == SHARED
    assert gone.json["left"] == []
    names = {bucket["Name"] for bucket in aws.client("s3").list_buckets()["Buckets"]}
    assert not {name for name in names if name.startswith("firstword")}
    assert aws.client("logs").describe_log_groups()["logGroups"] == []
    assert run_tool("speech-infra", "destroy", MODEL, "--yes").out.startswith("Removed: nothing was there.")


def test_the_documented_policy_of_a_deployer_covers_every_call_the_toolkit_made(deployed: Any, aws: AwsCloud) -> None:
    (policy,) = policies_of(
        {"Resources": {"Deployer": {"Type": "AWS::IAM::ManagedPolicy", "Properties": _document()}}}
    ).values()
    called = {f"{call.service}:{call.operation}" for call in aws.script.calls if call.sdk == "boto3"}
    assert len(called) > 15
    needed = {ACTIONS.get(name, name) for name in map(_without_id, called)}
    assert needed - policy.actions == set()


def _document() -> dict[str, Any]:
    return {"PolicyDocument": json.loads(DEPLOYER_POLICY.read_text())}


def _without_id(call: str) -> str:
    return call[: call.index("/runtimes/") + len("/runtimes/")] if "/runtimes/" in call else call
