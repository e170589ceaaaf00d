"""The WebSocket session: frames in, frames out, and nothing decided here.

The receiver hands every message to `protocol.session` and carries out what that asks for; it never waits for synthesis.
The sender takes, one frame at a time, what is most pressing: a control message, else audio of the request whose turn it
is, as far ahead of playback as is allowed. So an acknowledgement overtakes audio, and a reader that stops holds up
only itself: what it does not take stays bounded in its utterance, and in the end it is dropped.
"""

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Final, assert_never

from starlette.websockets import WebSocket, WebSocketDisconnect

from firstword import __version__
from firstword.codecs.formats import audio_format
from firstword.errors import CodecError, ConnectionLost, RequestRefused, SpeechError
from firstword.protocol.codec import decode_client, encode
from firstword.protocol.effects import Begin, Effect, Feed, Finish, Played, Send, Stop
from firstword.protocol.messages import (
    PROTOCOL_VERSION,
    Closed,
    Error,
    Sentence,
    ServerMessage,
    SynthesisCancelled,
    SynthesisComplete,
    Synthesize,
    TextDelta,
    Timings,
)
from firstword.protocol.session import Session
from firstword.server.answer import Answer, voice_options
from firstword.server.metrics import Outcome
from firstword.server.replies import status_of
from firstword.server.serving import Serving
from firstword.speech.items import Done, Failed, SentenceBegun, Waiting, WordTimings
from firstword.speech.listener import Listener
from firstword.speech.service import SpeechService
from firstword.speech.utterance import Utterance

__all__ = ["FEATURES", "bidirectional"]

_log = logging.getLogger(__name__)
FEATURES: Final = ("text_delta", "cancel", "playback", "timings", "trim", "sample_rate", "pronunciations", "joined")
_MAX_UNREAD_MESSAGES: Final = 10_000
_CLOSE_TIMEOUT_S: Final = 2.0
_RECENT: Final = 16
"""Finished requests whose playback may still be reported."""
_NORMAL, _GOING_AWAY, _POLICY, _INTERNAL, _TRY_LATER = 1000, 1001, 1008, 1011, 1013


async def bidirectional(websocket: WebSocket) -> None:
    """The route. Accepts at once, whatever the server is doing; a session there is no room for is told so."""
    serving: Serving = websocket.app.state.serving
    await websocket.accept()
    try:
        service = serving.service
        with serving.admission.slot(), service.listen(max_lead_s=serving.settings.max_lead_s) as listener:
            code = await _Connection(websocket, serving, service, listener).run()
    except RequestRefused as refusal:
        error = Error(code=refusal.code, message=refusal.one_line(), terminal=False, retryable=refusal.retryable)
        await _say_goodbye(websocket, [error, Closed()])
        code = _TRY_LATER
    except Exception:
        _log.exception("a session broke")
        code = _INTERNAL
    await _close(websocket, code)


async def _say_goodbye(websocket: WebSocket, messages: Sequence[ServerMessage]) -> None:
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_S):
            for message in messages:
                await websocket.send_text(encode(message))
    except (TimeoutError, WebSocketDisconnect, OSError):
        _log.info("a refused session had already left")


async def _close(websocket: WebSocket, code: int | None) -> None:
    """Close explicitly, always: a handler that only returns leaves the peer with 1006. `None`: the peer is gone."""
    if code is None:
        return
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_S):
            await websocket.close(code)
    except (TimeoutError, WebSocketDisconnect, OSError, RuntimeError):
        _log.info("the peer did not take the close frame")


class _Connection:
    def __init__(self, websocket: WebSocket, serving: Serving, service: SpeechService, listener: Listener) -> None:
        self._websocket = websocket
        self._serving = serving
        self._service = service
        self._listener = listener
        self._session = Session(serving.limits, check=self._check, default_voice=serving.default_voice)
        self._outbox: deque[ServerMessage] = deque()
        self._answers: dict[str, Answer] = {}
        self._recent: dict[str, Utterance] = {}
        self._gone = False
        self._id = uuid.uuid4().hex[:12]

    async def run(self) -> int | None:
        """Serve the session to its end. The code to close with, or None if the peer has left."""
        self._obey(self._session.open(f"firstword/{__version__}", FEATURES, PROTOCOL_VERSION))
        self._serving.sessions.add(self)
        _log.info("session opened", extra={"session": self._id})
        try:
            async with asyncio.TaskGroup() as group:
                receiver = group.create_task(self._receive())
                code = await self._send()
                receiver.cancel()
        finally:
            self._serving.sessions.discard(self)
            for answer in self._answers.values():
                answer.end("gone")
            _log.info("session ended", extra={"session": self._id, "gone": self._gone})
        return code

    def drain(self, deadline_s: float) -> None:
        self._obey(self._session.drain(deadline_s))

    def abandon(self, error: SpeechError) -> None:
        self._obey(self._session.abandon(error))

    async def _receive(self) -> None:
        while True:
            frame = await self._websocket.receive()
            if frame["type"] == "websocket.disconnect":
                self._gone = True
                self._listener.ready.set()
                return
            data: str | bytes = frame["text"] if frame.get("text") is not None else frame.get("bytes") or b""
            try:
                effects = self._session.receive(decode_client(data))
            except RequestRefused as refusal:
                effects = self._session.fault(refusal)
            self._obey(effects)

    async def _send(self) -> int | None:
        """Until the session is over: the close code, None if there is nobody to close to."""
        while not self._gone:
            self._listener.ready.clear()
            if len(self._outbox) > _MAX_UNREAD_MESSAGES:
                return _POLICY
            try:
                if self._outbox:
                    message = self._outbox.popleft()
                    await self._put(encode(message))
                    if isinstance(message, Closed):
                        return _GOING_AWAY if self._serving.draining else _NORMAL
                    continue
                hold_s = self._listener.hold_s()
                if not await self._send_next(hold_s):
                    await self._wait(hold_s)
            except ConnectionLost:
                _log.warning("a reader that takes nothing is dropped", extra={"session": self._id})
                return _POLICY
        return None

    async def _send_next(self, hold_s: float) -> bool:
        """Send what comes next of the request whose turn it is; False if there is nothing to send now, audio included
        that has to be held back."""
        answer = self._answers.get(self._session.head or "")
        if answer is None:
            return False
        match answer.next(audio=hold_s <= 0.0):
            case None:
                return False
            case bytes() as frame:
                if self._session.audio(answer.request_id, len(frame)):
                    self._listener.sent(answer.utterance, answer.duration_s(frame))
                    await self._put(frame)
                    answer.sent(frame)
            case SentenceBegun() as item:
                await self._put(encode(_sentence(answer.request_id, item)))
            case WordTimings(index=index, words=words):
                if answer.wants_timings:
                    await self._put(encode(Timings(request_id=answer.request_id, index=index, words=words)))
            case Done():
                ended = self._session.spoken(
                    answer.request_id, elapsed_s=answer.elapsed_s, first_audio_s=answer.first_audio_s
                )
                self._obey(ended)
            case Failed(error=error):
                self._obey(self._session.fail(answer.request_id, error))
            case Waiting():
                pass
        return True

    async def _wait(self, hold_s: float) -> None:
        """Until there is something new, or what was held back need not be any more.

        `hold_s` is what `_send_next` was given: looked at anew, a hold that has just ended is none, and nothing would
        end the wait.
        """
        try:
            async with asyncio.timeout(hold_s or None):
                await self._listener.ready.wait()
        except TimeoutError:
            return

    async def _put(self, frame: str | bytes) -> None:
        try:
            async with asyncio.timeout(self._serving.settings.send_timeout_s):
                await (
                    self._websocket.send_text(frame) if isinstance(frame, str) else self._websocket.send_bytes(frame)
                )
        except TimeoutError as error:
            raise ConnectionLost("The reader takes nothing.") from error
        except (WebSocketDisconnect, OSError):
            self._gone = True

    def _check(self, options: Synthesize | TextDelta) -> None:
        try:
            audio_format("pcm").rate_hz(options.sample_rate)
        except CodecError as error:
            raise RequestRefused(error.message, code=error.code) from error
        self._service.check(voice_options(options, self._serving.default_voice), options.pronunciations)
        self._service.make_room(self._listener)

    def _obey(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(message=message):
                    self._say(message)
                case Begin(request_id=name):
                    expire = partial(self._expire, name)
                    self._answers[name] = Answer(self._serving, self._service, self._listener, effect, expire)
                case Feed(request_id=name, text=text):
                    self._answers[name].feed(text)
                case Finish(request_id=name):
                    self._answers[name].finish()
                case Stop():
                    # What it was stopped for is in the message that follows.
                    pass
                case Played(request_id=name, played_s=played_s):
                    if name in self._answers or name in self._recent:
                        utterance = self._answers[name].utterance if name in self._answers else self._recent[name]
                        self._listener.heard(utterance, played_s)
                case _:
                    assert_never(effect)
        self._listener.ready.set()

    def _expire(self, request_id: str) -> None:
        self._obey(self._session.expire(request_id))

    def _say(self, message: ServerMessage) -> None:
        self._outbox.append(message)
        match message:
            case SynthesisComplete(request_id=name):
                self._end(name, "complete")
            case SynthesisCancelled(request_id=name):
                self._end(name, "cancelled")
            case Error(request_id=str() as name, terminal=True):
                outcome: Outcome = "failed" if status_of(message.code) >= 500 else "refused"
                if name not in self._answers:
                    self._serving.metrics.ended("bidirectional", outcome)
                self._end(name, outcome)
            case _:
                pass

    def _end(self, request_id: str, outcome: Outcome) -> None:
        answer = self._answers.pop(request_id, None)
        if answer is not None:
            answer.end(outcome)
            self._recent[request_id] = answer.utterance
            if len(self._recent) > _RECENT:
                del self._recent[next(iter(self._recent))]


def _sentence(request_id: str, item: SentenceBegun) -> Sentence:
    return Sentence(
        request_id=request_id,
        index=item.index,
        text=item.text,
        audio_offset_s=round(item.audio_offset_s, 6),
        char_start=item.char_start,
        char_end=item.char_end,
    )
