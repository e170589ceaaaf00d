"""The toolkit's own parts: the plan, prices, the CDK command line's words, archives, builders."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.aws_cloud import AwsCloud
from fakes.deployments import PLACE, voice
from fakes.tools import run_tool
from firstword.errors import ConfigError, InfraError, UsageError
from firstword.infra.agent.packaging import agent_archive
from firstword.infra.application import new_app, synthesize
from firstword.infra.builder import BuilderStack
from firstword.infra.foundation import Foundation
from firstword.infra.images.context import agent_context, speech_context
from firstword.infra.node import use_packaged_node
from firstword.infra.speech.estimating import estimate
from firstword.infra.toolkit.builders import choose_builder
from firstword.infra.toolkit.cdk import CdkCli, install_cdk
from firstword.infra.toolkit.cloud import open_cloud
from firstword.infra.toolkit.prices import hourly_price
from firstword.infra.toolkit.templates import iam_changes, template_changes

_ROLE = {"Type": "AWS::IAM::Role", "Properties": {"Path": "/"}}
_BUCKET = {"Type": "AWS::S3::Bucket", "Properties": {"Tags": [], "Versioning": {"Status": "Enabled"}}}


def test_a_plan_names_what_comes_goes_and_differs_down_to_the_property() -> None:
    other = {"Type": "AWS::S3::Bucket", "Properties": {"Tags": [], "Versioning": {"Status": "Suspended"}}}
    changes = template_changes({"Resources": {"A": _ROLE, "B": _BUCKET}}, {"Resources": {"B": other, "C": _ROLE}})
    assert [(change.kind, change.resource, change.paths) for change in changes] == [
        ("remove", "A", ()),
        ("change", "B", ("Versioning.Status",)),
        ("add", "C", ()),
    ]
    assert [change.resource for change in iam_changes(changes)] == ["A", "C"]


_keys = st.sampled_from("abc")
_values = st.dictionaries(_keys, st.integers(0, 2) | st.dictionaries(_keys, st.integers(0, 2), max_size=2), max_size=2)
_resource = st.fixed_dictionaries({"Type": st.just("T"), "Properties": _values})
_templates = st.dictionaries(_keys, _resource, max_size=2)


@given(old=_templates, new=_templates)
def test_a_plan_is_empty_exactly_when_nothing_differs(old: dict[str, object], new: dict[str, object]) -> None:
    assert (template_changes({"Resources": old}, {"Resources": new}) == []) == (old == new)


@pytest.mark.parametrize("image", ["speech", "agent"])
def test_the_project_that_builds_in_aws_passes_every_rule(tmp_path: Path, image: str) -> None:
    context = (
        speech_context(tmp_path / "context", device="cpu") if image == "speech" else agent_context(tmp_path / "context")
    )
    app = new_app(tmp_path / "out")
    BuilderStack(app, place=PLACE, foundation=Foundation(app, place=PLACE), context=context)
    directory = synthesize(app)
    template = json.loads((directory / f"{PLACE.builder_stack}-{image}.template.json").read_text())
    (project,) = [r for r in template["Resources"].values() if r["Type"] == "AWS::CodeBuild::Project"]
    arm = project["Properties"]["Environment"]["Type"] == "ARM_CONTAINER"
    assert arm is (image == "agent")
    assert "docker push $IMAGE" in project["Properties"]["Source"]["BuildSpec"]
    (log,) = [r for r in template["Resources"].values() if r["Type"] == "AWS::Logs::LogGroup"]
    assert log["DeletionPolicy"] == "Delete"


def test_an_image_is_named_by_what_goes_into_it(tmp_path: Path) -> None:
    tags = [
        speech_context(tmp_path / "a", device="cpu").tag,
        speech_context(tmp_path / "b", device="cpu").tag,
        speech_context(tmp_path / "c", device="gpu").tag,
        speech_context(tmp_path / "d", device="cpu", espeak=False).tag,
        agent_context(tmp_path / "e").tag,
    ]
    assert tags[0] == tags[1]
    assert len(set(tags)) == 4


def test_weights_baked_in_make_another_image_that_reads_them(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.mkdir()
    (weights / "model.onnx").write_bytes(b"model")
    context = speech_context(tmp_path / "context", device="cpu", weights=weights)
    assert context.target == "speech-with-weights"
    assert (context.directory / "weights" / "model.onnx").exists()


def test_a_price_is_todays_or_says_how_old_it_is(account: AwsCloud) -> None:
    account.script.prices = [1.25]
    cloud = open_cloud("us-east-1", None)
    assert hourly_price(cloud, "ml.g5.xlarge", "us-east-1").usd_per_hour == 1.25
    account.script.prices = []
    old = hourly_price(cloud, "ml.g5.xlarge", "us-east-1")
    assert old.usd_per_hour == 1.408
    assert "2026-11" in old.source
    guessed = hourly_price(None, "ml.c7i.2xlarge", "us-east-1")
    assert guessed.usd_per_hour == 0.428
    assert guessed.source == "table of 2026-11, us-east-1, EC2 and a fifth"


def test_an_estimate_spans_from_the_smallest_to_the_largest_fleet() -> None:
    lines = {line.what: line for line in estimate(voice(min_instances=1, max_instances=3), "us-east-1", None)}
    fleet = lines["ml.g5.xlarge x 1 to 3"]
    assert (fleet.least_usd, fleet.most_usd) == (1027.84, 3083.52)
    assert lines["5 alarms"].least_usd == 0.7
    paused = estimate(voice(paused=True), "us-east-1", None)[0]
    assert (paused.least_usd, paused.most_usd) == (0.0, 0.0)


def test_estimate_needs_no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run_tool("speech-infra", "estimate", "kokoro-82m", "--offline", "--json")
    assert ran.code == 0
    assert ran.json["lines"][0]["least_usd"] == 1027.84


def test_a_cache_that_cannot_hold_the_cdk_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "cdk-cli").write_text("a file")
    with pytest.raises(InfraError, match="cannot be kept in"):
        install_cdk(tmp_path)


def test_a_registry_that_does_not_answer_is_told_with_what_to_look_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("registry", "http://127.0.0.1:9"), ("fetch_retries", "0"), ("cache", str(tmp_path / "npm"))):
        monkeypatch.setenv(f"npm_config_{name}", value)
    with pytest.raises(InfraError) as refused:
        install_cdk(tmp_path)
    assert "The CDK command line could not be installed: npm error code ECONNREFUSED." in refused.value.one_line()
    assert "npm config list" in refused.value.hint


def test_the_cdks_process_ending_under_us_is_no_end_of_our_output() -> None:
    program = (
        "import sys, firstword.cli.speech_infra.synth\n"
        "from firstword.cli.speech_infra import run\n"
        "from jsii._runtime import kernel\n"
        "node = kernel.provider._process._process\n"
        "node.stdin.write(b'{\"exit\":0}\\n'); node.stdin.flush(); node.wait()\n"
        "sys.argv = ['speech-infra', 'synth', 'kokoro-82m', '--account', '123456789012', '--region', 'us-east-1']\n"
        "run()"
    )
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=240)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "speech-infra synth: The CDK's Node process ended on its own. Run the same again" in ran.stderr


def test_a_node_that_is_none_is_told_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JSII_NODE", "/nowhere/node")
    with pytest.raises(ConfigError, match="JSII_NODE names /nowhere/node, which is no program"):
        use_packaged_node()


def test_doctor_looks_at_everything_and_fails_for_what_is_missing(account: AwsCloud) -> None:
    account.script.quotas = {"ml.g5.xlarge for endpoint usage": 0.0}
    ran = run_tool("speech-infra", "doctor", "--builder", "codebuild", "--json")
    found = {item["what"]: item["ok"] for item in ran.json["findings"]}
    assert ran.code == 1
    assert found == {
        "node": True,
        "cdk": True,
        "builder": True,
        "credentials": True,
        "bootstrap": True,
        "left over": True,
        "quota ml.g5.xlarge": False,
    }
    assert run_tool("agent-infra", "doctor", "--builder", "codebuild").code == 0


@pytest.mark.parametrize("tool", ["speech-infra", "agent-infra"])
def test_synth_asks_nobody(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    chosen = ["kokoro-82m"] if tool == "speech-infra" else ["--bedrock-model-id", "amazon.nova-lite-v1:0"]
    place = ["--account", PLACE.account, "--region", PLACE.region, "--output", str(tmp_path / "out")]
    ran = run_tool(tool, "synth", *chosen, *place, "--json")  # type: ignore[arg-type]  # one of two literals
    assert ran.code == 0, ran.err
    assert all((tmp_path / "out" / f"{stack}.template.json").exists() for stack in ran.json["stacks"])


def _cdk(tmp_path: Path, program: str) -> CdkCli:
    script = tmp_path / "cdk.js"
    script.write_text(program)
    return CdkCli(open_cloud("us-east-1", None), script=script, poll_s=0.05)


def test_what_the_command_line_says_arrives_line_by_line_without_colours(account: AwsCloud, tmp_path: Path) -> None:
    said: list[str] = []
    program = "process.stderr.write('\\u001b[32mone\\u001b[0m | two\\n'); setTimeout(() => console.log('three'), 100)"
    _cdk(tmp_path, program).deploy(tmp_path, ["a"], said.extend)
    assert said == ["one | two", "three"]


def test_a_failure_of_the_command_line_is_its_own_reason(account: AwsCloud, tmp_path: Path) -> None:
    program = "console.error('start'); console.error('❌  stack failed: Error: No room'); process.exit(1)"
    with pytest.raises(InfraError, match="stack failed: Error: No room"):
        _cdk(tmp_path, program).deploy(tmp_path, ["a"], lambda lines: None)


def test_an_interrupt_ends_the_command_line_too(account: AwsCloud, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    program = f"require('fs').writeFileSync({str(told)!r}, String(process.pid)); setInterval(() => 0, 1000)"

    def interrupt(lines: list[str]) -> None:
        if told.exists() and told.read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _cdk(tmp_path, program).deploy(tmp_path, ["a"], interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_the_command_line_is_installed_once(tmp_path: Path) -> None:
    script = install_cdk(tmp_path)
    made_ns = script.stat().st_mtime_ns
    assert install_cdk(tmp_path).stat().st_mtime_ns == made_ns


def test_without_an_engine_images_are_built_in_aws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert choose_builder("auto") == "codebuild"
    with pytest.raises(UsageError):
        choose_builder("docker")


@pytest.mark.slow
def test_an_archive_of_the_agent_holds_wheels_for_agentcores_machines(tmp_path: Path) -> None:
    archive = agent_archive(tmp_path / "archive")
    assert (archive / "main.py").exists()
    assert (archive / "firstword" / "agent" / "app.py").exists()
    libraries = [path.name for path in archive.glob("**/*.cpython-312-*.so")]
    assert libraries
    assert all("aarch64" in name for name in libraries)
    size_mb = sum(path.stat().st_size for path in archive.rglob("*") if path.is_file()) / 1e6
    assert size_mb < 700  # AgentCore takes 750 MB unpacked
