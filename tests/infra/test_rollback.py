"""A change that AWS takes back, told end to end: the tool, the CDK, CloudFormation, SageMaker, the container's log."""

import time
from typing import Any

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.deployments import REGISTRY, SPEECH_IMAGE
from fakes.tools import run_tool

pytestmark = [pytest.mark.cloud, pytest.mark.timeout(600)]

MODEL = "kokoro-82m-cpu"
ENDPOINT = f"firstword-{MODEL}"
STACK = f"firstword-speech-{MODEL}"
NO_HEALTH = "The primary container for production variant primary did not pass the ping health check."
MISSING = {"__type": "ValidationException", "message": f'Could not find endpoint "{ENDPOINT}".'}
OTHER_IMAGE = f"{REGISTRY}/firstword/speech@sha256:{'1' * 64}"


@pytest.fixture(scope="module")
def deploy(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return ["deploy", MODEL, "--weights", f"dir:{write_set(tmp_path_factory.mktemp('weights'))}", "--yes"]


def _log(cloud: AwsCloud, *lines: str) -> None:
    logs = cloud.client("logs")
    group = f"/aws/sagemaker/Endpoints/{ENDPOINT}"
    logs.create_log_stream(logGroupName=group, logStreamName="primary/i-1")
    now_ms = int(time.time() * 1000)
    events = [{"timestamp": now_ms + number, "message": line} for number, line in enumerate(lines)]
    logs.put_log_events(logGroupName=group, logStreamName="primary/i-1", logEvents=events)


def _when(cloud: AwsCloud, operation: str, status: str, then: Any = lambda: None) -> None:
    """Let the next `operation` on the voice's stack end in `status`."""

    def undo(call: Any) -> None:
        if call.body["StackName"] == STACK:
            del cloud.script.after[operation]
            then()
            cloud.undo(STACK, "AWS::SageMaker::Endpoint", NO_HEALTH, status)

    cloud.script.after[operation] = undo


def test_a_voice_that_never_came_up_is_told_with_its_reason_and_its_containers_last_lines(
    cloud: AwsCloud, deploy: list[str]
) -> None:
    _when(cloud, "CreateStack", "ROLLBACK_COMPLETE", lambda: _log(cloud, "loading", "the voice did not load"))
    failed = {"EndpointStatus": "Failed", "FailureReason": NO_HEALTH}
    cloud.script.endpoint = [MISSING, {"EndpointStatus": "Creating"}, failed, failed, MISSING]
    ran = run_tool("speech-infra", *deploy, "--image-uri", SPEECH_IMAGE)
    assert ran.code == 1
    assert ran.out == ""
    said = [line.strip() for line in ran.err.splitlines()]
    told = [line for line in said if line.startswith("endpoint ")]
    assert told[:3] == [f"endpoint {ENDPOINT}: {status}" for status in ("Creating", "Failed", "gone")]
    assert said[said.index("the container's last lines:") + 1 :][:2] == ["loading", "the voice did not load"]
    assert f"{STACK} failed: HostingEndpoint" in ran.last_error
    assert NO_HEALTH in ran.last_error
    assert ran.last_error.endswith(f"{STACK} is ROLLBACK_COMPLETE: nothing of it runs; deploying again replaces it.")


def test_its_status_is_failed_with_the_reason_though_the_endpoint_is_gone(cloud: AwsCloud, deploy: list[str]) -> None:
    status = run_tool("speech-infra", "status", MODEL, "--json")
    assert (status.code, status.json["state"], status.json["stack_status"]) == (1, "failed", "ROLLBACK_COMPLETE")
    assert NO_HEALTH in status.json["failure"]
    said = run_tool("speech-infra", "say", MODEL)
    assert said.code == 1
    assert said.last_error == (f"speech-infra say: {ENDPOINT} is failed. speech-infra status {MODEL} tells more.")


def test_deployed_again_it_is_in_service(cloud: AwsCloud, deploy: list[str]) -> None:
    cloud.script.endpoint = []
    ran = run_tool("speech-infra", *deploy, "--image-uri", SPEECH_IMAGE)
    assert ran.code == 0, ran.err
    assert "scaling is taken off first" not in ran.err


def test_an_update_that_alarms_took_back_leaves_the_voice_in_service_and_says_so(
    cloud: AwsCloud, deploy: list[str]
) -> None:
    _when(cloud, "UpdateStack", "UPDATE_ROLLBACK_COMPLETE")
    states = ("InService", "Updating", "RollingBack", "InService")
    cloud.script.endpoint = [{"EndpointStatus": state} for state in states]
    ran = run_tool("speech-infra", *deploy, "--image-uri", OTHER_IMAGE)
    assert ran.code == 1
    told = [line.strip() for line in ran.err.splitlines() if line.strip().startswith("endpoint ")]
    assert told == [f"endpoint {ENDPOINT}: {status}" for status in states[1:]]
    assert NO_HEALTH in ran.last_error
    assert ran.last_error.endswith(f"{STACK} is UPDATE_ROLLBACK_COMPLETE: everything is as it was before.")
    status = run_tool("speech-infra", "status", MODEL, "--json")
    assert (status.code, status.json["state"]) == (0, "in service")
    assert NO_HEALTH in status.json["failure"]


def test_a_stack_that_does_not_go_is_told_with_its_reason_and_goes_the_next_time(
    cloud: AwsCloud, deploy: list[str]
) -> None:
    cloud.script.endpoint = []
    cloud.script.held.add(STACK)
    _when(cloud, "DeleteStack", "DELETE_FAILED")
    ran = run_tool("speech-infra", "destroy", MODEL, "--yes")
    assert ran.code == 1
    assert f"{STACK} could not be deleted: HostingEndpoint" in ran.last_error
    assert ran.last_error.endswith("It is DELETE_FAILED.")
    assert run_tool("speech-infra", "status", MODEL, "--json").json["stack_status"] == "DELETE_FAILED"
    cloud.script.held.clear()
    again = run_tool("speech-infra", "destroy", MODEL, "--yes", "--json")
    assert again.json["removed"] == [STACK, "firstword-model-cache", "firstword-foundation"]
