"""`agent-infra`: the table of its commands."""

from firstword.cli.commands import Command, run_commands

__all__ = ["run"]

_HOME = "firstword.cli.agent_infra"
_TABLE = {
    "deploy": Command(f"{_HOME}.deploy:deploy", "Bring the voice agent up on AgentCore."),
    "status": Command(f"{_HOME}.status:status", "The agent: runtime, version, the voice it speaks through."),
    "demo": Command(f"{_HOME}.demo:demo", "Ask it in every mode, and compare when it is first heard."),
    "logs": Command(f"{_HOME}.status:logs", "What the agent last said of itself."),
    "diff": Command(f"{_HOME}.deploy:diff", "What a deployment would change."),
    "synth": Command(f"{_HOME}.deploy:synth", "Write the CloudFormation templates; needs no network."),
    "doctor": Command(f"{_HOME}.status:doctor", "Is everything here and in the account that a deployment needs."),
    "destroy": Command(f"{_HOME}.destroy:destroy", "Remove the agent, and say what stays."),
}


def run() -> None:
    run_commands("agent-infra", "Deploy, watch and remove the voice agent on AWS.", _TABLE, sigterm_interrupts=True)
