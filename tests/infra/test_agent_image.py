"""The agent image, built for this machine and booted on loopback: AgentCore's contract, every mode, both doors."""

import asyncio

import pytest

from contract.agentcore import talk
from fakes.containers import Image, shell

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
