"""Any voice agent from its caller's side: a local one or an AgentCore runtime, over server-sent events or `/ws`."""

from firstword.client.agent.arrival import AgentArrival
from firstword.client.agent.connection import AgentConnection, DoorName, connect_agent, open_door, open_socket
from firstword.client.agent.doors import Door, SocketDoor

__all__ = [
    "AgentArrival",
    "AgentConnection",
    "Door",
    "DoorName",
    "SocketDoor",
    "connect_agent",
    "open_door",
    "open_socket",
]
