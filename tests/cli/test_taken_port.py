"""A port that is taken is told before a local model or voice is started for it."""

import socket
from collections.abc import Callable
from typing import NoReturn

import pytest

from firstword.cli import agent as agent_command
from firstword.cli import web as web_command
from firstword.errors import UsageError

COMMANDS: list[Callable[[int], None]] = [
    lambda port: agent_command.agent(port=port),
    lambda port: web_command.web(port=port, open_page=False),
]


@pytest.mark.parametrize("command", COMMANDS, ids=["agent", "web"])
def test_nothing_is_started_for_a_port_that_is_taken(
    command: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*_parts: object) -> NoReturn:
        pytest.fail("a local stack was started")

    monkeypatch.setattr(agent_command, "Stack", started)
    monkeypatch.setattr(web_command, "Stack", started)
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(UsageError, match="is in use"),
    ):
        command(taken.getsockname()[1])
