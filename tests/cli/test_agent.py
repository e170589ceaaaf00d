"""`firstword agent`: wrong use is told before anything is served."""

import socket

import pytest

from firstword.cli.agent import agent
from firstword.errors import ConfigError, UsageError


@pytest.mark.parametrize("model", ["gpt", "openai:", "openai:nowhere", "openai:ftp://host", "bedrock:"])
def test_a_model_that_is_none_is_wrong_use(model: str) -> None:
    with pytest.raises(UsageError):
        agent(port=0, model=model)


def test_a_port_that_is_taken_or_impossible_is_wrong_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (taken.getsockname()[1], 99_999):
            with pytest.raises(UsageError, match=r"is in use|_PORT is 99999"):
                agent(port=port, model="openai:http://127.0.0.1:9")


def test_a_setting_that_means_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRSTWORD_AGENT_FIRST_CHUNK", "word")

    with pytest.raises(ConfigError, match="first_chunk"):
        agent(port=0, model="openai:http://127.0.0.1:9")
