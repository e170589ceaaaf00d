"""What both doors do alike: a payload becomes an answer or a cancel, and every fault a typed event.

Above it: `app` (SSE) and `websocket`. Below it: `answer`.
"""

from dataclasses import dataclass
from typing import Any

from firstword.agent.answer import Answer
from firstword.agent.conversations import Conversations
from firstword.agent.request import Ask, Cancel, Request, check_session_id, parse
from firstword.agent.voice import Voice
from firstword.config import AgentSettings
from firstword.errors import FirstwordError, RequestRefused
from firstword.protocol.events import AgentErrorEvent, Interrupted

__all__ = ["Cut", "Door", "refusal"]


@dataclass(frozen=True, kw_only=True)
class Cut:
    """How a cancel went; `told` if the answer's own reader gets the event too."""

    event: Interrupted
    told: bool


class Door:
    """Shared by all requests of a process."""

    def __init__(self, settings: AgentSettings, conversations: Conversations, voice: Voice) -> None:
        self.settings = settings
        self.conversations = conversations
        self._voice = voice

    def parse(self, payload: Any, session_id: str | None) -> Request:
        """Raises RequestRefused."""
        check_session_id(session_id)
        return parse(payload, max_prompt_chars=self.settings.max_prompt_chars)

    def answer(self, ask: Ask, session_id: str | None) -> Answer:
        """An answer that has its conversation; raises RequestRefused if it cannot. Owe it a reader."""
        return Answer(ask, session_id, self.conversations, self._voice, self.settings)

    async def cancel(self, cancel: Cancel, session_id: str | None) -> Cut:
        """Stop the answer that is meant; what its listener had heard. Raises RequestRefused if there is none.

        An answer whose events had all been sent may still be playing: its history is cut all the same.
        """
        conversation = self.conversations.find(session_id, cancel.request_id)
        running = conversation.running if conversation is not None else None
        if running is not None and cancel.request_id in (None, running.request_id):
            stopped = await running.interrupt(cancel.played_s)
            if stopped is not None:
                return Cut(event=stopped, told=True)
        if conversation is not None:
            late = self.conversations.cut_ended(conversation, cancel.request_id, cancel.played_s)
            if late is not None:
                return Cut(event=late, told=False)
        raise RequestRefused(
            "There is no such answer to cancel.", code="unknown_request", request_id=cancel.request_id, terminal=False
        )


def refusal(error: FirstwordError) -> AgentErrorEvent:
    """The event that tells a request it was refused before it began."""
    request_id = error.request_id if isinstance(error, RequestRefused) else None
    terminal = error.terminal if isinstance(error, RequestRefused) else True
    return AgentErrorEvent(
        request_id=request_id or "",
        t_ms=0.0,
        code=error.code,
        message=error.one_line(),
        terminal=terminal,
        retryable=error.retryable,
    )
