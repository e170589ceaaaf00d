"""Text in, speech out, in one blocking call, from any thread.

    firstword.say("Hello there.").save("hello.wav")

Above it: scripts and notebooks. Below it: `connection`, which is what a program that streams uses.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firstword.audio import SAMPLE_RATE_HZ, duration_s
from firstword.client.audio_file import open_audio_file
from firstword.client.connection import connect
from firstword.client.events import AudioChunk, Sentence, SynthesisStart, Timings, Word
from firstword.client.local import local_url
from firstword.client.source import clean
from firstword.config import ClientSettings
from firstword.errors import UsageError

__all__ = ["Speech", "say"]


@dataclass(frozen=True, kw_only=True)
class Speech:
    """What was said: PCM s16le mono, and where each sentence and word is in it and in the text."""

    pcm: bytes
    sample_rate_hz: int = SAMPLE_RATE_HZ
    voice: str = ""
    sentences: tuple[Sentence, ...] = ()
    words: tuple[Word, ...] = ()

    @property
    def duration_s(self) -> float:
        return duration_s(len(self.pcm), self.sample_rate_hz)

    def save(self, path: str | os.PathLike[str], *, format: str | None = None) -> Path:
        """Write an audio file, whole or not at all; the suffix names the format unless `format` does.

        Raises CodecError for a format that does not exist, OutputError where the file cannot be written.
        """
        target = Path(path)
        with open_audio_file(target, format, self.sample_rate_hz) as file:
            file.write(self.pcm)
        return target


def say(
    text: str,
    *,
    voice: str | None = None,
    speed: float | None = None,
    language: str | None = None,
    url: str | None = None,
    region: str | None = None,
    api_key: str | None = None,
    trim: bool = True,
    pronunciations: Mapping[str, str] | None = None,
    settings: ClientSettings | None = None,
) -> Speech:
    """Say a text and wait until all of it is said.

    `url` is a speech server or `endpoint:NAME`; without it FIRSTWORD_CLIENT_URL, and without that a server that this
    program starts on the first call and keeps until it ends. `pronunciations`: word to respelling or to "/phonemes/".
    Raises the errors of `connect` and `stream`.
    """
    if not clean(text).strip():
        raise UsageError("There is no text to say.", code="text_required")
    chosen = settings or ClientSettings.load()
    address = url or chosen.url or local_url()
    speaking = _say(
        text,
        address,
        {
            "voice": voice,
            "speed": speed,
            "language": language,
            "trim": trim,
            "region": region,
            "api_key": api_key,
            "pronunciations": pronunciations,
        },
        chosen,
    )
    return _run(speaking)


async def _say(text: str, address: str, how: dict[str, Any], settings: ClientSettings) -> Speech:
    pcm, sentences, words = bytearray(), list[Sentence](), list[Word]()
    voice, rate_hz = "", SAMPLE_RATE_HZ
    async with (
        connect(address, timings=True, first_chunk="sentence", settings=settings, **how) as speech,
        contextlib.aclosing(speech.stream(text, paced=False)) as events,
    ):
        async for event in events:
            match event:
                case SynthesisStart():
                    voice, rate_hz = event.voice, event.sample_rate_hz
                case AudioChunk():
                    pcm += event.pcm
                case Sentence():
                    sentences.append(event)
                case Timings():
                    words += event.words
                case _:
                    pass
    return Speech(pcm=bytes(pcm), sample_rate_hz=rate_hz, voice=voice, sentences=tuple(sentences), words=tuple(words))


def _run[T](work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, in a loop of its own: in this thread, or in another where this one's loop is running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _in_thread(lambda: asyncio.run(work))


def _in_thread[T](call: Callable[[], T]) -> T:
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(call())
        except BaseException as error:  # handed to the caller's thread, which raises it
            failed.append(error)

    thread = threading.Thread(target=run, name="firstword say")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
