"""What a request may choose about how its text is said."""

from dataclasses import dataclass, field
from typing import Literal

from firstword.text.pronunciation import Pronunciations

__all__ = ["SpeakableOptions"]


@dataclass(frozen=True, kw_only=True)
class SpeakableOptions:
    """How text that is not plain prose is treated.

    `symbols` are the phoneme symbols the voice knows; given, an inline pronunciation with another one is refused.
    `inside_reasoning` says that the text begins inside a reasoning block whose opening tag was in the prompt.
    """

    code: Literal["announce", "skip"] = "announce"
    emoji: Literal["drop", "name"] = "drop"
    stage_directions: Literal["drop", "keep"] = "drop"
    pronunciations: Pronunciations = field(default_factory=Pronunciations)
    symbols: frozenset[str] | None = None
    inside_reasoning: bool = False
