"""Stands in for AWS on a laptop: SageMaker Runtime, Bedrock Runtime and AgentCore, as the unmodified SDKs call them.

It relays bytes to a container, a model server and an agent that run here, with AWS's framing, limits and errors. It
knows nothing of what those bytes mean: nothing of firstword's protocol, text or voice is imported, so it serves any
container. `emulator` starts it; the `cli` and `stack` stand above.
"""
