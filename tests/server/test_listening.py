"""The process: how it announces itself, how it ends, and what it refuses to do."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from fakes.containers import free_port
from firstword.config import ServerSettings
from firstword.errors import UsageError
from firstword.kokoro.tone import ToneVoice
from firstword.server.listening import serve

pytestmark = pytest.mark.timeout(60)


@contextmanager
def _process(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`firstword serve` with the test voice, once it has said where it listens."""
    environment = {**os.environ, "FIRSTWORD_VOICE_ENGINE": "tone"}
    command = [sys.executable, "-c", "from firstword.cli.main import run; run()", "serve", "--port", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


def test_it_says_where_it_listens_and_ends_with_zero_on_sigterm() -> None:
    with _process() as (process, url):
        assert httpx.get(f"{url}/ping", trust_env=False).status_code == 200
        with connect(url.replace("http", "ws") + "/invocations-bidirectional-stream", proxy=None) as session:
            session.recv(10)
            process.send_signal(signal.SIGTERM)
            told = [str(session.recv(10)) for _ in range(2)]
        assert "going_away" in told[0]
        assert "closed" in told[1]
        assert process.wait(20) == 0


def test_in_a_container_a_voice_that_does_not_load_keeps_ping_at_503_until_sigterm(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "FIRSTWORD_ASSETS_SOURCE": f"dir:{tmp_path}",
        "FIRSTWORD_SERVER_STAY_FAILED": "true",
    }
    port = free_port()
    command = [sys.executable, "-c", "from firstword.cli.main import run; run()", "serve", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            while "the voice did not load" not in said:
                assert said, "it ended"
                said = process.stderr.readline()
            assert "holds no assets" in said
            assert httpx.get(f"http://127.0.0.1:{port}/ping", trust_env=False).status_code == 503
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        finally:
            process.kill()


def test_a_port_in_use_is_one_line_and_wrong_use() -> None:
    with _process() as (_, url):
        port = url.rpartition(":")[2]
        environment = {**os.environ, "FIRSTWORD_VOICE_ENGINE": "tone"}
        command = [sys.executable, "-c", "from firstword.cli.main import run; run()", "serve", "--port", port]
        second = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=30, check=False)
    assert second.returncode == 2
    assert len(second.stderr.splitlines()) == 1
    assert f"Port {port} on 127.0.0.1 is in use." in second.stderr


@pytest.mark.parametrize("host", ["192.0.2.1", "::", "speech.example"])
def test_it_listens_beyond_this_machine_only_with_a_key_or_when_told_to(host: str) -> None:
    with pytest.raises(UsageError, match="this machine only"):
        serve(ServerSettings(host=host, port=0), ToneVoice, default_voice="af_heart", announce=print)


def test_a_key_file_that_is_missing_is_told_before_anything_is_opened(tmp_path: Path) -> None:
    settings = ServerSettings(port=0, api_key_file=str(tmp_path / "none"))
    with pytest.raises(UsageError, match="cannot be read"):
        serve(settings, ToneVoice, default_voice="af_heart", announce=print)
