"""What the scripted model says: replies, chosen by the question, made of turns, made of steps.

A reply is chosen by `when`, words that the last user message must hold; the first that fits wins, and one without
`when` fits all. Its turns answer in order as tool results come back: the first turn until it calls a tool, the second
once the result is there. The choice depends on the request alone, so any number of conversations may run at once.
Pure: no clock, no I/O but reading the script's file. Above it: `firstword.llm.scripted.server`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from firstword.errors import ConfigError

__all__ = ["Call", "Fail", "Reply", "Say", "Script", "Stall", "Step", "load_script", "tokens"]


class Say(msgspec.Struct, frozen=True, kw_only=True, tag="say"):
    """Stream this text, token by token."""

    text: str


class Stall(msgspec.Struct, frozen=True, kw_only=True, tag="stall"):
    """Say nothing for a while, the connection open."""

    seconds: float


class Call(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """Call a tool; the turn ends with it."""

    name: str
    arguments: dict[str, Any] = {}


class Fail(msgspec.Struct, frozen=True, kw_only=True, tag="fail"):
    """As the first step: answer with this HTTP status. Later: break the stream off."""

    status: int = 500
    message: str = "scripted failure"


type Step = Say | Stall | Call | Fail


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """One answer; `turns[n]` comes after n tool results. `max_tokens` of the request cuts it, as a real model's."""

    turns: tuple[tuple[Step, ...], ...]
    when: str = ""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """All the model knows, and how fast it speaks: `tokens_per_s` 0 is as fast as it can be read."""

    replies: tuple[Reply, ...]
    tokens_per_s: float = 30.0
    first_token_s: float = 0.0

    @staticmethod
    def saying(text: str, *, tokens_per_s: float = 0.0) -> "Script":
        """A model with one answer to everything."""
        return Script(replies=(Reply(turns=((Say(text=text),),)),), tokens_per_s=tokens_per_s)

    def steps(self, messages: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
        """What to do for this request. Raises ConfigError when the script has nothing for it."""
        asked = max((i for i, message in enumerate(messages) if message.get("role") == "user"), default=-1)
        question = _text(messages[asked].get("content")) if asked >= 0 else ""
        results = sum(message.get("role") == "tool" for message in messages[asked + 1 :])
        for reply in self.replies:
            if reply.when in question and results < len(reply.turns):
                return reply.turns[results]
        raise ConfigError("The script has no reply to this request.", hint="Add one without `when`.")


def load_script(path: Path) -> Script:
    """The script in a JSON file. Raises ConfigError if it is not one."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Script)
    except OSError as error:
        raise ConfigError(f"The script {path} cannot be read.") from error
    except msgspec.DecodeError as error:
        raise ConfigError(f"{path} is not a script: {error}.") from error


# Words with the space before them, long ones in pieces of five letters; a CJK character is a token of its own.
_TOKEN: Final = re.compile(
    r"\s*(?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u9fff\uac00-\ud7af]{1,5}|\S)|\s+"
)


def tokens(text: str) -> Iterator[str]:
    """The text in pieces as a model might deliver it; joined they are the text."""
    return (match.group() for match in _TOKEN.finditer(text))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
