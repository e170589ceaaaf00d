"""`firstword speakable`: what a text is said as, and where each word of it was written."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from firstword.cli.languages import WRITTEN, check_language
from firstword.kokoro.vocabulary import SYMBOLS
from firstword.text.pronunciation import Pronunciations, read_pronunciations
from firstword.text.speakable import SpeakableOptions, Spoken
from firstword.text.speakable import speakable as said_as

__all__ = ["speakable"]


def speakable(
    text: Annotated[list[str] | None, typer.Argument(help="The text; without it, or as -, standard input.")] = None,
    language: Annotated[
        str, typer.Option(help="Language of the text: en-us, en-gb, es, fr, de, it, pt-br, ja, …")
    ] = "en-us",
    code: Annotated[Literal["announce", "skip"], typer.Option(help="What becomes of a block of code.")] = "announce",
    emoji: Annotated[Literal["drop", "name"], typer.Option(help="What becomes of emoji.")] = "drop",
    stage_directions: Annotated[Literal["drop", "keep"], typer.Option(help="What becomes of *sighs*.")] = "drop",
    pronunciations: Annotated[
        Path | None, typer.Option(help="JSON file: word to respelling, or to /phonemes/.")
    ] = None,
    map: Annotated[bool, typer.Option("--map", help="A line per span: offsets, words said, what was written.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Text, spans and segments as JSON.")] = False,
) -> None:
    """Show what a text is said as, and where each word was written."""
    check_language(language, WRITTEN)
    dictionary = read_pronunciations(pronunciations) if pronunciations else Pronunciations()
    dictionary.check(SYMBOLS)
    written = " ".join(text) if text and text != ["-"] else sys.stdin.read()
    spoken = said_as(
        written,
        language,
        SpeakableOptions(
            code=code, emoji=emoji, stage_directions=stage_directions, pronunciations=dictionary, symbols=SYMBOLS
        ),
    )
    if as_json:
        print(json.dumps(_as_json(spoken), ensure_ascii=False))
    elif map:
        for start, end, low, high in spoken.spans:
            print(f"{start}-{end}\t{low}-{high}\t{spoken.text[start:end]}\t{written[low:high]!r}")
    else:
        print(spoken.text)


def _as_json(spoken: Spoken) -> dict[str, object]:
    segments = [{"kind": type(segment).__name__.lower(), **asdict(segment)} for segment in spoken.segments]
    return {"text": spoken.text, "spans": [list(span) for span in spoken.spans], "segments": segments}
