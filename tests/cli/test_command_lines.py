"""The command lines as processes: help, wrong use, exit codes, and that help imports nothing heavy."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.server import ServerConnection, serve

from firstword.config import every_setting

HEAVY = ("numpy", "onnxruntime", "starlette", "boto3", "av", "spacy", "strands", "aws_cdk", "matplotlib", "websockets")


def _run(*argv: str, program: str = "main") -> subprocess.CompletedProcess[str]:
    code = f"from firstword.cli.{program} import run; run()"
    return subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, text=True, timeout=60, check=False)


def test_help_lists_every_command_and_exits_0() -> None:
    result = _run("--help")
    assert result.returncode == 0
    assert all(f"  {name} " in result.stdout for name in ("demo", "say", "serve", "doctor"))


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom firstword.cli.main import run\n"
        "try: run()\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "argv", [("sing",), ("doctor", "--loudly"), ("doctor", "extra"), ("say",), ("serve", "--port", "many")]
)
def test_wrong_use_exits_2_with_one_line_that_says_what_to_do(argv: tuple[str, ...]) -> None:
    result = _run(*argv)
    assert result.returncode == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_doctor_lists_every_setting_as_json_and_nothing_else_on_stdout() -> None:
    result = _run("doctor", "--settings", "--json")
    assert [row["name"] for row in json.loads(result.stdout)] == [name for name, *_ in every_setting()]


def test_a_setting_that_means_nothing_is_named_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRSTWORD_VOICE_ENGINE", "choir")
    result = _run("doctor", "--json")
    voice = next(check for check in json.loads(result.stdout)["checks"] if check["name"] == "voice")
    assert (result.returncode, voice["state"]) == (1, "broken")
    assert "choir" in voice["detail"]


def test_doctor_explains_an_endpoint_that_is_in_service_while_every_request_fails(frame_fault_url: str) -> None:
    result = _run("doctor", "--no-speak", "--json", "--url", frame_fault_url)
    reached = next(check for check in json.loads(result.stdout)["checks"] if check["name"] == frame_fault_url)
    assert (result.returncode, reached["state"]) == (1, "broken")
    assert "reads text frames only" in reached["detail"]


@pytest.fixture
def frame_fault_url() -> Iterator[str]:
    """A container with the frame-type fault: healthy, and answering everything with the error `'text'`."""
    answer = json.dumps({"type": "error", "code": "internal", "message": "'text'"})

    def handler(socket: ServerConnection) -> None:
        for _ in socket:
            socket.send(answer)

    with serve(handler, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "argv", [("--help",), ("chunk", "One. Two."), ("doctor", "--settings", "--json"), ("serve", "--port", "0")]
)
def test_output_that_cannot_be_written_is_told_on_one_line(argv: tuple[str, ...]) -> None:
    code = "from firstword.cli.main import run; run()"
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-c", code, *argv], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert result.returncode == 1
    assert result.stderr.splitlines() == ["firstword: the output cannot be written: No space left on device."]


def test_a_group_of_commands_without_one_says_what_to_do_on_one_line() -> None:
    result = _run("models")
    assert result.returncode == 2
    assert result.stderr.splitlines() == ["firstword models: Missing command. Try firstword models --help."]


@pytest.mark.parametrize("argv", [("demo", "--out", "/dev/null/out"), ("serve", "--port", "65536")])
def test_what_can_never_succeed_is_told_before_anything_is_started(argv: tuple[str, ...]) -> None:
    result = _run(*argv)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "internal error" not in result.stderr
