"""The CDK's command line: a pinned copy in the user's cache, run on the packaged Node over an assembly we synthesized.

The assembly is complete before the command line sees it, so it runs none of our code and asks no questions: approval is
the caller's business (`toolkit.templates`).
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.resources import as_file, files
from pathlib import Path
from typing import IO

import platformdirs
from filelock import FileLock, Timeout

from firstword.errors import InfraError
from firstword.infra.node import node_executable, npm_script
from firstword.infra.toolkit.cloud import Cloud

__all__ = ["CdkCli", "install_cdk"]

type Tick = Callable[[list[str]], None]
"""Called every poll with the lines the command line has said since the last call."""

_INSTALL_TIMEOUT_S = 300
_END_S = 20
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def install_cdk(cache: Path | None = None) -> Path:
    """The command line's script, installed with its hashes on first use. Raises InfraError if npm cannot fetch it."""
    lock = files("firstword.infra.toolkit") / "cdk_cli" / "package-lock.json"
    base = (cache or platformdirs.user_cache_path("firstword")) / "cdk-cli"
    target = base / hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    script = target / "node_modules" / "aws-cdk" / "bin" / "cdk"
    if script.exists():
        return script
    try:
        base.mkdir(parents=True, exist_ok=True)
        with FileLock(str(base / ".lock"), timeout=_INSTALL_TIMEOUT_S):
            if not script.exists():
                _npm_ci(base, target)
    except (OSError, Timeout) as error:
        hint = "Make room there, or set XDG_CACHE_HOME."
        raise InfraError(f"The CDK command line cannot be kept in {base}.", code="no_cdk", hint=hint) from error
    return script


def _npm_ci(base: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=base) as staging, as_file(files("firstword.infra.toolkit")) as home:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(home / "cdk_cli" / name, staging)
        command = [str(node_executable()), str(npm_script()), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        try:
            done = subprocess.run(command, cwd=staging, capture_output=True, text=True, timeout=_INSTALL_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            hint = "Check the network, and npm's proxy and registry (npm config list)."
            raise InfraError("npm did not fetch the CDK command line in time.", code="no_cdk", hint=hint) from error
        if done.returncode != 0:
            reason = next((line for line in done.stderr.splitlines() if "ERR" in line or "error" in line), "npm failed")
            raise InfraError(
                f"The CDK command line could not be installed: {reason}.",
                code="no_cdk",
                hint="It comes from npm, once: check the network, and npm's proxy and registry (npm config list).",
            )
        shutil.rmtree(target, ignore_errors=True)
        Path(staging).rename(target)
        Path(staging).mkdir()


class CdkCli:
    """Runs `bootstrap` and `deploy` for one account. `poll_s` is how often `tick` is called."""

    def __init__(self, cloud: Cloud, *, script: Path, poll_s: float) -> None:
        self._cloud = cloud
        self._script = script
        self._poll_s = poll_s

    def deploy(self, assembly: Path, stacks: Sequence[str], tick: Tick) -> None:
        """Bring these stacks to what the assembly says; returns when CloudFormation has. Raises InfraError."""
        options = ["--method", "direct", "--require-approval", "never", "--progress", "events", "--exclusively"]
        self._run("deploy", [*stacks, "--app", str(assembly), *options], tick)

    def bootstrap(self, account: str, tick: Tick) -> None:
        """Make what the CDK needs in an account and region, once."""
        self._run("bootstrap", [f"aws://{account}/{self._cloud.region}"], tick)

    def _run(self, verb: str, arguments: list[str], tick: Tick) -> None:
        common = ["--no-notices", "--no-color", "--ci"]
        if self._cloud.profile != "default":
            common += ["--profile", self._cloud.profile]
        command = [str(node_executable()), str(self._script), verb, *arguments, *common]
        with tempfile.TemporaryDirectory() as scratch:
            log = Path(scratch) / "cdk.log"
            with log.open("wb") as sink, log.open(errors="replace") as source:
                process = subprocess.Popen(
                    command, cwd=scratch, env=self._environment(), stdin=subprocess.DEVNULL, stdout=sink, stderr=sink
                )
                said = self._follow(process, source, tick)
        if process.returncode != 0:
            raise InfraError(_reason(said), code="cdk_failed")

    def _follow(self, process: subprocess.Popen[bytes], source: IO[str], tick: Tick) -> list[str]:
        said: list[str] = []
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=self._poll_s)
                new = [_COLOURS.sub("", line).rstrip() for line in source.read().splitlines() if line.strip()]
                said += new
                tick(new)
                if process.returncode is not None:
                    return said
        finally:
            if process.poll() is None:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=_END_S)
                process.kill()
                process.wait()

    def _environment(self) -> dict[str, str]:
        region = self._cloud.region
        return os.environ | {
            "AWS_REGION": region,
            "AWS_DEFAULT_REGION": region,
            "CDK_DISABLE_CLI_TELEMETRY": "true",
            "JSII_NODE": str(node_executable()),
        }


def _reason(said: list[str]) -> str:
    """The line of the command line's output that says why."""
    for line in reversed(said):
        if "❌" in line or "Error:" in line or "error:" in line:
            return " ".join(line.replace("❌", "").split())[:500]
    return said[-1][:500] if said else "The CDK command line failed without a word."
