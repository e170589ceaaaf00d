"""The model's answer as it comes: text, where a turn of the model begins, where it calls a tool, what it used.

Reasoning between tags never comes out. Foreign exceptions end here. Knows nothing of speech. Below it: Strands. Above
it: `modes`.
"""

import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, cast

from strands import Agent
from strands.types.content import ContentBlock
from strands.types.exceptions import MaxTokensReachedException

from firstword.agent.faults import MODEL_EXCEPTIONS, model_error
from firstword.text.speakable.reasoning import ReasoningFilter

__all__ = ["ReplyPart", "Text", "ToolCall", "TurnStart", "Usage", "reply"]


@dataclass(frozen=True, kw_only=True)
class TurnStart:
    """The model begins to write: once, and again after each round of tool calls."""


@dataclass(frozen=True, kw_only=True)
class Text:
    text: str


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """The model has said what it wants to say before the tool's result."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Last part: tokens, where the model counts them."""

    counts: dict[str, int] = field(default_factory=dict)


type ReplyPart = TurnStart | Text | ToolCall | Usage


async def reply(agent: Agent, content: list[dict[str, Any]], cancel: threading.Event) -> AsyncGenerator[ReplyPart]:
    """Ask the agent; `cancel` stops it at its next token, cancelling the task that reads this at once.

    An answer that reaches the token limit just ends there. Raises AgentError when the model fails.
    """
    shown = ReasoningFilter()
    try:
        stream = agent.stream_async(cast(list[ContentBlock], content), cancel_signal=cancel)
        async with aclosing(cast(AsyncGenerator[dict[str, Any]], stream)) as events:
            async for event in events:
                for part in _parts(event, shown):
                    yield part
    except MaxTokensReachedException:
        pass
    except MODEL_EXCEPTIONS as error:
        raise model_error(error) from error
    for text in _held(shown):
        yield text
    yield Usage(counts=_counts(agent))


def _parts(event: dict[str, Any], shown: ReasoningFilter) -> list[ReplyPart]:
    if isinstance(text := event.get("data"), str):
        return [Text(text=piece) for _, piece in shown.feed(text) if piece]
    match event.get("event"):
        case {"messageStart": _}:
            return [TurnStart()]
        case {"contentBlockStart": {"start": {"toolUse": {"name": str(name)}}}}:
            return [*_held(shown), ToolCall(name=name)]
    return []


def _held(shown: ReasoningFilter) -> list[ReplyPart]:
    return [Text(text=piece) for _, piece in shown.finish() if piece]


def _counts(agent: Agent) -> dict[str, int]:
    run = agent.event_loop_metrics.latest_agent_invocation
    if run is None:
        return {}
    used = run.usage
    return {
        "input_tokens": used["inputTokens"],
        "output_tokens": used["outputTokens"],
        "total_tokens": used["totalTokens"],
    }
