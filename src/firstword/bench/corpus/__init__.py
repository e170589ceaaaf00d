"""The texts that are measured: our own English, without digits but in `spoken`, so that transcripts compare."""

from importlib.resources import files

__all__ = [
    "ANSWER_WORDS",
    "FOUR_SENTENCES",
    "answer",
    "clips",
    "lengths",
    "openers",
    "paragraphs",
    "sentences",
    "spoken",
    "unseen",
]

ANSWER_WORDS = (60, 150, 300)


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8").strip()


def _lines(name: str) -> tuple[str, ...]:
    return tuple(_read(name).splitlines())


FOUR_SENTENCES = _read("four_sentences.txt")
"""267 characters in four sentences, as long as the text behind the public first-byte figure."""


def answer(word_count: int) -> str:
    """An assistant's answer of that many words: one of ANSWER_WORDS."""
    return _read(f"answer_{word_count}.txt")


def clips() -> tuple[str, ...]:
    """24 short utterances, about 50 seconds in all."""
    return _lines("clips.txt")


def lengths() -> tuple[str, ...]:
    """Four sentences that take about 2, 4, 8 and 16 seconds to say."""
    return _lines("lengths.txt")


def openers() -> tuple[str, ...]:
    """25 beginnings of assistants' answers."""
    return _lines("openers.txt")


def paragraphs() -> tuple[str, ...]:
    """10 paragraphs of three sentences."""
    return _lines("paragraphs.txt")


def sentences() -> tuple[str, ...]:
    """60 sentences."""
    return _lines("sentences.txt")


def spoken() -> tuple[tuple[str, str], ...]:
    """40 written texts, each with the words that should be said."""
    pairs = (line.rpartition(" => ") for line in _lines("spoken.txt"))
    return tuple((written.replace("\\n", "\n"), said) for written, _, said in pairs)


def unseen() -> tuple[str, ...]:
    """60 sentences of 1 to 9 s that nothing was fitted on or chosen by."""
    return _lines("unseen.txt")
