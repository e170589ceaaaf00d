"""`firstword emulate` as a process, and plain AWS scripts that know nothing but what it prints."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firstword.cli.commands import Command, run_commands

WAIT_S = 60.0
MODULE = [sys.executable, "-m", "firstword.cli", "emulate"]

# A container that is neither ours nor Python's best, and two scripts as anyone would write them.
CONTAINER = """
import asyncio
from websockets.asyncio.server import serve

async def echo(socket):
    async for message in socket:
        await socket.send(message)

async def main():
    async with serve(echo, "127.0.0.1", 0) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

asyncio.run(main())
"""

BOTO3 = """
import boto3
try:
    boto3.client("sagemaker-runtime").invoke_endpoint(EndpointName="missing", Body=b"x")
except Exception as error:
    print(type(error).__name__, error)
"""

STREAM = """
import asyncio, os
from aws_sdk_sagemaker_runtime_http2.client import AsyncSageMakerRuntimeHTTP2Client
from aws_sdk_sagemaker_runtime_http2.config import AsyncSageMakerRuntimeHTTP2Config
from aws_sdk_sagemaker_runtime_http2.models import (
    InvokeEndpointWithBidirectionalStreamInput, RequestPayloadPart, RequestStreamEventPayloadPart)
from smithy_http.aio.crt import AWSCRTHTTPClient

async def main():
    config = await AsyncSageMakerRuntimeHTTP2Config.resolve(transport=AWSCRTHTTPClient())
    async with AsyncSageMakerRuntimeHTTP2Client(config=config) as client:
        stream = await client.invoke_endpoint_with_bidirectional_stream(
            InvokeEndpointWithBidirectionalStreamInput(endpoint_name="echo"))
        part = RequestPayloadPart(bytes_=b"hello", data_type="UTF8")
        await stream.input_stream.send(RequestStreamEventPayloadPart(value=part))
        _, output = await stream.await_output()
        event = await output.receive()
        print(event.value.bytes_, event.value.data_type)
        await stream.input_stream.close()
        print(await output.receive())

asyncio.run(asyncio.wait_for(main(), 30))
"""


@contextmanager
def _process(*argv: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _exports(process: subprocess.Popen[str]) -> dict[str, str]:
    exports: dict[str, str] = {}
    assert process.stdout is not None
    for line in process.stdout:
        if line == "ready\n":
            return exports
        name, _, value = line.removeprefix("export ").strip().partition("=")
        exports[name] = value
    raise AssertionError(f"not ready: {process.communicate()[1]}")


def _script(text: str, exports: dict[str, str]) -> str:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    done = subprocess.run(
        [sys.executable, "-c", text], env=plain | exports, capture_output=True, text=True, timeout=WAIT_S, check=False
    )
    return done.stdout or done.stderr


def test_plain_aws_scripts_work_with_nothing_but_the_printed_exports() -> None:
    with _process(sys.executable, "-c", CONTAINER) as container:
        assert container.stdout is not None
        port = container.stdout.readline().strip()
        with _process(*MODULE, "--endpoint", f"echo=http://127.0.0.1:{port}", "--verify-signatures") as emulator:
            exports = _exports(emulator)
            assert _script(STREAM, exports) == "b'hello' UTF8\nNone\n"
            assert "ValidationError" in _script(BOTO3, exports)
            emulator.send_signal(signal.SIGTERM)
            assert emulator.wait(WAIT_S) == 0
            assert not Path(exports["SSL_CERT_FILE"]).exists()


def test_the_exports_are_what_scripts_rely_on() -> None:
    with _process(*MODULE, "--h2", "h2c", "--region", "eu-west-1") as emulator:
        exports = _exports(emulator)
        emulator.send_signal(signal.SIGINT)
        assert emulator.wait(WAIT_S) == 0
    assert exports["AWS_REGION"] == exports["AWS_DEFAULT_REGION"] == "eu-west-1"
    assert exports["AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME_HTTP2"].startswith("http://127.0.0.1:")
    assert {
        "AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME",
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
        "AWS_ENDPOINT_URL_BEDROCK_AGENTCORE",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    } < exports.keys()


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["--endpoint", "nonsense"], "NAME=URL"),
        (["--endpoint", "a=ftp://x"], "NAME=URL"),
        (["--h2", "quic"], "h2c"),
        (["--fault", "earthquake"], "earthquake"),
        (["--http-port", "TAKEN"], "Cannot listen"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(argv: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = {"emulate": Command("firstword.cli.emulate:emulate", "")}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        options = [str(taken.getsockname()[1]) if option == "TAKEN" else option for option in argv]
        with pytest.raises(SystemExit) as exited:
            run_commands("firstword", "", table, ["emulate", *options])
    said = capsys.readouterr()
    assert exited.value.code == 2
    assert word in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert said.out == ""
