"""A streamed chat completion as Converse events, and those events as one Converse answer. Pure.

Order of events: messageStart, then per block contentBlockStart (tools only), contentBlockDelta, contentBlockStop, then
messageStop and metadata.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from firstword.errors import EmulatedError

__all__ = ["ConverseEvents", "converse_answer"]

type Json = dict[str, Any]
type Event = tuple[str, Json]

_STOP_REASONS = {"length": "max_tokens", "tool_calls": "tool_use", "content_filter": "content_filtered"}


class ConverseEvents:
    """Chunks of a chat completion in, events out. `feed` each chunk, then `finish`."""

    def __init__(self) -> None:
        self._index = -1
        self._open: object = None
        self._called_tool = False
        self._finish_reason: str | None = None
        self._usage: Mapping[str, Any] = {}

    def start(self) -> list[Event]:
        return [("messageStart", {"role": "assistant"})]

    def feed(self, chunk: Mapping[str, Any]) -> list[Event]:
        self._usage = chunk.get("usage") or self._usage
        events: list[Event] = []
        for choice in (chunk.get("choices") or ())[:1]:
            delta = choice.get("delta") or {}
            if thought := delta.get("reasoning_content"):
                events += self._delta("reasoning", {"reasoningContent": {"text": thought}})
            if text := delta.get("content"):
                events += self._delta("text", {"text": text})
            for call in delta.get("tool_calls") or ():
                events += self._tool_call(call)
            self._finish_reason = choice.get("finish_reason") or self._finish_reason
        return events

    def finish(self, latency_ms: int) -> list[Event]:
        events = self._close()
        if self._index < 0:
            # Bedrock never sends an answer without a block.
            events = [*self._delta("text", {"text": ""}), *self._close()]
        reason = "tool_use" if self._called_tool else _STOP_REASONS.get(self._finish_reason or "", "end_turn")
        asked = int(self._usage.get("prompt_tokens") or 0)
        said = int(self._usage.get("completion_tokens") or 0)
        usage = {"inputTokens": asked, "outputTokens": said, "totalTokens": asked + said}
        metadata = {"usage": usage, "metrics": {"latencyMs": latency_ms}}
        return [*events, ("messageStop", {"stopReason": reason}), ("metadata", metadata)]

    def _tool_call(self, call: Mapping[str, Any]) -> Iterator[Event]:
        function = call.get("function") or {}
        which = ("tool", call.get("index", 0))
        if self._open != which:
            yield from self._close()
            self._begin(which)
            self._called_tool = True
            use = {"toolUseId": call.get("id") or f"tooluse_{uuid4().hex}", "name": function.get("name", "")}
            yield "contentBlockStart", {"contentBlockIndex": self._index, "start": {"toolUse": use}}
        if arguments := function.get("arguments"):
            yield from self._delta(which, {"toolUse": {"input": arguments}})

    def _delta(self, which: object, delta: Json) -> list[Event]:
        events: list[Event] = []
        if self._open != which:
            events = self._close()
            self._begin(which)
        return [*events, ("contentBlockDelta", {"contentBlockIndex": self._index, "delta": delta})]

    def _begin(self, which: object) -> None:
        self._open = which
        self._index += 1

    def _close(self) -> list[Event]:
        if self._open is None:
            return []
        self._open = None
        return [("contentBlockStop", {"contentBlockIndex": self._index})]


def converse_answer(events: Iterable[Event]) -> Json:
    """The body of a Converse answer. Raises EmulatedError if a tool's input is not JSON."""
    blocks: dict[int, Json] = {}
    answer: Json = {}
    for kind, event in events:
        match kind:
            case "contentBlockStart":
                blocks[event["contentBlockIndex"]] = {"toolUse": {**event["start"]["toolUse"], "input": ""}}
            case "contentBlockDelta":
                _extend(blocks.setdefault(event["contentBlockIndex"], {}), event["delta"])
            case "messageStop" | "metadata":
                answer |= event
            case _:
                pass
    content = [_whole(block) for _, block in sorted(blocks.items())]
    return {"output": {"message": {"role": "assistant", "content": content}}, **answer}


def _extend(block: Json, delta: Json) -> None:
    if "text" in delta:
        block["text"] = block.get("text", "") + delta["text"]
    elif "reasoningContent" in delta:
        reasoning = block.setdefault("reasoningContent", {"reasoningText": {"text": ""}})["reasoningText"]
        reasoning["text"] += delta["reasoningContent"]["text"]
    else:
        block["toolUse"]["input"] += delta["toolUse"]["input"]


def _whole(block: Json) -> Json:
    if "toolUse" not in block:
        return block
    use = block["toolUse"]
    try:
        return {"toolUse": {**use, "input": json.loads(use["input"] or "{}")}}
    except ValueError as error:
        message = "The model called a tool with an input that is not JSON."
        raise EmulatedError(message, code="ModelErrorException", status=424) from error
