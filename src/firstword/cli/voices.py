"""`firstword voices`: which voices there are, and whether this installation can say their languages."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from firstword.cli.languages import check_language
from firstword.kokoro.phonemes import missing_extra
from firstword.kokoro.voices import VOICES

__all__ = ["voices"]


def voices(
    language: Annotated[
        str | None, typer.Option(help="Only voices of this language, such as en-gb; en is all English.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")] = False,
) -> None:
    """List the voices: name, language, gender, the grade the model's authors give (A best), and what to install.

    Any of them may be blended: af_heart*0.7+af_bella*0.3.
    """
    known = list(dict.fromkeys(voice.language for voice in VOICES.values()))
    wanted = known if language is None else check_language(language, known)
    chosen = [voice for voice in VOICES.values() if voice.language in wanted]
    if as_json:
        print(json.dumps([asdict(voice) | {"missing_extra": missing_extra(voice.language)} for voice in chosen]))
        return
    table = Table()
    for heading in ("voice", "language", "gender", "grade", "language here"):
        table.add_column(heading)
    for voice in chosen:
        missing = missing_extra(voice.language)
        here = escape(f"pip install '{missing}'") if missing else "yes"
        table.add_row(voice.name, voice.language, voice.gender, voice.grade or "-", here)
    Console().print(table)
