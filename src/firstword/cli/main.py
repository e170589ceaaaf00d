"""`firstword`: the table of its commands."""

from firstword.cli.commands import Command, run_commands

__all__ = ["run"]

_TABLE = {
    "demo": Command("firstword.cli.demo:demo", "Ask a local agent and hear the answer while it is being written."),
    "say": Command("firstword.cli.say:say", "Speak a text, to a file or aloud."),
    "serve": Command("firstword.cli.serve:serve", "Run the speech server."),
    "agent": Command("firstword.cli.agent:agent", "Run the voice agent as AgentCore runs it."),
    "emulate": Command("firstword.cli.emulate:emulate", "Stand in for AWS: SageMaker Runtime, Bedrock, AgentCore."),
    "web": Command("firstword.cli.web:web", "Serve a page that asks, plays, shows and interrupts."),
    "voices": Command("firstword.cli.voices:voices", "List the voices."),
    "models": Command("firstword.cli.models:app", "Fetch, list and verify weights and voices."),
    "bench": Command("firstword.cli.bench:app", "Measure: first audio, formats, quality, the agent."),
    "chunk": Command("firstword.cli.chunk:chunk", "Cut text into sentences, one a line."),
    "speakable": Command(
        "firstword.cli.speakable:speakable", "Show what a text is said as, and where each word was written."
    ),
    "doctor": Command("firstword.cli.doctor:doctor", "Check that everything needed is here and works."),
}


def run() -> None:
    run_commands("firstword", "A voice agent's first word, spoken while the rest of its answer is written.", _TABLE)
