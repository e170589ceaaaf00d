"""Conversations by the runtime's session id: one Strands agent each, so many in memory, one answer at a time.

Two event loops use them (AgentCore runs `/invocations` on one of its own, `/ws` on the server's), so what they share is
behind a lock that is never held across a wait. Knows nothing of speech. Above it: `answer` and the doors.
"""

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

from strands import Agent
from strands.agent.conversation_manager import SlidingWindowConversationManager
from strands.models import Model

from firstword.agent.history import Message, answering, keep_heard
from firstword.agent.model import build_model, close_model, warm_model
from firstword.agent.telling import Telling
from firstword.agent.tools import calculator, clock
from firstword.config import AgentSettings
from firstword.errors import RequestRefused
from firstword.protocol.events import Interrupted

__all__ = ["Conversation", "Conversations", "Running", "build_agent"]


_ONCE: Final = "once-"


class Running(Protocol):
    """An answer that can be stopped, from any thread."""

    @property
    def request_id(self) -> str: ...

    async def interrupt(self, played_s: float | None) -> Interrupted | None:
        """Stop it; what had been heard, or None if it ended by itself first."""
        ...


def build_agent(model: Model, settings: AgentSettings) -> Agent:
    """A fresh agent; nothing is retried while a listener waits."""
    return Agent(
        model=model,
        tools=[clock, calculator],
        system_prompt=settings.system_prompt,
        callback_handler=None,
        conversation_manager=SlidingWindowConversationManager(window_size=settings.max_history_messages),
        retry_strategy=None,
    )


class Conversation:
    """Holds the agent, which answer is running, and which one ended last."""

    def __init__(self, build: Callable[[], Agent]) -> None:
        self._build = build
        self.agent = build()
        self.running: Running | None = None
        self.last: Telling | None = None
        self._before: list[Message] = []

    @property
    def messages(self) -> list[Message]:
        found: list[Any] = self.agent.messages
        return found

    def ask(self, prompt: str) -> list[dict[str, Any]]:
        """The content to ask the agent with, after anything that is still unanswered."""
        self._before = list(self.messages)
        self.messages[:], content = answering(self._before, prompt)
        return content

    def forget_turn(self) -> None:
        """As it was before the last `ask`: a failed answer leaves nothing."""
        self.messages[:] = self._before

    def keep_heard(self, telling: Telling, char_end: int) -> None:
        """The last answer was heard so far and no further."""
        self.messages[:] = keep_heard(self.messages, telling.turns, char_end)

    def renew(self) -> None:
        """A new agent with the same messages, for one whose last run does not end."""
        messages = self.messages
        self.agent = self._build()
        self.messages[:] = messages


class Conversations:
    """At most `max_conversations`, of which the longest unused goes first; a running one never goes."""

    def __init__(self, settings: AgentSettings) -> None:
        """Raises UsageError or ConfigError if the settings name no model that can be."""
        self._model = build_model(settings)
        self._build = partial(build_agent, self._model, settings)
        self._limit = settings.max_conversations
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Conversation] = OrderedDict()

    def warm(self) -> None:
        """Make the first answer as fast as the tenth."""
        warm_model(self._model)
        self._build()

    async def aclose(self) -> None:
        """Let go of the model's connections."""
        await close_model(self._model)

    @property
    def busy(self) -> bool:
        """Some answer is running."""
        with self._lock:
            return any(conversation.running for conversation in self._kept.values())

    def begin(self, session_id: str | None, running: Running) -> Conversation:
        """The conversation of that id, taken by this answer; without an id, one of its own.

        Raises RequestRefused with code conversation_busy or overloaded. Owe it `end`.
        """
        key = session_id or f"{_ONCE}{uuid.uuid4().hex}"
        with self._lock:
            conversation = self._kept.get(key)
            if conversation is None:
                self._make_room()
                conversation = self._kept[key] = Conversation(self._build)
            if conversation.running is not None:
                raise RequestRefused(
                    "The conversation is answering already.",
                    code="conversation_busy",
                    hint="Cancel that answer, or wait for its end.",
                    retryable=True,
                    request_id=running.request_id,
                )
            self._kept.move_to_end(key)
            conversation.running = running
            return conversation

    def end(self, conversation: Conversation, telling: Telling) -> None:
        with self._lock:
            conversation.running = None
            conversation.last = telling

    def find(self, session_id: str | None, request_id: str | None) -> Conversation | None:
        """The conversation of that id; without an id, the one that has or had the request and has no id either."""
        with self._lock:
            if session_id is not None:
                return self._kept.get(session_id)
            nameless = (known for key, known in self._kept.items() if key.startswith(_ONCE))
            return next((known for known in nameless if request_id in _requests(known)), None)

    def cut_ended(
        self, conversation: Conversation, request_id: str | None, played_s: float | None
    ) -> Interrupted | None:
        """The last answer, all sent, was stopped by its listener; None if it is another one, or one runs by now."""
        with self._lock:
            telling = conversation.last
            if telling is None or conversation.running is not None or request_id not in (None, telling.request_id):
                return None
            cut = telling.interrupted(played_s)
            conversation.keep_heard(telling, cut.char_end)
            return cut

    def _make_room(self) -> None:
        while len(self._kept) >= self._limit:
            idle = next((key for key, known in self._kept.items() if known.running is None), None)
            if idle is None:
                raise RequestRefused(
                    f"{self._limit} conversations are answering.", code="overloaded", hint="Try later.", retryable=True
                )
            del self._kept[idle]


def _requests(conversation: Conversation) -> set[str | None]:
    known = (conversation.running, conversation.last)
    return {one.request_id for one in known if one is not None}
