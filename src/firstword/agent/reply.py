"""The model's answer as it comes: text, where a turn of the model begins, where it calls a tool, what it used.

Reasoning between tags never comes out. Foreign exceptions end here. Knows nothing of speech. Below it: Strands. Above
it: `modes`.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator
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
    """Ask the agent. Closing this, or cancelling the task that reads it, ends the model's request at once; `cancel`
    ends what a cancelled task cannot, such as a Bedrock request in its thread.

    An answer that reaches the token limit just ends there. Raises AgentError when the model fails.
    """
    # The token limit bounds it. Waiting for room here would let a cancel fall outside Strands, whose inner generators
    # then stay open, and the model's connection with them, until they are collected.
    parts: asyncio.Queue[ReplyPart | None] = asyncio.Queue()
    thinking = asyncio.create_task(_think(agent, content, cancel, parts), name="model")
    try:
        while (part := await parts.get()) is not None:
            yield part
        await thinking
    except MODEL_EXCEPTIONS as error:
        raise model_error(error) from error
    finally:
        thinking.cancel()
        await asyncio.wait({thinking})
        if not thinking.cancelled():
            thinking.exception()  # raised above, unless the reader had left


async def _think(
    agent: Agent, content: list[dict[str, Any]], cancel: threading.Event, parts: asyncio.Queue[ReplyPart | None]
) -> None:
    shown = ReasoningFilter()
    try:
        async for event in agent.stream_async(cast(list[ContentBlock], content), cancel_signal=cancel):
            for part in _parts(event, shown):
                parts.put_nowait(part)
    except MaxTokensReachedException:
        pass
    finally:
        for text in _held(shown):
            parts.put_nowait(text)
        parts.put_nowait(Usage(counts=_counts(agent)))
        parts.put_nowait(None)


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
