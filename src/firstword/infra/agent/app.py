"""Puts the agent's stacks together: the shared foundation, which holds its image repository, and the runtime."""

from pathlib import Path

import aws_cdk as cdk

from firstword.infra.agent.runtime import AgentStack
from firstword.infra.application import kernel_alive, new_app, synthesize
from firstword.infra.deployment import AgentDeployment, Place
from firstword.infra.foundation import Foundation

__all__ = ["agent_app", "synthesize_agent"]


def agent_app(place: Place, deployment: AgentDeployment | None, directory: Path) -> cdk.App:
    """The app of a place's agent, or of the foundation alone while there is no image yet."""
    app = new_app(directory)
    Foundation(app, place=place)
    if deployment is not None:
        AgentStack(app, place=place, deployment=deployment)
    return app


def synthesize_agent(place: Place, deployment: AgentDeployment | None, directory: Path) -> Path:
    """Write the assembly of `agent_app` to `directory`. Raises InfraError when a rule refuses it."""
    with kernel_alive():
        return synthesize(agent_app(place, deployment, directory))
