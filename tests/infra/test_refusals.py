"""What cannot be done is said on one line that names what and what next, and nothing is half made."""

import re
from pathlib import Path
from typing import Literal

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.aws_cloud.answers import fitting_image
from fakes.deployments import AGENT_IMAGE, SPEECH_IMAGE
from fakes.tools import Ran, run_tool
from firstword.infra.instances import INSTANCES
from firstword.kokoro.assets.manifest import MODEL as MODEL_FILE

CPU = "kokoro-82m-cpu"
AGENT: tuple[Literal["agent-infra"], str, str] = ("agent-infra", "deploy", "--bedrock-model-id")
SIGN_IN = "Sign in (aws sso login, aws configure), or name a profile with --profile."
GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "deploy.md"
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


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("RequestTimeTooSkewed", "The difference between the request time and the current time is too large."),
        ("SignatureDoesNotMatch", "Signature expired: 20261130T100000Z is now earlier than 20261130T110000Z"),
    ],
)
def test_a_clock_that_is_wrong(account: AwsCloud, code: str, message: str) -> None:
    account.script.faults["GetCallerIdentity"] = (403, code, message)
    _refused(run_tool("speech-infra", "list"), "This machine's clock is wrong: AWS refuses its signatures. Set it.")


@pytest.mark.parametrize(
    ("name", "value", "line", "code"),
    [
        ("HTTP_PROXY", "http://127.0.0.1:9", "The proxy could not be reached. Check HTTPS_PROXY and NO_PROXY.", 1),
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9", "AWS could not be reached. Check the network and the region.", 1),
        ("AWS_ENDPOINT_URL", "nowhere", "AWS_ENDPOINT_URL, or the endpoint_url of the profile, is no address.", 2),
        ("AWS_PROFILE", "nobody", "There is no AWS profile 'nobody'. Known: none.", 2),
    ],
)
def test_an_environment_in_which_no_call_arrives(
    account: AwsCloud, monkeypatch: pytest.MonkeyPatch, name: str, value: str, line: str, code: int
) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv(name, value)
    _refused(run_tool("speech-infra", "list"), line, code=code)


def test_aws_settings_that_cannot_be_read_or_give_no_credentials(
    account: AwsCloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "config"
    monkeypatch.setenv("AWS_CONFIG_FILE", str(path))
    path.write_text("no settings [")
    _refused(run_tool("speech-infra", "list"), f"{path} is no file of AWS settings. Mend it.", code=2)
    path.write_text("[profile away]\nregion = us-east-1\ncredential_process = /bin/false\n")
    ran = run_tool("speech-infra", "list", "--profile", "away")
    _refused(ran, f"The AWS sign-in has expired or does not give credentials. {SIGN_IN}")


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


def test_a_quota_that_no_account_was_given_by_default(account: AwsCloud, weights: str) -> None:
    """Service Quotas leaves it out of the account's own list then."""
    account.script.default_quotas = {"ml.c7i.2xlarge for endpoint usage": 0.0}
    ran = _deploy(weights, "--instance-type", "ml.c7i.2xlarge")
    assert "The account's quota is too small for 1 instance(s) (ml.c7i.2xlarge: 0)." in ran.last_error


def test_a_quota_that_is_too_small_for_later_is_told_beforehand(account: AwsCloud, weights: str) -> None:
    account.script.quotas = {"ml.c7i.2xlarge for endpoint usage": 3.0}
    options = ("--instance-type", "ml.c7i.2xlarge", "--max-instances", "4", "--dry-run")
    said = " ".join(_deploy(weights, *options).err.split())
    assert "the quota (ml.c7i.2xlarge: 3) is below 4 instances" in said
    said = " ".join(_deploy(weights, "--instance-type", "ml.m7i.2xlarge", "--dry-run").err.split())
    assert "Service Quotas names no ml.m7i.2xlarge in us-east-1: it may not be offered there" in said


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


def test_an_endpoint_that_is_still_changing(account: AwsCloud, weights: str) -> None:
    _stack(account, f"firstword-speech-{CPU}", "CREATE_COMPLETE")
    account.script.endpoint = [{"EndpointStatus": "Updating"}]
    changing = f"The endpoint firstword-{CPU} is Updating and takes no change."
    _refused(_deploy(weights), f"{changing} Wait until it is done; speech-infra status {CPU} shows it.")


def _stack(account: AwsCloud, name: str, status: str, prefix: str = "firstword") -> None:
    tags = [{"Key": "firstword:prefix", "Value": prefix}]
    account.client("cloudformation").create_stack(StackName=name, TemplateBody='{"Resources": {}}', Tags=tags)
    account.hold(name, status)


@pytest.mark.parametrize(
    ("status", "command"),
    [
        ("UPDATE_ROLLBACK_FAILED", "continue-update-rollback"),
        ("DELETE_FAILED", "delete-stack"),
        ("REVIEW_IN_PROGRESS", "delete-stack"),
    ],
)
def test_a_stack_that_cloudformation_will_not_change(
    account: AwsCloud, weights: str, status: str, command: str
) -> None:
    _stack(account, "firstword-foundation", status)
    run = f"First run aws cloudformation {command} --stack-name firstword-foundation --region us-east-1."
    _refused(_deploy(weights), f"firstword-foundation is {status} and takes no change. {run}")


def test_stacks_of_our_names_that_somebody_else_made(account: AwsCloud, weights: str) -> None:
    _stack(account, "firstword-foundation", "CREATE_COMPLETE", prefix="theirs")
    exists = "A stack firstword-foundation exists that this tool did not make."
    _refused(_deploy(weights), f"{exists} Remove it, or pass another --name-prefix.")
    _stack(account, f"firstword-speech-{CPU}", "CREATE_COMPLETE", prefix="theirs")
    ran = run_tool("speech-infra", "destroy", CPU, "--yes")
    _refused(
        ran,
        f"A stack firstword-speech-{CPU} exists that this tool did not make. Remove it, or pass another --name-prefix.",
    )
    assert sorted(_made(account)) == ["firstword-foundation", f"firstword-speech-{CPU}"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"architecture": "arm64"}, "is for linux/arm64, and these instances run linux/amd64. Build it for that."),
        (
            {"config": {"Labels": None}},
            "lacks the label com.amazonaws.sagemaker.capabilities.bidirectional-streaming=true: no session would open. "
            "Build it from firstword's Dockerfile.",
        ),
    ],
)
def test_a_speech_image_that_would_not_serve(
    account: AwsCloud, weights: str, change: dict[str, object], line: str
) -> None:
    account.script.configuration = lambda repository: fitting_image(repository) | change
    _refused(_deploy(weights), f"{SPEECH_IMAGE} {line}")
    assert _made(account) == []


def test_a_speech_image_of_the_wrong_kind_or_place_or_none(account: AwsCloud, weights: str) -> None:
    account.script.manifest = "application/vnd.oci.image.manifest.v1+json"
    ran = _deploy(weights)
    assert (ran.code, "which SageMaker does not take" in ran.last_error) == (1, True)
    account.script.configuration = lambda repository: None
    hint = "Push it first, or leave --image-uri out to have one built."
    _refused(_deploy(weights), f"There is no image {SPEECH_IMAGE}. {hint}")
    elsewhere = SPEECH_IMAGE.replace("us-east-1", "eu-west-1")
    ran = run_tool("speech-infra", "deploy", CPU, "--image-uri", elsewhere, "--weights", weights, "--yes")
    assert (ran.code, "is in eu-west-1" in ran.last_error) == (2, True)
    ran = run_tool("speech-infra", "deploy", CPU, "--image-uri", "python:3.12", "--weights", weights, "--yes")
    takes = "SageMaker takes ACCOUNT.dkr.ecr.REGION.amazonaws.com/NAME:TAG."
    _refused(ran, f"'python:3.12' is no image of a private ECR repository. {takes}", code=2)
    assert _made(account) == []


def test_an_image_that_may_not_be_looked_at_is_taken_at_its_word(account: AwsCloud, weights: str) -> None:
    account.script.faults["BatchGetImage"] = (400, "AccessDeniedException", "no")
    ran = _deploy(weights, "--dry-run", "--json")
    assert ran.code == 0
    assert "the image could not be looked at beforehand (You may not call BatchGetImage)" in ran.err


def test_an_agent_image_for_another_kind_of_machine(account: AwsCloud) -> None:
    account.script.configuration = lambda repository: fitting_image(repository) | {"architecture": "amd64"}
    ran = run_tool(*AGENT, "amazon.nova-lite-v1:0", "--image-uri", AGENT_IMAGE, "--yes")
    runs = f"{AGENT_IMAGE} is for linux/amd64, and AgentCore runs linux/arm64."
    _refused(ran, f"{runs} Build it with --platform linux/arm64.")
    assert _made(account) == []


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
        "The account may not use the Bedrock model 'amazon.nova-lite-v1:0' in us-east-1 (not authorized). "
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


def test_a_bedrock_model_that_runs_through_a_profile_only(account: AwsCloud) -> None:
    account.script.model = {"inferenceTypesSupported": ["INFERENCE_PROFILE"]}
    ran = run_tool(*AGENT, "anthropic.claude-9", "--image-uri", AGENT_IMAGE, "--yes")
    shows = "aws bedrock list-foundation-models and list-inference-profiles show the ids."
    only = "Bedrock runs 'anthropic.claude-9' through an inference profile only."
    _refused(ran, f"{only} Pass its id, such as us.anthropic.claude-9; {shows}")


def test_an_inference_profile_is_asked_for_by_its_own_name(account: AwsCloud) -> None:
    profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/0123456789ab"
    ran = run_tool(*AGENT, profile, "--image-uri", AGENT_IMAGE, "--yes", "--dry-run")
    assert ran.code == 0, ran.err
    asked = {call.operation for call in account.script.calls if call.service == "bedrock"}
    assert asked == {"GetInferenceProfile", "GetFoundationModelAvailability"}
    account.script.faults["GetInferenceProfile"] = (404, "ResourceNotFoundException", "no")
    ran = run_tool(*AGENT, "eu.amazon.nova-lite-v1:0", "--image-uri", AGENT_IMAGE, "--yes")
    assert "Bedrock knows no model 'eu.amazon.nova-lite-v1:0' in us-east-1." in ran.last_error


def test_an_agent_without_a_model(account: AwsCloud) -> None:
    ran = run_tool("agent-infra", "deploy", "--image-uri", AGENT_IMAGE, "--yes")
    needs = "An agent needs a Bedrock model."
    _refused(ran, f"{needs} Pass --bedrock-model-id, such as us.amazon.nova-lite-v1:0.", code=2)


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


def test_a_subnet_that_is_none(account: AwsCloud, weights: str) -> None:
    ran = _deploy(weights, "--subnet", "subnet-1", "--security-group", "sg-0c1d2e3f")
    assert (ran.code, ran.out) == (2, "")
    assert "`$.network.subnets[0]`" in ran.last_error


def test_the_example_of_the_guide_is_one_that_works(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    path = tmp_path / "deploy.toml"
    path.write_text(example)
    where = ["--account", "123456789012", "--config", str(path), "--output", str(tmp_path / "out"), "--json"]
    voice = run_tool("speech-infra", "synth", "kokoro-82m", *where)
    assert voice.code == 0, voice.err
    assert voice.json["stacks"] == ["team-a-foundation", "team-a-model-cache", "team-a-speech-kokoro-82m"]
    agent = run_tool("agent-infra", "synth", *where)
    assert agent.code == 0, agent.err
    assert agent.json["stacks"] == ["team-a-foundation", "team-a-agent"]


def test_templates_where_nothing_can_be_written(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    where = ["--account", "123456789012", "--region", "us-east-1", "--output", str(taken)]
    ran = run_tool("speech-infra", "synth", CPU, *where)
    _refused(ran, f"{taken} cannot be written to. Pass another --output.")


def test_an_environment_that_sagemaker_would_not_take(account: AwsCloud, weights: str, tmp_path: Path) -> None:
    path = tmp_path / "deploy.toml"
    variables = "\n".join(f"V{number} = {'x' * 1000!r}" for number in range(35))
    path.write_text(f"[speech.{CPU}.environment]\n{variables}\n")
    ran = _deploy(weights, "--config", str(path))
    _refused(ran, "The environment is above 31 KiB; SageMaker takes 32 with ours.", code=2)


def test_logs_for_a_program_that_never_end(account: AwsCloud) -> None:
    ran = run_tool("speech-infra", "logs", CPU, "--json", "--follow")
    _refused(ran, "--json is one answer and --follow never ends: pass one of them.", code=2)


@pytest.mark.parametrize("prefix", ["Big_Team", "a", "team-", "te--am", "9team", "t" * 21])
def test_a_prefix_that_cannot_begin_a_name(account: AwsCloud, prefix: str) -> None:
    ran = run_tool("speech-infra", "list", "--name-prefix", prefix)
    help_it = "A prefix is 2 to 20 lower-case letters, digits and single hyphens: a letter first, no hyphen last."
    _refused(ran, f"{prefix!r} cannot begin a name. {help_it}", code=2)


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        ("--account", "12345", "'12345' is no account. Pass another --account."),
        ("--region", "Mars", "'Mars' is no region. Pass another --region."),
    ],
)
def test_templates_for_no_place_that_could_be(option: str, value: str, line: str, tmp_path: Path) -> None:
    where = {"--account": "123456789012", "--region": "us-east-1", "--output": str(tmp_path / "out")} | {option: value}
    ran = run_tool("speech-infra", "synth", CPU, *(part for pair in where.items() for part in pair))
    _refused(ran, line, code=2)


def test_pausing_what_is_not_there(account: AwsCloud) -> None:
    _refused(run_tool("speech-infra", "pause", CPU), f"{CPU} is not deployed. Run speech-infra deploy {CPU}.", code=2)


def test_purging_what_others_use(account: AwsCloud) -> None:
    client = account.client("cloudformation")
    tags = [{"Key": "firstword:prefix", "Value": "firstword"}]
    client.create_stack(StackName="firstword-agent", TemplateBody='{"Resources": {}}', Tags=tags)
    account.client("s3").create_bucket(Bucket="firstword-models-123456789012-us-east-1")
    ran = run_tool("speech-infra", "destroy", CPU, "--purge", "--yes")
    _refused(ran, "Nothing was purged: firstword-agent still uses it. Remove those first.")
