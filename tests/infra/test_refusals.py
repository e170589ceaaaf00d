"""What cannot be done is said on one line that names what and what next, and nothing is half made."""

from pathlib import Path

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.deployments import AGENT_IMAGE, SPEECH_IMAGE
from fakes.tools import Ran, run_tool
from firstword.kokoro.assets.manifest import MODEL as MODEL_FILE

CPU = "kokoro-82m-cpu"


@pytest.fixture
def weights(tmp_path: Path) -> str:
    return f"dir:{write_set(tmp_path / 'weights')}"


def _deploy(weights: str, *more: str) -> Ran:
    return run_tool("speech-infra", "deploy", CPU, "--image-uri", SPEECH_IMAGE, "--weights", weights, "--yes", *more)


def _refused(ran: Ran, *words: str, code: int = 1) -> None:
    assert ran.code == code, ran.err
    assert ran.out == ""
    assert "Traceback" not in ran.err
    for word in words:
        assert word in ran.last_error


def _made(account: AwsCloud) -> list[str]:
    return [stack["StackName"] for stack in account.client("cloudformation").describe_stacks()["Stacks"]]


def test_an_unknown_model(account: AwsCloud) -> None:
    _refused(run_tool("speech-infra", "deploy", "kokoro-83m"), "kokoro-83m", "kokoro-82m, kokoro-82m-cpu", code=2)


def test_a_region_that_is_none(account: AwsCloud) -> None:
    _refused(run_tool("speech-infra", "list", "--region", "mars-north-1"), "mars-north-1", "us-east-1", code=2)


def test_a_profile_that_is_none(account: AwsCloud) -> None:
    _refused(run_tool("speech-infra", "list", "--profile", "nobody"), "nobody", "Known:", code=2)


def test_no_credentials(account: AwsCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    _refused(run_tool("speech-infra", "list"), "No AWS credentials", "aws sso login")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("ExpiredToken", "have expired"),
        ("InvalidClientTokenId", "does not accept"),
        ("AccessDenied", "may not call GetCallerIdentity"),
    ],
)
def test_credentials_that_do_not_serve(account: AwsCloud, code: str, words: str) -> None:
    account.script.faults["GetCallerIdentity"] = (403, code, "no")
    _refused(run_tool("speech-infra", "list"), words)


def test_an_account_without_bootstrap(account: AwsCloud, weights: str) -> None:
    account.client("ssm").delete_parameter(Name="/cdk-bootstrap/hnb659fds/version")
    _refused(_deploy(weights), "not bootstrapped", "speech-infra bootstrap")
    assert _made(account) == []


def test_a_quota_of_nothing(account: AwsCloud, weights: str) -> None:
    account.script.quotas = {f"{name} for endpoint usage": 0.0 for name in ("ml.c7i.2xlarge",)}
    _refused(_deploy(weights, "--instance-type", "ml.c7i.2xlarge"), "quota", "ml.c7i.2xlarge: 0", "Service Quotas")
    assert _made(account) == []


def test_a_quota_of_nothing_for_one_type_of_a_pool_is_no_reason_to_refuse(account: AwsCloud, weights: str) -> None:
    account.script.quotas = {"ml.c7i.2xlarge for endpoint usage": 0.0, "ml.m7i.2xlarge for endpoint usage": 4.0}
    pool = ("--instance-type", "ml.c7i.2xlarge", "--instance-type", "ml.m7i.2xlarge")
    assert _deploy(weights, *pool, "--dry-run").code == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [("ml.g5.xlarge", "runs on the CPU"), ("ml.x9.huge", "Unknown instance type"), ("c7i.2xlarge", "ml.c7i.2xlarge")],
)
def test_an_instance_type_that_does_not_fit(account: AwsCloud, weights: str, given: str, words: str) -> None:
    _refused(_deploy(weights, "--instance-type", given), words, code=2)


def test_an_endpoint_name_that_somebody_else_has(account: AwsCloud, weights: str) -> None:
    account.script.endpoint = [{"EndpointStatus": "InService"}]
    _refused(_deploy(weights), f"firstword-{CPU}", "--name-prefix")


def test_a_deployment_while_another_is_at_it(account: AwsCloud, weights: str) -> None:
    client = account.client("cloudformation")
    client.create_stack(StackName="firstword-foundation", TemplateBody='{"Resources": {}}')
    account.hold("firstword-foundation", "UPDATE_IN_PROGRESS")
    _refused(_deploy(weights), "firstword-foundation", "UPDATE_IN_PROGRESS", "Wait")


def test_no_image_builder(account: AwsCloud, weights: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run_tool("speech-infra", "deploy", CPU, "--weights", weights, "--builder", "podman", "--yes")
    _refused(ran, "podman", "--builder codebuild", code=2)


def test_an_image_builder_that_is_none(account: AwsCloud, weights: str) -> None:
    ran = run_tool("speech-infra", "deploy", CPU, "--weights", weights, "--builder", "kaniko", "--yes")
    _refused(ran, "kaniko", "auto, docker", code=2)


def test_weights_that_are_missing(account: AwsCloud, tmp_path: Path) -> None:
    _refused(_deploy(f"dir:{tmp_path / 'nowhere'}"), "holds no assets")
    assert _made(account) == []


def test_weights_of_another_precision(account: AwsCloud, weights: str) -> None:
    ran = run_tool("speech-infra", "deploy", "kokoro-82m", "--image-uri", SPEECH_IMAGE, "--weights", weights, "--yes")
    _refused(ran, "fp32", "int8", "--weights")
    assert _made(account) == []


@pytest.mark.slow
def test_weights_with_a_wrong_hash_stop_before_the_endpoint(account: AwsCloud, tmp_path: Path) -> None:
    directory = write_set(tmp_path / "weights")
    (directory / MODEL_FILE).write_bytes(b"something else")
    _refused(_deploy(f"dir:{directory}"), MODEL_FILE, "corrupt")
    assert "firstword-speech-kokoro-82m-cpu" not in _made(account)


def test_a_bedrock_model_without_access(account: AwsCloud) -> None:
    account.script.model_access = "NOT_AUTHORIZED"
    ran = run_tool(
        "agent-infra", "deploy", "--bedrock-model-id", "amazon.nova-lite-v1:0", "--image-uri", AGENT_IMAGE, "--yes"
    )
    _refused(ran, "may not use the Bedrock model", "Bedrock console")
    assert _made(account) == []


def test_a_bedrock_model_that_nobody_knows(account: AwsCloud) -> None:
    account.script.faults["GetFoundationModelAvailability"] = (404, "ResourceNotFoundException", "no")
    ran = run_tool("agent-infra", "deploy", "--bedrock-model-id", "amazon.nova-9", "--image-uri", AGENT_IMAGE, "--yes")
    _refused(ran, "knows no model 'amazon.nova-9'")


def test_an_agent_without_a_model(account: AwsCloud) -> None:
    _refused(run_tool("agent-infra", "deploy", "--image-uri", AGENT_IMAGE, "--yes"), "bedrock_model_id", code=2)


def test_an_agent_image_that_agentcore_would_not_take(account: AwsCloud) -> None:
    ran = run_tool(
        "agent-infra", "deploy", "--bedrock-model-id", "amazon.nova-lite-v1:0", "--image-uri", "python:3.12", "--yes"
    )
    _refused(ran, "python:3.12", "dkr.ecr", code=2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("region = [", "not TOML"),
        ("[speech.kokoro-82m-cpu]\nmin_instanses = 2\n", "min_instanses"),
        ("[speech.kokoro-82m-cpu]\nmin_instances = 0\n", ">= 1"),
        ("[speech.kokoro-9]\n", "kokoro-9"),
        ("colour = 1\n", "colour"),
    ],
)
def test_a_file_with_a_mistake(account: AwsCloud, weights: str, tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "deploy.toml"
    path.write_text(text)
    _refused(_deploy(weights, "--config", str(path)), words, code=2)


def test_a_prefix_that_cannot_begin_a_name(account: AwsCloud) -> None:
    _refused(run_tool("speech-infra", "list", "--name-prefix", "Big_Team"), "prefix", "hyphens", code=2)


def test_pausing_what_is_not_there(account: AwsCloud) -> None:
    _refused(run_tool("speech-infra", "pause", CPU), "not deployed", f"speech-infra deploy {CPU}", code=2)


def test_purging_what_others_use(account: AwsCloud) -> None:
    client = account.client("cloudformation")
    tags = [{"Key": "firstword:prefix", "Value": "firstword"}]
    client.create_stack(StackName="firstword-agent", TemplateBody='{"Resources": {}}', Tags=tags)
    account.client("s3").create_bucket(Bucket="firstword-models-123456789012-us-east-1")
    _refused(run_tool("speech-infra", "destroy", CPU, "--purge", "--yes"), "firstword-agent still uses it")
