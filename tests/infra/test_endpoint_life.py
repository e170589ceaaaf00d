"""An endpoint's life told right: a scripted control plane, the tools' own words and exit codes."""

import subprocess
import sys
import time

import pytest

from fakes.aws_cloud import AwsCloud
from fakes.deployments import PLACE
from fakes.tools import run_tool
from firstword.config import InfraSettings
from firstword.errors import InfraError
from firstword.infra.report import Silent
from firstword.infra.site import Site
from firstword.infra.speech.watching import EndpointWatch, explained
from firstword.infra.toolkit.cloud import open_cloud
from firstword.infra.toolkit.endpoints import find_endpoint
from firstword.infra.toolkit.logs import LogTail

MODEL = "kokoro-82m"
NAME = f"firstword-{MODEL}"
NO_HEALTH = "The primary container for production variant primary did not pass the ping health check."


def _site(report: Silent) -> Site:
    return Site(cloud=open_cloud("us-east-1", None), place=PLACE, settings=InfraSettings(poll_s=0.01), report=report)


@pytest.mark.parametrize(
    ("said", "state", "code"),
    [
        ({"EndpointStatus": "Creating"}, "changing", 1),
        ({"EndpointStatus": "Updating"}, "changing", 1),
        ({"EndpointStatus": "RollingBack"}, "changing", 1),
        ({"EndpointStatus": "Deleting"}, "changing", 1),
        ({"EndpointStatus": "InService"}, "in service", 0),
        ({"EndpointStatus": "Failed", "FailureReason": NO_HEALTH}, "failed", 1),
        ({"EndpointStatus": "UpdateRollbackFailed", "FailureReason": NO_HEALTH}, "failed", 1),
        ({"__type": "ValidationException", "message": f'Could not find endpoint "{NAME}".'}, "missing", 1),
    ],
)
def test_every_state_has_its_word_and_exit_code(account: AwsCloud, said: dict[str, str], state: str, code: int) -> None:
    account.script.endpoint = [said]
    ran = run_tool("speech-infra", "status", MODEL, "--json")
    assert (ran.code, ran.json["state"]) == (code, state)
    assert ran.json["failure"] == said.get("FailureReason", "")


def test_a_failed_endpoint_tells_its_reason_to_a_person(account: AwsCloud) -> None:
    account.script.endpoint = [{"EndpointStatus": "Failed", "FailureReason": NO_HEALTH}]
    assert "ping health check" in " ".join(run_tool("speech-infra", "status", MODEL).out.split())


def test_a_voice_shows_its_own_alarms_and_not_those_of_one_whose_name_begins_alike(account: AwsCloud) -> None:
    account.script.endpoint = [{"EndpointStatus": "InService"}]
    for name in (f"{NAME}-errors", f"{NAME}-cpu-errors"):
        account.client("cloudwatch").put_metric_alarm(
            AlarmName=name,
            Namespace="AWS/SageMaker",
            MetricName="Invocation5XXErrors",
            ComparisonOperator="GreaterThanThreshold",
            EvaluationPeriods=1,
            Period=60,
            Threshold=1,
            Statistic="Sum",
        )
    assert run_tool("speech-infra", "status", MODEL, "--json").json["alarms"].keys() == {"errors"}


def test_what_only_looks_or_removes_does_not_wait_for_the_cdk_to_load() -> None:
    verbs = [f"speech_infra.{name}" for name in ("status", "logs", "say", "estimate", "doctor", "models", "destroy")]
    verbs += [f"agent_infra.{name}" for name in ("status", "demo", "destroy")]
    program = "import sys\n" + "".join(f"import firstword.cli.{verb}\n" for verb in verbs)
    program += "sys.exit('aws_cdk' in sys.modules)"
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", program], timeout=240).returncode == 0


def test_a_watcher_tells_each_status_once_as_it_changes(account: AwsCloud) -> None:
    creating = {"EndpointStatus": "Creating"}
    account.script.endpoint = [creating, creating, {"EndpointStatus": "Failed", "FailureReason": NO_HEALTH}]
    report = Silent()
    site = _site(report)
    watch = EndpointWatch(site.cloud, NAME)
    for _ in range(4):
        watch.look(report)
    assert report.lines == [f"endpoint {NAME}: Creating", f"endpoint {NAME}: Failed"]
    assert watch.failure == NO_HEALTH


def test_a_failure_is_explained_by_sagemaker_and_by_the_container(account: AwsCloud) -> None:
    group, stream = f"/aws/sagemaker/Endpoints/{NAME}", "primary/i-1"
    logs = account.client("logs")
    logs.create_log_group(logGroupName=group)
    logs.create_log_stream(logGroupName=group, logStreamName=stream)
    now_ms = int(time.time() * 1000)
    lines = [{"timestamp": now_ms + n, "message": f"line {n}"} for n in range(25)]
    logs.put_log_events(logGroupName=group, logStreamName=stream, logEvents=lines)
    account.script.endpoint = [{"EndpointStatus": "Failed", "FailureReason": NO_HEALTH}]
    report = Silent()
    site = _site(report)
    error = explained(site, NAME, EndpointWatch(site.cloud, NAME), InfraError("the stack failed."))
    assert error.message == f"the stack failed. SageMaker says: {NO_HEALTH}"
    assert report.lines[-1].strip() == "line 24"
    assert len(report.lines) == 21


def test_a_throttled_call_is_tried_again_then_told_as_what_it_is(account: AwsCloud) -> None:
    account.script.faults["DescribeEndpoint"] = (400, "ThrottlingException", "Rate exceeded")
    ran = run_tool("speech-infra", "status", MODEL)
    assert (ran.code, ran.last_error) == (1, "speech-infra status: AWS is throttling DescribeEndpoint. Try again.")
    assert len([call for call in account.script.calls if call.operation == "DescribeEndpoint"]) == 4


def test_an_endpoint_whose_configuration_is_gone_is_still_told(account: AwsCloud) -> None:
    account.script.endpoint = [{"EndpointStatus": "Deleting", "EndpointConfigName": "gone"}]
    endpoint = find_endpoint(open_cloud("us-east-1", None), NAME)
    assert endpoint is not None
    assert (endpoint.status, endpoint.variants) == ("Deleting", [])


def test_a_log_is_followed_line_by_line_though_lines_are_alike_and_containers_change(account: AwsCloud) -> None:
    group = f"/aws/sagemaker/Endpoints/{NAME}"
    logs = account.client("logs")
    now_ms = int(time.time() * 1000)

    def write(stream: str, at_ms: int, *lines: str) -> None:
        events = [{"timestamp": now_ms + at_ms + n, "message": line} for n, line in enumerate(lines)]
        logs.put_log_events(logGroupName=group, logStreamName=stream, logEvents=events)

    tail = LogTail(open_cloud("us-east-1", None), group, 2)
    assert tail.more() == []
    logs.create_log_group(logGroupName=group)
    logs.create_log_stream(logGroupName=group, logStreamName="primary/i-1")
    write("primary/i-1", 0, "GET /ping", "GET /ping", "GET /ping")
    assert tail.more() == ["GET /ping", "GET /ping"]
    assert tail.more() == []
    write("primary/i-1", 100, "GET /ping", "GET /ping", "GET /ping")
    assert tail.more() == ["GET /ping"] * 3
    logs.create_log_stream(logGroupName=group, logStreamName="primary/i-2")
    write("primary/i-2", 200, "loading")
    assert tail.more() == ["loading"]
    write("primary/i-1", 300, "GET /ping")
    assert tail.more() == ["GET /ping"]


def test_logs_show_the_newest_lines_and_none_is_no_error(account: AwsCloud) -> None:
    empty = run_tool("speech-infra", "logs", MODEL, "--json")
    assert (empty.code, empty.json["lines"]) == (0, [])
    group = f"/aws/sagemaker/Endpoints/{NAME}"
    logs = account.client("logs")
    logs.create_log_group(logGroupName=group)
    logs.create_log_stream(logGroupName=group, logStreamName="primary/i-1")
    logs.put_log_events(
        logGroupName=group,
        logStreamName="primary/i-1",
        logEvents=[{"timestamp": int(time.time() * 1000) + n, "message": f"line {n}"} for n in range(5)],
    )
    assert run_tool("speech-infra", "logs", MODEL, "--lines", "2").out.splitlines() == ["line 3", "line 4"]
