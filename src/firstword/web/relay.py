"""The way from the gateway to an agent, by the client's doors: payloads in, events and audio out, looked into nowhere.

An agent is a URL (`http://127.0.0.1:9000`) or the ARN of an AgentCore runtime, which is reached with the AWS
credentials of this process. Above it: `gateway`.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from firstword.client.agent import SocketDoor, open_door, open_socket
from firstword.config import ClientSettings, WebSettings
from firstword.errors import ConfigError

__all__ = ["Relay"]


class Relay:
    """Doors to one agent, a fresh one for each answer or socket. Raises ConfigError for what names no agent."""

    def __init__(self, agent: str, settings: WebSettings) -> None:
        if not agent.startswith(("http://", "https://", "arn:")):
            raise ConfigError(f"{agent!r} names no agent.", hint="Give a URL (http://HOST:PORT) or a runtime ARN.")
        self._agent = agent
        self._settings = ClientSettings.load(
            connect_timeout_s=settings.connect_timeout_s, receive_timeout_s=settings.agent_timeout_s
        )

    async def events(self, payload: bytes, conversation: str) -> AsyncGenerator[str | bytes]:
        """The agent's events. Raises a TransportError or RemoteError."""
        door = open_door(self._agent, "sse", conversation, self._settings)
        async with aclosing(door), aclosing(door.ask(payload)) as texts:
            async for text in texts:
                yield text

    def socket(self, conversation: str) -> SocketDoor:
        """A door that stays open for a conversation, and whose audio comes as bytes. Owe it `aclose`."""
        return open_socket(self._agent, conversation, self._settings)

    async def received(self, door: SocketDoor) -> AsyncGenerator[str | bytes]:
        """Everything that comes through it until it is closed, which this sees to. Raises a TransportError."""
        async with aclosing(door), aclosing(door.received()) as items:
            async for item in items:
                yield item
