"""`firstword say` as a process: files, standard input that is spoken as it comes, JSON, players, one-line errors."""

import contextlib
import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstword.audio import duration_s, wav_pcm
from firstword.codecs.decoder import decode_whole

TEXT = "Hello there. It has two sentences."
COMMAND = (sys.executable, "-m", "firstword.cli", "say")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """`firstword serve` with the test voice."""
    with subprocess.Popen(
        [sys.executable, "-m", "firstword.cli", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "FIRSTWORD_VOICE_ENGINE": "tone"},
    ) as server:
        assert server.stdout is not None
        watchdog = threading.Timer(60, server.kill)
        watchdog.start()
        address = next(server.stdout).removeprefix("listening on ").strip()
        watchdog.cancel()
        yield address
        server.terminate()


def say(*argv: object, path: str = os.environ["PATH"], text: str = "") -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "FIRSTWORD_VOICE_ENGINE": "tone", "PATH": path}
    command = [*COMMAND, *map(str, argv)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environ, input=text)


def test_a_text_is_written_to_a_file_with_figures_as_json(url: str, tmp_path: Path) -> None:
    path = tmp_path / "speech.wav"
    result = say(TEXT, "-o", path, "--url", url, "--json")
    assert result.returncode == 0, result.stderr
    figures = json.loads(result.stdout)
    pcm, _ = wav_pcm(path.read_bytes())
    assert figures["audio_bytes"] == len(pcm)
    assert [each["text"] for each in figures["sentences"]] == ["Hello there.", "It has two sentences."]
    assert figures["first_audio_ms"] > 0


def _processes_with(mark: str) -> list[str]:
    """Processes that have inherited this from the command's environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
    return found


def test_without_a_server_it_starts_one_and_leaves_none(tmp_path: Path) -> None:
    result = say(TEXT, "-o", tmp_path / "speech.mp3", path=f"{os.environ['PATH']}:{tmp_path}")
    assert result.returncode == 0, result.stderr
    assert "first audio after" in result.stderr
    assert result.stdout == ""
    assert (tmp_path / "speech.mp3").stat().st_size > 1_000
    assert _processes_with(str(tmp_path)) == []


def test_standard_input_is_spoken_while_it_comes(url: str, tmp_path: Path) -> None:
    path = tmp_path / "speech.pcm"
    part = f".{path.name}."
    process = subprocess.Popen(
        [*COMMAND, "-", "-o", str(path), "--url", url], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdin is not None
        process.stdin.write("The first one ends here. \u20ac".encode()[:-1])
        process.stdin.flush()
        spoken = threading.Event()

        def watch() -> None:
            while not any(
                entry.name.startswith(part) and entry.stat().st_size > 10_000 for entry in tmp_path.iterdir()
            ):
                if spoken.wait(0.02):
                    return
            spoken.set()

        watcher = threading.Thread(target=watch)
        watcher.start()
        watcher.join(30)
        assert spoken.is_set(), "nothing was spoken before the input ended"
        process.stdin.write("\u20ac".encode()[-1:] + b" is the second.")
        process.stdin.close()
        assert process.wait(30) == 0
    assert path.stat().st_size > 60_000


@pytest.mark.parametrize(("argv", "form"), [((), "wav"), (("--format", "mp3"), "mp3")])
def test_a_dash_is_standard_output(argv: tuple[str, ...], form: str, url: str, tmp_path: Path) -> None:
    command = [*COMMAND, TEXT, "-o", "-", *argv, "--url", url]
    result = subprocess.run(command, capture_output=True, timeout=120, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    pcm, rate_hz = decode_whole(result.stdout, form)
    assert duration_s(len(pcm), rate_hz) > 1.0
    assert list(tmp_path.iterdir()) == []


def test_what_standard_output_leads_to_is_added_to_and_never_replaced(url: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"before")
    with path.open("ab") as file:
        command = [*COMMAND, TEXT, "-o", "-", "--url", url]
        assert subprocess.run(command, stdout=file, stderr=subprocess.PIPE, timeout=120, check=False).returncode == 0
    assert path.read_bytes().startswith(b"beforeRIFF\xff\xff\xff\xff")


def test_a_pipe_that_is_closed_early_is_told_in_one_line(url: str) -> None:
    command = [*COMMAND, TEXT, "-o", "-", "--url", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(60) == 1
        assert process.stderr.read().decode().strip() == "firstword say: Cannot write to standard output: Broken pipe."


@pytest.mark.parametrize(
    ("argv", "code", "line"),
    [
        (("",), 2, "There is no text to say."),
        ((TEXT, "-o", "speech.doc"), 2, "names no format"),
        ((TEXT, "-o", "speech.wav", "--format", "doc"), 2, "no format 'doc'"),
        ((TEXT, "-o", "speech.wav", "--format", "mp3"), 2, "The suffix of speech.wav says wav"),
        ((TEXT, "-o", "-", "--json"), 2, "cannot both go to standard output"),
        ((TEXT, "-o", "speech.wav", "--voice", ""), 2, "The voice is ''"),
        ((TEXT, "-o", "/proc/speech.wav"), 1, "Cannot write /proc/speech.wav"),
        ((TEXT, "-o", "speech.wav", "--voice", "nobody"), 2, "voice"),
        ((TEXT, "-o", "speech.wav", "--speed", "9"), 2, "speed"),
        ((TEXT, "-o", "speech.wav", "--endpoint", "x", "--region", "nowhere-1"), 2, "exclude each other"),
    ],
)
def test_what_is_wrong_is_one_line(argv: tuple[str, ...], code: int, line: str, url: str, tmp_path: Path) -> None:
    placed = [str(tmp_path / part) if part.startswith("speech.") else part for part in argv]
    result = say(*placed, "--url", url)
    assert result.returncode == code
    assert line in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_nobody_at_the_url_is_one_line(tmp_path: Path) -> None:
    result = say(TEXT, "-o", tmp_path / "speech.wav", "--url", "http://127.0.0.1:1")
    assert result.returncode == 1
    assert "Connection refused" in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_endpoint_without_credentials_or_region_says_what_to_do(tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "AWS_EC2_METADATA_DISABLED": "true"}
    for region, expected in (((), "AWS_REGION"), (("--region", "eu-west-1"), "aws configure")):
        argv = [*COMMAND, TEXT, "-o", str(tmp_path / "speech.wav"), "--endpoint", "voice", *region]
        result = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False, env=environ)
        assert result.returncode == 2
        assert expected in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.fixture(scope="module")
def emulated(url: str) -> Iterator[dict[str, str]]:
    """The variables that point AWS tools at `firstword emulate`, with the server as endpoint `voice`."""
    with subprocess.Popen(
        [sys.executable, "-m", "firstword.cli", "emulate", "--endpoint", f"voice={url}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as emulator:
        assert emulator.stdout is not None
        watchdog = threading.Timer(60, emulator.kill)
        watchdog.start()
        exports = {}
        for line in emulator.stdout:
            if line == "ready\n":
                break
            name, _, value = line.strip().removeprefix("export ").partition("=")
            exports[name] = value
        watchdog.cancel()
        yield exports
        emulator.terminate()


@pytest.mark.slow
@pytest.mark.parametrize("http", ["crt", "own"])
def test_an_endpoint_says_the_same_bytes_and_prints_nothing_else(
    http: str, url: str, emulated: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**emulated, "FIRSTWORD_CLIENT_SAGEMAKER_HTTP": http}.items():
        monkeypatch.setenv(name, value)
    result = say(TEXT, "-o", tmp_path / "endpoint.wav", "--endpoint", "voice")
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("\n") == 1
    assert say(TEXT, "-o", tmp_path / "server.wav", "--url", url).returncode == 0
    assert (tmp_path / "endpoint.wav").read_bytes() == (tmp_path / "server.wav").read_bytes()
    result = say(TEXT, "-o", tmp_path / "nothing.wav", "--endpoint", "nothing")
    assert result.returncode == 1
    assert "name and region" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.fixture
def player(tmp_path: Path) -> Path:
    """A machine whose only player writes what it hears to a file."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "aplay"
    program.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/heard\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return folder


def test_it_plays_through_the_player_there_is(url: str, player: Path, tmp_path: Path) -> None:
    result = say("Hello there.", "--play", "-o", tmp_path / "speech.pcm", "--url", url, path=str(player))
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "heard").read_bytes() == (tmp_path / "speech.pcm").read_bytes() != b""


def test_a_player_that_fails_is_one_line(url: str, player: Path) -> None:
    (player / "aplay").write_text("#!/bin/sh\necho 'no such device' >&2\nexit 1\n")
    result = say("Hello there.", "--url", url, path=str(player))
    assert result.returncode == 1
    assert "aplay failed" in result.stderr
    assert "no such device" in result.stderr


def test_a_machine_without_a_player_is_told_to_write_a_file(url: str, tmp_path: Path) -> None:
    result = say("Hello there.", "--url", url, path=str(tmp_path))
    assert result.returncode == 2
    assert "no player" in result.stderr
    assert "-o" in result.stderr


def test_a_file_of_pronunciations_is_spoken_and_a_wrong_symbol_is_named(url: str, tmp_path: Path) -> None:
    words = tmp_path / "words.json"
    spoken = []
    for text, entries in (("Use nginx.", {"nginx": "engine x"}), ("Use engine x.", {})):
        words.write_text(json.dumps(entries), encoding="utf-8")
        result = say(text, "-o", tmp_path / "speech.wav", "--url", url, "--pronunciations", words)
        assert result.returncode == 0, result.stderr
        spoken.append(wav_pcm((tmp_path / "speech.wav").read_bytes())[0])
    assert spoken[0] == spoken[1]
    words.write_text(json.dumps({"nginx": "/n@x/"}), encoding="utf-8")
    result = say("Use nginx.", "-o", tmp_path / "speech.wav", "--url", url, "--pronunciations", words)
    assert (result.returncode, "U+0040" in result.stderr) == (2, True)
