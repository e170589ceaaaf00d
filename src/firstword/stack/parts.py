"""What the stack can be made of: per part, its command line, and which other parts must be ready first.

A part knows its own process and the addresses it is told; how processes are run is `process`, in which order is
`launcher`. A part named in `after` is waited for where it is in the stack, and left out where it is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from firstword.errors import UsageError
from firstword.stack.process import Ready

__all__ = ["Agent", "Emulator", "Llm", "Part", "ScriptedLlm", "Speech"]

_SPEECH: Final = "speech server"
_LLM: Final = "language model"
_EMULATOR: Final = "emulator"
_AGENT: Final = "agent"


class Part(Protocol):
    """One process: `title` names it to people, and no two parts of a stack share one."""

    @property
    def title(self) -> str: ...
    @property
    def after(self) -> Sequence[str]: ...
    @property
    def environ(self) -> Mapping[str, str]: ...
    def argv(self, ready: Mapping[str, Ready], /) -> Sequence[str]:
        """Module and arguments, given what the parts in `after` said when they were ready, by title."""
        ...


@dataclass(frozen=True, kw_only=True)
class Speech:
    """`firstword serve`. Other settings than the port go in `environ`, e.g. FIRSTWORD_VOICE_ENGINE=tone."""

    environ: Mapping[str, str] = field(default_factory=dict)
    title: str = _SPEECH
    after: Sequence[str] = ()

    def argv(self, _ready: Mapping[str, Ready], /) -> Sequence[str]:
        return ("firstword.cli", "serve", "--port", "0")


@dataclass(frozen=True, kw_only=True)
class Llm:
    """The packaged language model."""

    environ: Mapping[str, str] = field(default_factory=dict)
    title: str = _LLM
    after: Sequence[str] = ()

    def argv(self, _ready: Mapping[str, Ready], /) -> Sequence[str]:
        return ("firstword.llm", "--port", "0")


@dataclass(frozen=True, kw_only=True)
class ScriptedLlm:
    """A language model that says what the script says, at its pace; stands where `Llm` stands."""

    script: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    title: str = _LLM
    after: Sequence[str] = ()

    def argv(self, _ready: Mapping[str, Ready], /) -> Sequence[str]:
        return ("firstword.llm.scripted", "--port", "0", str(self.script))


@dataclass(frozen=True, kw_only=True)
class Emulator:
    """`firstword emulate` in front of the speech server and the language model; `options` are further arguments."""

    endpoint: str = "speech-kokoro-82m"
    options: Sequence[str] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    title: str = _EMULATOR
    after: Sequence[str] = (_SPEECH, _LLM)

    def argv(self, ready: Mapping[str, Ready], /) -> Sequence[str]:
        bedrock = ("--bedrock", ready[_LLM].url) if _LLM in ready else ()
        endpoint = f"{self.endpoint}={_url(ready, _SPEECH, self.title)}"
        return ("firstword.cli", "emulate", "--endpoint", endpoint, *bedrock, *self.options)


@dataclass(frozen=True, kw_only=True)
class Agent:
    """`firstword agent`. It speaks and thinks with the parts beside it, unless `speech` or `model` name others."""

    speech: str = ""
    model: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)
    title: str = _AGENT
    after: Sequence[str] = (_SPEECH, _LLM, _EMULATOR)

    def argv(self, ready: Mapping[str, Ready], /) -> Sequence[str]:
        speech = self.speech or _url(ready, _SPEECH, self.title)
        model = self.model or f"openai:{_url(ready, _LLM, self.title)}"
        return ("firstword.cli", "agent", "--port", "0", "--model", model, "--speech", speech)


def _url(ready: Mapping[str, Ready], needed: str, title: str) -> str:
    if needed not in ready:
        raise UsageError(f"The {title} needs a {needed}, and there is none in this stack.")
    return ready[needed].url
