"""What cannot be done is said on one line that names what and what next, and nothing is half made."""

from pathlib import Path

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.deployments import AGENT_IMAGE, SPEECH_IMAGE
from fakes.tools import Ran, run_tool
from firstword.infra.instances import INSTANCES
from firstword.kokoro.assets.manifest import MODEL as MODEL_FILE

CPU = "kokoro-82m-cpu"
SIGN_IN = "Sign in (aws sso login, aws configure), or name a profile with --profile."
COPY_IT = "Copy the directory that firstword models path names, all of it."


@pytest.fixture
def weights(tmp_path: Path) -> str:
    return f"dir:{write_set(tmp_path / 'weights')}"


def _deploy(weights: str, *more: str) -> Ran:
    return run_tool("speech-infra", "deploy", CPU, "--image-uri", SPEECH_IMAGE, "--weights", weights, "--yes", *more)


def _refused(ran: Ran, line: str, *, code: int = 1) -> None:
    """Refused with `line` as the last, after the command's name, and with nothing on stdout."""
    assert (ran.code, ran.out) == (code, "")
    assert "Traceback" not in ran.err
    assert ran.last_error.partition(": ")[2] == line


def _made(account: AwsCloud) -> list[str]:
    return [stack["StackName"] for stack in account.client("cloudformation").describe_stacks()["Stacks"]]


def test_an_unknown_model(account: AwsCloud) -> None:
    ran = run_tool("speech-infra", "deploy", "kokoro-83m")
    _refused(ran, "Unknown model 'kokoro-83m'. One of: kokoro-82m, kokoro-82m-cpu.", code=2)


def test_a_region_that_is_none(account: AwsCloud) -> None:
    ran = run_tool("speech-infra", "list", "--region", "mars-north-1")
    _refused(ran, "'mars-north-1' is no region with SageMaker. Pass one such as us-east-1.", code=2)


def test_a_profile_that_is_none(account: AwsCloud) -> None:
    ran = run_tool("speech-infra", "list", "--profile", "nobody")
    _refused(ran, "There is no AWS profile 'nobody'. Known: none.", code=2)


def test_no_credentials(account: AwsCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    _refused(run_tool("speech-infra", "list"), f"No AWS credentials were found. {SIGN_IN}")


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("ExpiredToken", f"The AWS credentials have expired. {SIGN_IN}"),
        ("InvalidClientTokenId", f"AWS does not accept these credentials. {SIGN_IN}"),
        ("AccessDenied", "You may not call GetCallerIdentity. docs/guide/deploy.md lists what a deployer needs."),
    ],
)
def test_credentials_that_do_not_serve(account: AwsCloud, code: str, line: str) -> None:
    account.script.faults["GetCallerIdentity"] = (403, code, "no")
    _refused(run_tool("speech-infra", "list"), line)


def test_an_account_without_bootstrap(account: AwsCloud, weights: str) -> None:
    account.client("ssm").delete_parameter(Name="/cdk-bootstrap/hnb659fds/version")
    where = "aws://123456789012/us-east-1"
    _refused(_deploy(weights), f"{where} is not bootstrapped for the CDK. Run speech-infra bootstrap once.")
    assert _made(account) == []


def test_a_quota_of_nothing(account: AwsCloud, weights: str) -> None:
    account.script.quotas = {f"{name} for endpoint usage": 0.0 for name in ("ml.c7i.2xlarge",)}
    _refused(
        _deploy(weights, "--instance-type", "ml.c7i.2xlarge"),
        "The account's quota is too small for 1 instance(s) (ml.c7i.2xlarge: 0). "
        "Ask Service Quotas for '<type> for endpoint usage', or choose another --instance-type.",
    )
    assert _made(account) == []


def test_a_quota_of_nothing_for_one_type_of_a_pool_is_no_reason_to_refuse(account: AwsCloud, weights: str) -> None:
    account.script.quotas = {"ml.c7i.2xlarge for endpoint usage": 0.0, "ml.m7i.2xlarge for endpoint usage": 4.0}
    pool = ("--instance-type", "ml.c7i.2xlarge", "--instance-type", "ml.m7i.2xlarge")
    assert _deploy(weights, *pool, "--dry-run").code == 0


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            "ml.g5.xlarge",
            f"ml.g5.xlarge has a GPU and {CPU} runs on the CPU. "
            "Choose from: ml.c7i.2xlarge, ml.m7i.2xlarge, ml.c6i.2xlarge.",
        ),
        ("ml.x9.huge", f"Unknown instance type 'ml.x9.huge'. One of: {', '.join(INSTANCES)}."),
        ("c7i.2xlarge", "Unknown instance type 'c7i.2xlarge'. SageMaker calls it ml.c7i.2xlarge."),
    ],
)
def test_an_instance_type_that_does_not_fit(account: AwsCloud, weights: str, given: str, line: str) -> None:
    _refused(_deploy(weights, "--instance-type", given), line, code=2)


def test_an_endpoint_name_that_somebody_else_has(account: AwsCloud, weights: str) -> None:
    account.script.endpoint = [{"EndpointStatus": "InService"}]
    exists = f"An endpoint firstword-{CPU} exists that this tool did not make."
    _refused(_deploy(weights), f"{exists} Remove it, or pass another --name-prefix.")


def test_a_deployment_while_another_is_at_it(account: AwsCloud, weights: str) -> None:
    client = account.client("cloudformation")
    client.create_stack(StackName="firstword-foundation", TemplateBody='{"Resources": {}}')
    account.hold("firstword-foundation", "UPDATE_IN_PROGRESS")
    changing = "firstword-foundation is being changed right now (UPDATE_IN_PROGRESS)."
    _refused(_deploy(weights), f"{changing} Wait until it is done; status shows it.")


def test_no_image_builder(account: AwsCloud, weights: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run_tool("speech-infra", "deploy", CPU, "--weights", weights, "--builder", "podman", "--yes")
    help_it = "Start or install it, or pass --builder codebuild to build in AWS."
    _refused(ran, f"podman is not here or does not run. {help_it}", code=2)


def test_an_image_builder_that_is_none(account: AwsCloud, weights: str) -> None:
    ran = run_tool("speech-infra", "deploy", CPU, "--weights", weights, "--builder", "kaniko", "--yes")
    known = "auto, docker, podman, finch, buildah, codebuild, image-uri"
    _refused(ran, f"There is no builder 'kaniko'. One of: {known}.", code=2)


def test_weights_that_are_missing(account: AwsCloud, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    line = f"{nowhere} holds no assets: its manifest.json cannot be read. {COPY_IT}"
    _refused(_deploy(f"dir:{nowhere}"), line)
    assert _made(account) == []


def test_weights_of_another_precision(account: AwsCloud, weights: str) -> None:
    ran = run_tool("speech-infra", "deploy", "kokoro-82m", "--image-uri", SPEECH_IMAGE, "--weights", weights, "--yes")
    _refused(
        ran,
        "kokoro-82m runs fp32 weights and this source holds int8. "
        "Pass --weights with a source that has them (hub, dir:PATH or s3://BUCKET/PREFIX).",
    )
    assert _made(account) == []


def test_weights_with_a_wrong_hash_stop_before_anything_is_made(account: AwsCloud, tmp_path: Path) -> None:
    directory = write_set(tmp_path / "weights")
    (directory / MODEL_FILE).write_bytes(b"something else")
    _refused(_deploy(f"dir:{directory}"), f"{directory} holds {MODEL_FILE} missing or corrupt. {COPY_IT}")
    assert _made(account) == []


def test_a_bedrock_model_without_access(account: AwsCloud) -> None:
    account.script.model_access = "NOT_AUTHORIZED"
    ran = run_tool(
        "agent-infra", "deploy", "--bedrock-model-id", "amazon.nova-lite-v1:0", "--image-uri", AGENT_IMAGE, "--yes"
    )
    _refused(
        ran,
        "The account may not use the Bedrock model 'amazon.nova-lite-v1:0' in us-east-1. "
        "Ask for access in the Bedrock console, or choose another --bedrock-model-id.",
    )
    assert _made(account) == []


def test_a_bedrock_model_that_nobody_knows(account: AwsCloud) -> None:
    account.script.faults["GetFoundationModelAvailability"] = (404, "ResourceNotFoundException", "no")
    ran = run_tool("agent-infra", "deploy", "--bedrock-model-id", "amazon.nova-9", "--image-uri", AGENT_IMAGE, "--yes")
    _refused(
        ran,
        "Bedrock knows no model 'amazon.nova-9' in us-east-1. "
        "aws bedrock list-foundation-models and list-inference-profiles show the ids.",
    )


def test_an_agent_without_a_model(account: AwsCloud) -> None:
    ran = run_tool("agent-infra", "deploy", "--image-uri", AGENT_IMAGE, "--yes")
    missing = "agent: Object missing required field `bedrock_model_id`."
    _refused(ran, f"{missing} docs/guide/deploy.md lists the options.", code=2)


def test_an_agent_image_that_agentcore_would_not_take(account: AwsCloud) -> None:
    ran = run_tool(
        "agent-infra", "deploy", "--bedrock-model-id", "amazon.nova-lite-v1:0", "--image-uri", "python:3.12", "--yes"
    )
    takes = "AgentCore takes ACCOUNT.dkr.ecr.REGION.amazonaws.com/NAME:TAG."
    _refused(ran, f"'python:3.12' is no image of a private ECR repository. {takes}", code=2)


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
    ran = _deploy(weights, "--config", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.last_error


def test_a_prefix_that_cannot_begin_a_name(account: AwsCloud) -> None:
    ran = run_tool("speech-infra", "list", "--name-prefix", "Big_Team")
    assert (ran.code, ran.out) == (2, "")
    assert "`$.prefix`" in ran.last_error
    assert ran.last_error.endswith("A prefix is 2 to 20 lower-case letters, digits and hyphens.")


def test_pausing_what_is_not_there(account: AwsCloud) -> None:
    _refused(run_tool("speech-infra", "pause", CPU), f"{CPU} is not deployed. Run speech-infra deploy {CPU}.", code=2)


def test_purging_what_others_use(account: AwsCloud) -> None:
    client = account.client("cloudformation")
    tags = [{"Key": "firstword:prefix", "Value": "firstword"}]
    client.create_stack(StackName="firstword-agent", TemplateBody='{"Resources": {}}', Tags=tags)
    account.client("s3").create_bucket(Bucket="firstword-models-123456789012-us-east-1")
    ran = run_tool("speech-infra", "destroy", CPU, "--purge", "--yes")
    _refused(ran, "Nothing was purged: firstword-agent still uses it. Remove those first.")
