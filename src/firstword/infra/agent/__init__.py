"""The stack behind `agent-infra`: one AgentCore runtime and who may call it."""
