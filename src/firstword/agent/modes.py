"""The three ways of speaking an answer; they differ in nothing but when synthesis starts and how audio is asked for.

    bidi    two tasks at once: the model's text into the voice as it comes, audio out as it comes
    batch   the same two tasks and session, but the voice gets the text once all of it is there, as one message
    whole   the text once all of it is there, in one call that returns when all the audio is there

All three tell the same events in the same audio format. Above it: `answer`. Below it: `reply` (text), `voice`.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from firstword.agent.reply import ReplyPart, Text, ToolCall, TurnStart, Usage
from firstword.agent.request import Ask, Mode
from firstword.agent.telling import Said, Telling
from firstword.agent.voice import Delivery, SaidHow, Speech, Voice

__all__ = ["MODES", "Turn", "run_batch", "run_bidi", "run_whole"]

_MAX_PIECES_AHEAD: Final = 1024


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What a mode works with: who asked what, the answer's text to come, where to speak it and whom to tell."""

    ask: Ask
    parts: Callable[[], AsyncGenerator[ReplyPart]]
    voice: Voice
    telling: Telling


class _Mark(Enum):
    CUT = "say what there is, whatever it ends in"
    END = "nothing more comes"


type _Pieces = asyncio.Queue[Said | _Mark]


async def run_bidi(turn: Turn) -> None:
    """Speak the answer while it is written. A tool call cuts: what was said before it is spoken at once."""
    pieces: _Pieces = asyncio.Queue(_MAX_PIECES_AHEAD)

    async def text() -> None:
        await _drain_text(turn, pieces.put)
        await pieces.put(_Mark.END)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(text())
        tasks.create_task(_drain_audio(turn, pieces, "sentences"))


async def run_batch(turn: Turn) -> None:
    """Speak the answer once it is written, with one synthesis message."""
    pieces: _Pieces = asyncio.Queue(_MAX_PIECES_AHEAD)

    async def text() -> None:
        await _drain_text(turn, _keep)
        await pieces.put(Said(start=0, text=turn.telling.heard.text))
        await pieces.put(_Mark.END)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(text())
        tasks.create_task(_drain_audio(turn, pieces, "whole"))


async def run_whole(turn: Turn) -> None:
    """Speak the answer once it is written, with one call that answers when all its audio is made."""
    await _drain_text(turn, _keep)
    ask, text = turn.ask, turn.telling.heard.text
    if text.strip():
        speech = await turn.voice.whole(text, _said_how(ask), request_id=ask.request_id)
        await turn.telling.hear_whole(speech)
    await turn.telling.end_audio()


MODES: Final[Mapping[Mode, Callable[[Turn], Awaitable[None]]]] = {
    "bidi": run_bidi,
    "batch": run_batch,
    "whole": run_whole,
}


def _said_how(ask: Ask) -> SaidHow:
    return SaidHow(voice=ask.voice, speed=ask.speed, pronunciations=ask.pronunciations)


async def _drain_text(turn: Turn, put: Callable[[Said | _Mark], Awaitable[None]]) -> None:
    async with aclosing(turn.parts()) as parts:
        async for part in parts:
            match part:
                case TurnStart():
                    turn.telling.begin_turn()
                case Text():
                    await put(await turn.telling.text(part.text))
                case ToolCall():
                    await put(_Mark.CUT)
                case Usage():
                    turn.telling.usage = part.counts
                case _:
                    assert_never(part)


async def _keep(_: Said | _Mark) -> None:
    """The text is in the telling already."""


async def _drain_audio(turn: Turn, pieces: _Pieces, delivery: Delivery) -> None:
    async with turn.voice.connect(_said_how(turn.ask)) as speech:
        part = 0
        while (piece := await pieces.get()) is not _Mark.END:
            if isinstance(piece, Said) and piece.text:
                part += 1
                if await _speak(turn, speech, _Segment(piece, pieces), f"{turn.ask.request_id}-{part}", delivery):
                    break
        await turn.telling.end_audio()


async def _speak(turn: Turn, speech: Speech, segment: "_Segment", request_id: str, delivery: Delivery) -> bool:
    """Speak the text up to the next cut; whether it was the last."""
    place = turn.telling.place(segment.start)
    stream = speech.stream(segment.texts(), request_id=request_id, timings=True, delivery=delivery)
    async with aclosing(stream) as events:
        async for event in events:
            await turn.telling.hear(event, place)
    return segment.last


class _Segment:
    """The text between two cuts, as it comes."""

    def __init__(self, first: Said, pieces: _Pieces) -> None:
        self.start = first.start
        self.last = False
        self._first = first
        self._pieces = pieces

    async def texts(self) -> AsyncIterator[str]:
        yield self._first.text
        while isinstance(piece := await self._pieces.get(), Said):
            yield piece.text
        self.last = piece is _Mark.END
