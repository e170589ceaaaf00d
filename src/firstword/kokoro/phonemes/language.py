"""The seam between a language and everything else, and the table of languages. Loading one may take seconds."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, Protocol

__all__ = ["LANGUAGES", "Language", "Said"]


class Said(NamedTuple):
    """Part of a text, `text[start:end]`, and how it is said: a word, or the punctuation between words."""

    start: int
    end: int
    phonemes: str


class Language(Protocol):
    """One language's way from letters to phonemes. Used by one thread at a time."""

    def can_read(self, letter: str) -> bool:
        """Whether a letter belongs to a script this language says; what it cannot read never reaches `say`."""
        ...

    def say(self, text: str) -> Iterable[Said]:
        """The parts of a text of at most some thousand code points, in order. Never raises, whatever the text."""
        ...


def _american() -> Language:
    from firstword.kokoro.phonemes.english import English

    return English(british=False)


def _british() -> Language:
    from firstword.kokoro.phonemes.english import English

    return English(british=True)


LANGUAGES: Final[Mapping[str, Callable[[], Language]]] = {"en-us": _american, "en-gb": _british}
"""By the name a request gives it. An entry is called once, when its language is first spoken."""
