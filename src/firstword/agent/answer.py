"""One request from `agent_start` to its one end: it ran out, it was interrupted, or it failed.

It owns the work (a mode, with its two tasks) and decides what the end was, so that exactly one of `agent_end`,
`interrupted` and `error` is told and the history says what was heard. A reader who is gone is a listener who stopped
listening. Above it: `door`. Below it: `modes`.
"""

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import AsyncGenerator
from typing import Final

from firstword.agent.conversations import Conversations
from firstword.agent.modes import MODES, Turn
from firstword.agent.outbox import Outbox, OutboxItem
from firstword.agent.reply import reply
from firstword.agent.request import Ask
from firstword.agent.telling import Telling
from firstword.agent.voice import Voice
from firstword.config import AgentSettings
from firstword.errors import AgentError, FirstwordError, TransportError, first_cause
from firstword.protocol.events import Interrupted

__all__ = ["Answer"]

_log = logging.getLogger(__name__)
_STOP_TIMEOUT_S: Final = 2.0
_SPEECH_CODES: Final = {"connect_failed": "speech_unavailable", "timeout": "speech_timeout"}


class Answer:
    """Owe it a reader of `items`; `interrupt` may come from any loop."""

    def __init__(
        self, ask: Ask, session_id: str | None, conversations: Conversations, voice: Voice, settings: AgentSettings
    ) -> None:
        """Takes the conversation; raises RequestRefused if that is answering already. Made on the loop that runs it."""
        self.request_id = ask.request_id
        self._outbox = Outbox(settings.reader_timeout_s)
        self._ask = ask
        self._voice = voice
        self._telling = Telling(ask, self._outbox)
        self._conversations = conversations
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._played_s: float | None = None
        self._cancel_model = threading.Event()
        self._ended: concurrent.futures.Future[Interrupted | None] = concurrent.futures.Future()
        self._conversation = conversations.begin(session_id, self)

    async def interrupt(self, played_s: float | None) -> Interrupted | None:
        """Stop model and voice; what had been heard, or None if the answer ended by itself first."""
        if not self._ended.done():
            self._loop.call_soon_threadsafe(self._ask_to_stop, played_s)
        return await asyncio.shield(asyncio.wrap_future(self._ended))

    async def items(self) -> AsyncGenerator[OutboxItem]:
        """Give the answer: everything its caller is told, as it comes. Closed early, it stops as if interrupted."""
        running = asyncio.create_task(self._run(), name=f"answer {self.request_id}")
        running.add_done_callback(lambda _: self._outbox.close())
        try:
            while (item := await self._outbox.take()) is not None:
                yield item
        finally:
            running.cancel()
            await asyncio.wait({running})
            if not running.cancelled() and (error := running.exception()) is not None:
                _log.error("an answer did not end as it should", exc_info=error)

    async def _run(self) -> None:
        """Ends the outbox in every case; cancelled, it stops as if interrupted."""
        work = asyncio.create_task(self._work(), name=f"work {self.request_id}")
        stop = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait({work, stop}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.cancel()
            await self._end(work)

    async def _work(self) -> None:
        await self._telling.start()
        conversation = self._conversation
        content = conversation.ask(self._ask.prompt)
        turn = Turn(
            ask=self._ask,
            parts=lambda: reply(conversation.agent, content, self._cancel_model),
            voice=self._voice,
            telling=self._telling,
        )
        await MODES[self._ask.mode](turn)

    def _ask_to_stop(self, played_s: float | None) -> None:
        self._played_s = played_s
        self._telling.mute()
        self._cancel_model.set()
        self._stop.set()

    async def _end(self, work: asyncio.Task[None]) -> None:
        """Stop the work if it runs, settle the history, free the conversation, tell the end: in that order."""
        cut_short = self._stop.is_set() or not work.done()
        if cut_short:
            await self._halt(work)
        error = None if cut_short else _failure(work)
        if error is not None and error.code == "reader_gone":
            cut_short, error = True, None
        interrupted: Interrupted | None = None
        try:
            if cut_short:
                interrupted = self._telling.interrupted(self._played_s)
                self._conversation.keep_heard(self._telling, interrupted.char_end)
            elif error is not None:
                self._conversation.forget_turn()
        finally:
            self._conversations.end(self._conversation, self._telling)
            self._ended.set_result(interrupted)
        last = interrupted or (self._telling.failed(error) if error else self._telling.ended())
        self._outbox.finish(last, keep_audio=not cut_short)

    async def _halt(self, work: asyncio.Task[None]) -> None:
        self._telling.mute()
        self._cancel_model.set()
        work.cancel()
        await asyncio.wait({work}, timeout=_STOP_TIMEOUT_S)
        if not work.done():
            _log.warning("an answer did not stop in time; its conversation gets a new agent")
            self._conversation.renew()


def _failure(work: asyncio.Task[None]) -> FirstwordError | None:
    """What went wrong in it, as an error of ours."""
    error = None if work.cancelled() else work.exception()
    if isinstance(error, BaseExceptionGroup):
        error = first_cause(error)
    match error:
        case None:
            return None
        case TransportError():
            code = _SPEECH_CODES.get(error.code, "speech_lost")
            return AgentError(error.message, code=code, hint=error.hint, retryable=True)
        case FirstwordError():
            return error
    _log.error("an answer failed", exc_info=error)
    return AgentError("The agent failed.", code="internal")
