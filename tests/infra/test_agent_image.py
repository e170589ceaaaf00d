"""The agent image, built for this machine and booted on loopback: AgentCore's contract, every mode, both doors.

And built for AgentCore's machines, which are arm64, on one that can run nothing for them.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.agentcore import talk
from fakes.containers import Image, mounted, shell

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def test_the_image_is_what_agentcore_asks_for(agent_image: Image) -> None:
    config = agent_image.config
    assert config["User"] == "firstword"
    assert config["Entrypoint"] == ["/opt/firstword/bin/python", "-m", "firstword.cli"]
    assert config["Cmd"] == ["agent"]
    assert "8080/tcp" in config["ExposedPorts"]
    variables = agent_image.variables
    assert variables["FIRSTWORD_AGENT_HOST"] == "0.0.0.0"  # noqa: S104  # inside the container
    assert variables["FIRSTWORD_AGENT_PORT"] == "8080"


def test_the_image_stays_far_below_agentcores_two_gigabytes(agent_image: Image) -> None:
    added_mb = (agent_image.bytes - agent_image.base_bytes) / 1e6
    print(f"agent image: {added_mb:.0f} MB above its base")
    assert agent_image.bytes < 1e9
    assert "torch" not in shell(agent_image, "ls /opt/firstword/lib/python3.12/site-packages").split()


def test_every_mode_answers_at_both_doors_and_a_stop_is_clean(agent_image: Image) -> None:
    asyncio.run(asyncio.wait_for(talk(agent_image), 240))


_X86_64, _AARCH64 = 62, 183
_SITE_PACKAGES = "opt/firstword/lib/python3.12/site-packages"


def test_the_image_for_agentcores_machines_holds_nothing_of_the_machine_that_built_it(arm64_agent_image: Image) -> None:
    assert arm64_agent_image.architecture == "arm64"
    with mounted(arm64_agent_image) as root:
        ours = list(_machines(root / "opt" / "firstword"))
        assert len(ours) > 30
        assert set(ours) == {_AARCH64}
        assert set(_machines(root / "usr")) == {_AARCH64}  # the base under it


def test_the_image_for_agentcores_machines_is_otherwise_the_one_that_is_booted_here(
    agent_image: Image, arm64_agent_image: Image
) -> None:
    assert agent_image.architecture == "amd64"
    for key in ("User", "Entrypoint", "Cmd", "ExposedPorts", "Healthcheck", "Labels", "Env"):
        assert arm64_agent_image.config[key] == agent_image.config[key], key
    with mounted(agent_image) as here, mounted(arm64_agent_image) as there:
        assert set(_machines(here / "opt" / "firstword")) == {_X86_64}
        packages, theirs = (_modules(root / _SITE_PACKAGES) for root in (here, there))
        assert packages == theirs
        assert {"bedrock_agentcore", "strands", "awscrt", "firstword"} <= packages
        for root in (here, there):
            python = root / "opt" / "firstword" / "bin" / "python"
            assert python.readlink().name == "python3.12"
            assert (python.parent / "python3.12").readlink() == Path("/usr/local/bin/python3.12")
            assert "\nfirstword:x:10001:" in (root / "etc" / "passwd").read_text()
            compiled = root / _SITE_PACKAGES / "firstword" / "cli" / "__pycache__"
            assert (compiled / "main.cpython-312.pyc").is_file()


def _machines(directory: Path) -> Iterator[int]:
    """The `e_machine` of every file with an ELF header."""
    for path in directory.rglob("*"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                head = file.read(20)
            if head.startswith(b"\x7fELF"):
                yield int.from_bytes(head[18:20], "little")


def _modules(site_packages: Path) -> set[str]:
    return {path.name for path in site_packages.iterdir() if "." not in path.name}
