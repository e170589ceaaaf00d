"""`firstword say`: a text, or what is being typed, to a file or to the ears."""

import asyncio
import codecs
import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from firstword.client.audio_file import STANDARD_OUTPUT, AudioFile, file_format, open_audio_file
from firstword.client.connection import connect
from firstword.client.events import AudioChunk, Sentence, SynthesisComplete, SynthesisStart
from firstword.client.player import Player, find_player, open_player
from firstword.client.source import TextSource
from firstword.codecs.formats import audio_format
from firstword.config import ClientSettings
from firstword.errors import RemoteError, UsageError
from firstword.stack.launcher import Speech, Stack
from firstword.text.pronunciation import read_pronunciations

__all__ = ["say"]

_WRONG_USE = frozenset(
    {"unknown_voice", "bad_speed", "bad_language", "bad_pronunciation", "text_required", "text_too_long"}
)
"""Codes of the server's that tell of what was asked on this command line."""


@dataclass(frozen=True, kw_only=True)
class _Job:
    text: TextSource
    url: str | None
    region: str | None
    voice: str | None
    speed: float | None
    language: str | None
    trim: bool
    pronunciations: Mapping[str, str] | None
    output: Path | None
    format: str | None
    play: bool


@dataclass(kw_only=True)
class _Result:
    voice: str = ""
    sentences: list[Sentence] = field(default_factory=list)
    complete: SynthesisComplete | None = None


def say(
    text: Annotated[str, typer.Argument(help="What to say; - reads standard input and speaks as it comes.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File to write; its suffix names the format. -: standard output."),
    ] = None,
    voice: Annotated[str | None, typer.Option(help="A voice or a blend: af_heart*0.7+af_bella*0.3.")] = None,
    speed: Annotated[float | None, typer.Option(help="0.5 to 2.0.")] = None,
    language: Annotated[str | None, typer.Option(help="Language of the text; default: the voice's.")] = None,
    format: Annotated[str | None, typer.Option(help="Format, where no suffix says it.")] = None,
    trim: Annotated[bool, typer.Option("--trim/--no-trim", help="Cut the model's own silence at both ends.")] = True,
    pronunciations: Annotated[
        Path | None, typer.Option(help="JSON file: word to respelling, or to /phonemes/.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="A speech server; without one, one is started for this call.")] = None,
    endpoint: Annotated[str | None, typer.Option(help="A SageMaker endpoint.")] = None,
    region: Annotated[str | None, typer.Option(help="The endpoint's AWS region.")] = None,
    play: Annotated[bool, typer.Option("--play", help="Play it while it comes; what happens without -o.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")] = False,
) -> None:
    """Speak a text, to a file or aloud."""
    if url and endpoint:
        raise UsageError("--url and --endpoint exclude each other.")
    if text != "-" and not text.strip():
        raise UsageError("There is no text to say.", code="text_required")
    job = _Job(
        text=_typed(0) if text == "-" else text,
        url=f"endpoint:{endpoint}" if endpoint else url or ClientSettings.load().url,
        region=region,
        voice=voice,
        speed=speed,
        language=language,
        trim=trim,
        pronunciations=read_pronunciations(pronunciations).entries if pronunciations else None,
        output=output,
        format=format,
        play=play or output is None,
    )
    if as_json and output == STANDARD_OUTPUT:
        raise UsageError("Audio and JSON cannot both go to standard output.")
    _check(job)
    try:
        result = asyncio.run(_say(job))
    except RemoteError as error:
        if error.code in _WRONG_USE:
            raise UsageError(error.message, code=error.code, hint=error.hint) from error
        raise
    if as_json:
        print(json.dumps(_figures(job, result)))
    elif result.complete is not None:
        print(_line(job, result.complete), file=sys.stderr)


def _check(job: _Job) -> None:
    """What would fail in the end fails before anything is started."""
    if job.voice is not None and not job.voice.strip():
        raise UsageError(f"The voice is {job.voice!r}.", code="unknown_voice", hint="`firstword voices` lists them.")
    if job.output is not None:
        file_format(job.output, job.format)
    elif job.format:
        audio_format(job.format)
    if job.output == STANDARD_OUTPUT and sys.stdout.isatty():
        raise UsageError("Audio is not written to a terminal.", hint="Send it somewhere: -o - | PROGRAM, or -o FILE.")
    if job.play:
        find_player()


async def _say(job: _Job) -> _Result:
    result = _Result()
    async with contextlib.AsyncExitStack() as owned:
        file = owned.enter_context(open_audio_file(job.output, job.format)) if job.output is not None else None
        player = await owned.enter_async_context(open_player()) if job.play else None
        address = job.url or (await owned.enter_async_context(Stack(Speech()))).speech_url
        speech = await owned.enter_async_context(
            connect(
                address, voice=job.voice, speed=job.speed, language=job.language, trim=job.trim, region=job.region,
                pronunciations=job.pronunciations, first_chunk="clause" if job.play else "sentence",
            )
        )  # fmt: skip
        events = await owned.enter_async_context(contextlib.aclosing(speech.stream(job.text, paced=job.play)))
        async for event in events:
            match event:
                case SynthesisStart():
                    result.voice = event.voice
                case Sentence():
                    result.sentences.append(event)
                case AudioChunk():
                    await _write(event.pcm, file, player)
                case SynthesisComplete():
                    result.complete = event
                case _:
                    pass
    return result


async def _write(pcm: bytes, file: AudioFile | None, player: Player | None) -> None:
    if file is not None:
        file.write(pcm)
    if player is not None:
        await player.play(pcm)


def _typed(descriptor: int) -> Iterator[str]:
    """Text as it comes in at a file descriptor, broken characters replaced."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := os.read(descriptor, 65_536):
        if text := decoder.decode(data):
            yield text
    if rest := decoder.decode(b"", final=True):
        yield rest


def _figures(job: _Job, result: _Result) -> dict[str, object]:
    complete = result.complete
    first = complete.first_audio_s if complete else None
    return {
        "output": str(job.output) if job.output else None,
        "voice": result.voice,
        "audio_s": round(complete.duration_s, 3) if complete else 0.0,
        "audio_bytes": complete.audio_bytes if complete else 0,
        "first_audio_ms": None if first is None else round(first * 1000, 1),
        "elapsed_ms": round(complete.elapsed_s * 1000, 1) if complete else 0.0,
        "sentences": [
            {"text": each.text, "audio_offset_s": each.audio_offset_s, "char_start": each.char_start}
            for each in result.sentences
        ],
    }


def _line(job: _Job, complete: SynthesisComplete) -> str:
    where = f"{job.output}: " if job.output not in (None, STANDARD_OUTPUT) else ""
    if complete.first_audio_s is None:
        return f"{where}there was nothing to say."
    return f"{where}{complete.duration_s:.2f} s of speech, first audio after {complete.first_audio_s * 1000:.0f} ms"
