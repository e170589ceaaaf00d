"""Any voice agent from its caller's side: a local one or an AgentCore runtime, over server-sent events or `/ws`."""

from firstword.client.agent.arrival import AgentArrival
from firstword.client.agent.connection import AgentConnection, DoorName, connect_agent

__all__ = ["AgentArrival", "AgentConnection", "DoorName", "connect_agent"]
