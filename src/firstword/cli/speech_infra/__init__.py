"""`speech-infra`: the table of its commands."""

from firstword.cli.commands import Command, run_commands

__all__ = ["run"]

_HOME = "firstword.cli.speech_infra"
_TABLE = {
    "list": Command(f"{_HOME}.status:list_voices", "Every voice and whether it stands."),
    "deploy": Command(f"{_HOME}.deploy:deploy", "Bring a voice into service."),
    "status": Command(f"{_HOME}.status:status", "One voice: endpoint, fleet, alarms, cost an hour."),
    "say": Command(f"{_HOME}.say:say", "Speak one text through the deployed voice: a smoke test."),
    "logs": Command(f"{_HOME}.logs:logs", "What the containers last said."),
    "diff": Command(f"{_HOME}.deploy:diff", "What a deployment would change."),
    "synth": Command(f"{_HOME}.synth:synth", "Write the CloudFormation templates; needs no network."),
    "pause": Command(f"{_HOME}.pause:pause", "Take the endpoint away, keep the rest; nothing runs, nothing costs."),
    "resume": Command(f"{_HOME}.pause:resume", "Bring a paused voice back as it was."),
    "estimate": Command(f"{_HOME}.estimate:estimate", "What a voice costs a month."),
    "models": Command(f"{_HOME}.models:app", "Weights in S3: sync."),
    "doctor": Command(f"{_HOME}.doctor:doctor", "Is everything here and in the account that a deployment needs."),
    "bootstrap": Command(f"{_HOME}.bootstrap:bootstrap", "Prepare an account and region for the CDK, once."),
    "destroy": Command(f"{_HOME}.destroy:destroy", "Remove a voice, and say what stays."),
}


def run() -> None:
    run_commands("speech-infra", "Deploy, watch and remove the voice on AWS.", _TABLE, sigterm_interrupts=True)
