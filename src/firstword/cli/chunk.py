"""`firstword chunk`: shows where a text is cut into sentences."""

import codecs
import io
import json
import os
import sys
from collections.abc import Iterator
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from firstword.cli.languages import WRITTEN, check_language
from firstword.errors import UsageError
from firstword.text.chunker import IncrementalSentenceChunker

__all__ = ["chunk"]

_BLOCK_BYTES = 65536


def chunk(
    text: Annotated[list[str] | None, typer.Argument(help="The text; without it or with - standard input.")] = None,
    language: Annotated[str | None, typer.Option(help="Language of the text, such as en or pt-br.")] = None,
    first_chunk: Annotated[str, typer.Option(help="sentence | clause: what the first chunk may be.")] = "sentence",
    stats: Annotated[bool, typer.Option("--stats", help="Add how many there are and how long.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")] = False,
) -> None:
    """Cut text into sentences, one a line, each as soon as it is complete.

    Line breaks inside a sentence are shown as spaces; --json keeps them, with the place of each sentence in the text.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # of an output that has no Unicode
    if language is not None:
        check_language(language, WRITTEN)
    chunker = IncrementalSentenceChunker(language, _first_chunk(first_chunk))
    lengths: list[int] = []
    chunks: list[dict[str, object]] = []
    for sentence, start in _cut(chunker, _source(text)):
        lengths.append(len(sentence))
        if as_json:
            chunks.append({"text": sentence, "char_start": start, "char_end": start + len(sentence)})
        else:
            print(_printable(" ".join(sentence.split())), flush=True)
    summary = _summary(lengths)
    if as_json:
        print(_printable(json.dumps({"chunks": chunks} | ({"stats": summary} if stats else {}), ensure_ascii=False)))
    elif stats:
        _show(summary)


def _first_chunk(name: str) -> Literal["sentence", "clause"]:
    match name:
        case "sentence" | "clause":
            return name
        case _:
            raise UsageError(f"There is no first chunk {name!r}.", hint="Use sentence or clause.")


def _source(text: list[str] | None) -> Iterator[str]:
    if text and text != ["-"]:
        yield " ".join(text)
        return
    decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
    while block := os.read(sys.stdin.fileno(), _BLOCK_BYTES):
        # What there is, without waiting for the end of a line: the words of a model come one by one.
        yield decode(block)
    yield decode(b"", final=True)


def _cut(chunker: IncrementalSentenceChunker, fragments: Iterator[str]) -> Iterator[tuple[str, int]]:
    """Every sentence with where it starts: a chunk is a slice of the text, with only white space before it."""
    text, passed = "", 0
    for fragment, last in _with_last(fragments):
        text += fragment
        for sentence in [*chunker.feed(fragment), *(chunker.flush() if last else ())]:
            start = text.index(sentence)
            yield sentence, passed + start
            passed += start + len(sentence)
            text = text[start + len(sentence) :]


def _with_last(fragments: Iterator[str]) -> Iterator[tuple[str, bool]]:
    for fragment in fragments:
        yield fragment, False
    yield "", True


def _printable(text: str) -> str:
    """`text` without the lone surrogates that no output can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _summary(lengths: list[int]) -> dict[str, float | int]:
    total = sum(lengths)
    return {
        "chunks": len(lengths),
        "characters": total,
        "shortest": min(lengths, default=0),
        "longest": max(lengths, default=0),
        "mean": round(total / len(lengths), 1) if lengths else 0,
    }


def _show(summary: dict[str, float | int]) -> None:
    table = Table(box=None, show_header=False)
    for name, value in summary.items():
        table.add_row(name, str(value))
    Console(stderr=True).print(table)
