"""A speech server at the other end of a transport: the protocol's messages, audio that depends on the text.

Faults are values: what goes wrong, in which session, after how much. It runs as one task per session.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Protocol

from firstword.client.transport import MemoryTransport, Transport
from firstword.errors import ConnectFailed, ConnectionLost, first_cause
from firstword.protocol import messages
from firstword.protocol.codec import decode_client, encode

FRAME_BYTES = 960
BYTES_PER_CHARACTER = 480


def spoken(text: str) -> bytes:
    """The audio of a text: 10 ms a character, never twice the same samples within it; it begins like JSON."""
    wanted = len(text) * BYTES_PER_CHARACTER
    blocks = (hashlib.sha256(f"{text}{number}".encode()).digest() for number in range(wanted // 32 + 1))
    return (b'{"type":"closed"' + b"".join(blocks))[:wanted]


class PeerEnd(Transport, Protocol):
    """What a peer needs of its end: a transport that it can also break."""

    async def drained(self) -> None: ...
    def lose(self) -> None: ...


@dataclass(kw_only=True)
class SpeechPeer:
    """`dial` is what a client is given. `lose_after` breaks session n after that many bytes of audio."""

    lose_after: dict[int, int] = field(default_factory=dict)
    refuse_sessions: set[int] = field(default_factory=set)
    leave_after: dict[int, int] = field(default_factory=dict)
    overloaded_once: bool = False
    silent: bool = False
    unlabelled: bool = False
    says_first: str | None = None
    hold_audio: asyncio.Event | None = None
    error: messages.Error | None = None
    sessions: int = 0
    received: list[tuple[int, messages.ClientMessage]] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["SpeechPeer"]:
        try:
            yield self
        finally:
            for task in self._tasks:
                task.cancel()
            for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
                cause = first_cause(outcome) if isinstance(outcome, BaseExceptionGroup) else outcome
                if isinstance(cause, Exception) and not isinstance(cause, ConnectionLost):
                    raise cause

    async def dial(self) -> Transport:
        self.sessions += 1
        if self.sessions in self.refuse_sessions:
            raise ConnectFailed("refused", retryable=True)
        ours, theirs = MemoryTransport.pair()
        self._tasks.append(asyncio.create_task(_PeerSession(self, self.sessions, theirs).run()))
        return ours

    async def serve(self, transport: PeerEnd) -> None:
        """Speak over a transport that somebody else has opened, until it ends."""
        self.sessions += 1
        with suppress(ConnectionLost):
            try:
                await _PeerSession(self, self.sessions, transport).run()
            except ExceptionGroup as group:
                raise first_cause(group) from None

    def texts(self, session: int | None = None) -> list[str]:
        """What was asked to be said, in the order it came."""
        wanted = [message for number, message in self.received if session in (None, number)]
        return [message.text for message in wanted if isinstance(message, messages.Synthesize)]


class _PeerSession:
    def __init__(self, peer: SpeechPeer, number: int, transport: PeerEnd) -> None:
        self.peer = peer
        self.number = number
        self.transport = transport
        self.queue: asyncio.Queue[messages.Synthesize | None] = asyncio.Queue()
        self.sent_bytes = 0
        self.answered = 0
        self.cancelled: set[str] = set()
        self.finished: set[str] = set()

    async def run(self) -> None:
        await self.say(messages.Ready(protocol=1, server="fake", limits=_LIMITS))
        async with asyncio.TaskGroup() as group:
            speaking = group.create_task(self.speak())
            while True:
                message = decode_client(await self.transport.receive())
                self.peer.received.append((self.number, message))
                match message:
                    case messages.Synthesize():
                        self.queue.put_nowait(message)
                    case messages.Cancel(request_id=str() as name) if name not in self.finished:
                        self.cancelled.add(name)
                        self.finished.add(name)
                        await self.say(messages.SynthesisCancelled(request_id=name, audio_bytes=0))
                    case messages.Close():
                        self.queue.put_nowait(None)
                        await speaking
                        self.peer.closed.append(self.number)
                        await self.say(messages.Closed())
                        await self.transport.aclose()
                        return
                    case _:
                        pass

    async def speak(self) -> None:
        while (message := await self.queue.get()) is not None:
            if not self.peer.silent:
                await self.answer(message)
            if self.answered == self.peer.leave_after.get(self.number):
                await self.say(messages.GoingAway(deadline_s=20))

    async def answer(self, message: messages.Synthesize) -> None:
        name = message.request_id or "unnamed"
        if self.peer.says_first is not None:
            await self.transport.send(self.peer.says_first)
            return
        if self.peer.error is not None:
            await self.say(self.peer.error)
            return
        if self.peer.overloaded_once:
            self.peer.overloaded_once = False
            await self.say(messages.Error(code="overloaded", message="full", request_id=name, retryable=True))
            return
        await self.say(messages.SynthesisStart(request_id=name, voice=message.voice or "af_heart", sample_rate=24000))
        await self.say(messages.Sentence(request_id=name, index=0, text=message.text, audio_offset_s=0.0))
        if message.timings:
            await self.say(messages.Timings(request_id=name, index=0, words=_words(message.text)))
        pcm = spoken(message.text)
        for start in range(0, len(pcm), FRAME_BYTES):
            if self.peer.hold_audio is not None:
                await self.peer.hold_audio.wait()
            if name in self.cancelled:
                return
            await self.frame(pcm[start : start + FRAME_BYTES])
        self.answered += 1
        self.finished.add(name)
        await self.say(
            messages.SynthesisComplete(request_id=name, total_duration_s=0.0, elapsed_s=0.0, audio_bytes=len(pcm))
        )

    async def frame(self, pcm: bytes) -> None:
        self.sent_bytes += len(pcm)
        await self.transport.send(pcm)
        limit = self.peer.lose_after.get(self.number)
        if limit is not None and self.sent_bytes >= limit:
            await self.transport.drained()
            self.transport.lose()

    async def say(self, message: messages.ServerMessage) -> None:
        text = encode(message)
        await self.transport.send(text.encode() if self.peer.unlabelled else text)


_LIMITS = messages.Limits(
    max_text_chars=20000,
    max_queued_requests=64,
    max_queued_chars=100000,
    max_lead_s=3.0,
    text_timeout_s=30.0,
    max_message_bytes=1048576,
)


def _words(text: str) -> tuple[messages.Word, ...]:
    words = []
    at = 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        words.append(messages.Word(word=word, start_s=start * 0.01, end_s=at * 0.01, char_start=start, char_end=at))
    return tuple(words)
