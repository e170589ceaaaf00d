"""Stopped in the middle, or not alone: one line says what stands and what to run, and running it again finishes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from fakes.asset_set import MANIFEST_OF_SET, write_set
from fakes.aws_cloud import AwsCloud, Call
from fakes.deployments import AGENT_IMAGE, REGISTRY, SPEECH_IMAGE
from fakes.engines import DIGEST, Engines, fake_engines
from fakes.tools import Ran, run_tool
from firstword.kokoro.assets.manifest import MANIFEST

pytestmark = [
    pytest.mark.cloud,
    pytest.mark.timeout(600),
    # An interrupt may cut a request short; its socket then waits for the collector, where a process would just end.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

MODEL = "kokoro-82m-cpu"
STACK = f"firstword-speech-{MODEL}"
SHARED = "firstword-foundation stands (CREATE_COMPLETE); firstword-model-cache stands (CREATE_COMPLETE)"
AGAIN = f"Run the same again to go on; speech-infra destroy {MODEL} removes what stands."


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"dir:{write_set(tmp_path_factory.mktemp('weights'))}"


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engines:
    return fake_engines(tmp_path / "engines", monkeypatch, "buildah")


@pytest.fixture(autouse=True)
def nothing_scripted(cloud: AwsCloud) -> Iterator[None]:
    yield
    cloud.script.after.clear()
    cloud.script.faults.clear()
    cloud.script.held.clear()


def _deploy(weights: str, *more: str) -> list[str]:
    return ["deploy", MODEL, "--weights", weights, "--yes", *more]


def _interrupting(
    cloud: AwsCloud,
    operation: str,
    before: Callable[[], None] = lambda: None,
    by: signal.Signals = signal.SIGINT,
) -> None:
    """Interrupt this process once, when the account has carried out `operation`."""

    def once(call: object) -> None:
        cloud.script.after.pop(operation, None)
        before()
        os.kill(os.getpid(), by)

    cloud.script.after[operation] = once


def _told(ran: Ran, stage: str, stands: str, go_on: str) -> None:
    assert ran.code == 130, ran.err
    assert ran.out == ""
    assert ran.last_error.endswith(f"Interrupted at the stage '{stage}': {stands}. {go_on}")


def test_ctrl_c_during_a_build_leaves_the_shared_stacks_and_no_process(
    cloud: AwsCloud, engines: Engines, weights: str
) -> None:
    engines.interrupt_at("build")
    ran = run_tool("speech-infra", *_deploy(weights, "--builder", "buildah"))
    _told(ran, "image", f"{SHARED}; {STACK} is not there", AGAIN)
    with pytest.raises(ProcessLookupError):
        os.kill(engines.interrupted, 0)


def test_sigterm_during_a_push_is_told_as_ctrl_c_is(cloud: AwsCloud, engines: Engines, weights: str) -> None:
    engines.interrupt_at("push", by="TERM")
    ran = run_tool("speech-infra", *_deploy(weights, "--builder", "buildah"))
    _told(ran, "image", f"{SHARED}; {STACK} is not there", AGAIN)
    assert "firstword/speech:" in ran.err
    assert "nothing to change" in ran.err


def test_ctrl_c_before_anything_is_made_says_so(cloud: AwsCloud, weights: str) -> None:
    _interrupting(cloud, "ListServiceQuotas")
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE))
    assert (ran.code, ran.last_error) == (130, "speech-infra deploy: Interrupted before anything was changed.")


def test_sigterm_stops_the_agents_tool_too(cloud: AwsCloud) -> None:
    _interrupting(cloud, "GetFoundationModelAvailability", by=signal.SIGTERM)
    ran = run_tool("agent-infra", "deploy", "--bedrock-model-id", "amazon.nova-lite-v1:0", "--image-uri", AGENT_IMAGE)
    assert (ran.code, ran.last_error) == (130, "agent-infra deploy: Interrupted before anything was changed.")


def test_ctrl_c_between_two_files_of_the_weights_says_that_they_are_not_whole(
    cloud: AwsCloud, weights: str, tmp_path: Path
) -> None:
    """Weights that were never here: the last test's are."""
    other = write_set(tmp_path / "weights")
    (other / MANIFEST).write_bytes(msgspec.structs.replace(MANIFEST_OF_SET, model="other").encode())
    sync = ["models", "sync", MODEL, "--weights", f"dir:{other}"]
    _interrupting(cloud, "PutObject")
    ran = run_tool("speech-infra", *sync)
    assert (ran.code, ran.out) == (130, "")
    assert "is not whole, and nothing reads it yet. Run the same again" in ran.last_error
    again = run_tool("speech-infra", *sync, "--json")
    assert (again.code, again.json["kept_files"]) == (0, 1)


def test_ctrl_c_while_cloudformation_works_says_that_it_goes_on(cloud: AwsCloud, weights: str) -> None:
    _interrupting(cloud, "CreateStack", lambda: cloud.hold(STACK, "CREATE_IN_PROGRESS"))
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE))
    _told(ran, "endpoint", f"{SHARED}; {STACK} goes on by itself (CREATE_IN_PROGRESS)", AGAIN)


def test_a_second_deployment_waits_for_the_first(cloud: AwsCloud, weights: str) -> None:
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE))
    assert ran.code == 1
    assert ran.last_error == (
        f"speech-infra deploy: {STACK} is being changed right now (CREATE_IN_PROGRESS). "
        "Wait until it is done; status shows it."
    )
    cloud.hold(STACK, "UPDATE_IN_PROGRESS")
    removing = run_tool("speech-infra", "destroy", MODEL, "--yes")
    assert (removing.code, STACK in removing.last_error) == (1, True)
    assert "UPDATE_IN_PROGRESS" in removing.last_error
    cloud.hold(STACK, "CREATE_COMPLETE")


def test_two_that_began_together_do_not_both_change_the_endpoint(cloud: AwsCloud, weights: str) -> None:
    """The other one is faster: it changes the stack after we looked and before we come to it."""
    cloud.script.after["PutObject"] = lambda call: cloud.hold(STACK, "UPDATE_IN_PROGRESS")
    cloud.script.faults["UpdateStack"] = (400, "ValidationError", "is in UPDATE_IN_PROGRESS state, not to be updated")
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE, "--max-instances", "5"))
    assert ran.code == 1
    assert f"{STACK} is being changed right now (UPDATE_IN_PROGRESS)" in ran.last_error
    cloud.hold(STACK, "CREATE_COMPLETE")


def test_run_again_with_an_image_that_aws_builds_it_ends_in_service(cloud: AwsCloud, weights: str) -> None:
    cloud.script.after["StartBuild"] = lambda call: setattr(cloud.script, "images", lambda repository, tag: DIGEST)
    ran = run_tool("speech-infra", *_deploy(weights, "--builder", "codebuild", "--json"))
    assert ran.code == 0, ran.err
    assert ran.json["deployment"]["image_uri"] == f"{REGISTRY}/firstword/speech@{DIGEST}"
    assert "CodeBuild: COMPLETED" in ran.err
    (start,) = [call for call in cloud.script.calls if call.operation == "StartBuild"]
    (image,) = start.body["environmentVariablesOverride"]
    tag = ran.json["deployment"]["image_tag"]
    assert image == {"name": "IMAGE", "value": f"{REGISTRY}/firstword/speech:{tag}", "type": "PLAINTEXT"}
    status = run_tool("speech-infra", "status", MODEL, "--json")
    assert (status.code, status.json["state"]) == (0, "in service")


def test_ctrl_c_during_a_teardown_says_what_is_left_and_the_next_one_removes_it(cloud: AwsCloud, weights: str) -> None:
    cloud.script.held.add(STACK)
    _interrupting(cloud, "DeleteStack", lambda: cloud.hold(STACK, "DELETE_IN_PROGRESS"))
    ran = run_tool("speech-infra", "destroy", MODEL, "--yes")
    stands = f"{STACK} goes on by itself (DELETE_IN_PROGRESS); firstword-builder-speech stands (CREATE_COMPLETE)"
    assert ran.code == 130
    assert f"Interrupted at the stage 'remove {STACK}': {stands}" in ran.last_error
    assert ran.last_error.endswith(f"Run speech-infra destroy {MODEL} again to go on.")

    cloud.script.held.clear()
    again = run_tool("speech-infra", "destroy", MODEL, "--yes", "--json")
    assert again.code == 0, again.err
    assert again.json["removed"] == [STACK, "firstword-builder-speech", "firstword-model-cache", "firstword-foundation"]
    assert cloud.client("codebuild").list_projects()["projects"] == []


def test_sigterm_to_the_process_ends_the_cdk_and_says_what_stands(cloud: AwsCloud) -> None:
    """The tool as a process of its own, in an account that was never bootstrapped."""
    cloud.client("ssm").delete_parameter(Name="/cdk-bootstrap/hnb659fds/version")
    program = "from firstword.cli.speech_infra import run; run()"
    command = [sys.executable, "-c", program, "bootstrap", "--yes"]
    tool = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    children: list[int] = []

    def stop(call: Call) -> None:
        if call.sdk != "boto3" and not children:
            children.extend(_children(tool.pid))
            tool.terminate()

    cloud.script.after["DescribeStacks"] = stop
    out, err = tool.communicate(timeout=200)
    assert (tool.returncode, out) == (130, "")
    assert err.strip().splitlines()[-1] == (
        "speech-infra bootstrap: Interrupted at the stage 'bootstrap': CDKToolkit is not there. "
        "Run speech-infra bootstrap again to go on."
    )
    assert "Traceback" not in err
    assert children
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


def _children(pid: int) -> list[int]:
    return [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]
