"""Stopped in the middle, or not alone: one line says what stands and what to run, and running it again finishes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.asset_set import write_set
from fakes.aws_cloud import AwsCloud
from fakes.deployments import REGISTRY, SPEECH_IMAGE
from fakes.engines import DIGEST, Engines, fake_engines
from fakes.tools import Ran, run_tool

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    # An interrupt may cut a request short; its socket then waits for the collector, where a process would just end.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

MODEL = "kokoro-82m-cpu"
STACK = f"firstword-speech-{MODEL}"
SHARED = "firstword-foundation stands (CREATE_COMPLETE); firstword-model-cache stands (CREATE_COMPLETE)"
AGAIN = f"Run the same again to go on; speech-infra destroy {MODEL} removes what stands."


@pytest.fixture(scope="module")
def account(aws: AwsCloud) -> Iterator[AwsCloud]:
    """One account for the whole file: each test goes on from what the one before it left standing."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        aws.enter(monkeypatch)
        aws.bootstrap()
        yield aws


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"dir:{write_set(tmp_path_factory.mktemp('weights'))}"


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engines:
    return fake_engines(tmp_path / "engines", monkeypatch, "buildah")


@pytest.fixture(autouse=True)
def nothing_scripted(account: AwsCloud) -> Iterator[None]:
    yield
    account.script.after.clear()
    account.script.faults.clear()
    account.script.held.clear()


def _deploy(weights: str, *more: str) -> list[str]:
    return ["deploy", MODEL, "--weights", weights, "--yes", *more]


def _interrupting(account: AwsCloud, operation: str, before: Callable[[], None] = lambda: None) -> None:
    """Interrupt this process once, when the account has carried out `operation`."""

    def once(call: object) -> None:
        account.script.after.pop(operation, None)
        before()
        os.kill(os.getpid(), signal.SIGINT)

    account.script.after[operation] = once


def _told(ran: Ran, stage: str, stands: str, go_on: str) -> None:
    assert ran.code == 130, ran.err
    assert ran.out == ""
    assert ran.last_error.endswith(f"Interrupted at the stage '{stage}': {stands}. {go_on}")


def test_ctrl_c_during_a_build_leaves_the_shared_stacks_and_no_process(
    account: AwsCloud, engines: Engines, weights: str
) -> None:
    engines.interrupt_at("build")
    program = "from firstword.cli.speech_infra import run; run()"
    command = [sys.executable, "-c", program, *_deploy(weights, "--builder", "buildah")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=200)
    done = Ran(code=ran.returncode, out=ran.stdout, err=ran.stderr)
    _told(done, "image", f"{SHARED}; {STACK} is not there", AGAIN)
    assert "Traceback" not in ran.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(engines.interrupted, 0)


def test_ctrl_c_during_a_push_names_no_image_as_pushed(account: AwsCloud, engines: Engines, weights: str) -> None:
    engines.interrupt_at("push")
    ran = run_tool("speech-infra", *_deploy(weights, "--builder", "buildah"))
    _told(ran, "image", f"{SHARED}; {STACK} is not there", AGAIN)
    assert "firstword/speech:" in ran.err


def test_ctrl_c_before_anything_is_made_says_so(account: AwsCloud, weights: str) -> None:
    _interrupting(account, "ListServiceQuotas")
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE))
    assert (ran.code, ran.last_error) == (130, "speech-infra deploy: Interrupted before anything was changed.")


def test_ctrl_c_while_cloudformation_works_says_that_it_goes_on(account: AwsCloud, weights: str) -> None:
    _interrupting(account, "CreateStack", lambda: account.hold(STACK, "CREATE_IN_PROGRESS"))
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE))
    _told(ran, "endpoint", f"{SHARED}; {STACK} goes on by itself (CREATE_IN_PROGRESS)", AGAIN)


def test_a_second_deployment_waits_for_the_first(account: AwsCloud, weights: str) -> None:
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE))
    assert ran.code == 1
    assert ran.last_error == (
        f"speech-infra deploy: {STACK} is being changed right now (CREATE_IN_PROGRESS). "
        "Wait until it is done; status shows it."
    )
    account.hold(STACK, "UPDATE_IN_PROGRESS")
    removing = run_tool("speech-infra", "destroy", MODEL, "--yes")
    assert (removing.code, STACK in removing.last_error) == (1, True)
    assert "UPDATE_IN_PROGRESS" in removing.last_error
    account.hold(STACK, "CREATE_COMPLETE")


def test_two_that_began_together_do_not_both_change_the_endpoint(account: AwsCloud, weights: str) -> None:
    """The other one is faster: it changes the stack after we looked and before we come to it."""
    account.script.after["PutObject"] = lambda call: account.hold(STACK, "UPDATE_IN_PROGRESS")
    account.script.faults["UpdateStack"] = (400, "ValidationError", "is in UPDATE_IN_PROGRESS state, not to be updated")
    ran = run_tool("speech-infra", *_deploy(weights, "--image-uri", SPEECH_IMAGE, "--max-instances", "5"))
    assert ran.code == 1
    assert f"{STACK} is being changed right now (UPDATE_IN_PROGRESS)" in ran.last_error
    account.hold(STACK, "CREATE_COMPLETE")


def test_run_again_with_an_image_that_aws_builds_it_ends_in_service(account: AwsCloud, weights: str) -> None:
    account.script.after["StartBuild"] = lambda call: setattr(account.script, "images", lambda repository, tag: DIGEST)
    ran = run_tool("speech-infra", *_deploy(weights, "--builder", "codebuild", "--json"))
    assert ran.code == 0, ran.err
    assert ran.json["deployment"]["image_uri"] == f"{REGISTRY}/firstword/speech@{DIGEST}"
    assert "CodeBuild: COMPLETED" in ran.err
    (start,) = [call for call in account.script.calls if call.operation == "StartBuild"]
    (image,) = start.body["environmentVariablesOverride"]
    tag = ran.json["deployment"]["image_tag"]
    assert image == {"name": "IMAGE", "value": f"{REGISTRY}/firstword/speech:{tag}", "type": "PLAINTEXT"}
    status = run_tool("speech-infra", "status", MODEL, "--json")
    assert (status.code, status.json["state"]) == (0, "in service")


def test_ctrl_c_during_a_teardown_says_what_is_left_and_the_next_one_removes_it(
    account: AwsCloud, weights: str
) -> None:
    account.script.held.add(STACK)
    _interrupting(account, "DeleteStack", lambda: account.hold(STACK, "DELETE_IN_PROGRESS"))
    ran = run_tool("speech-infra", "destroy", MODEL, "--yes")
    stands = f"{STACK} goes on by itself (DELETE_IN_PROGRESS); firstword-builder-speech stands (CREATE_COMPLETE)"
    assert ran.code == 130
    assert f"Interrupted at the stage 'remove {STACK}': {stands}" in ran.last_error
    assert ran.last_error.endswith(f"Run speech-infra destroy {MODEL} again to go on.")

    account.script.held.clear()
    again = run_tool("speech-infra", "destroy", MODEL, "--yes", "--json")
    assert again.code == 0, again.err
    assert again.json["removed"] == [STACK, "firstword-builder-speech", "firstword-model-cache", "firstword-foundation"]
    assert account.client("codebuild").list_projects()["projects"] == []
