"""A Converse request as a chat completion request. Pure.

What a chat completion cannot carry (documents, video, guardrails) is refused as Bedrock refuses it for a model that
has no such modality; cache points and reasoning of earlier turns are left out.
"""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from firstword.errors import EmulatedError

__all__ = ["chat_request"]

type Json = dict[str, Any]


class _Source(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    bytes: str


class _Image(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    format: str
    source: _Source


class _ToolUse(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    tool_use_id: str
    name: str
    input: Any


class _ResultContent(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    text: str | None = None
    json: Any = None


class _ToolResult(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    tool_use_id: str
    content: list[_ResultContent]


class _Block(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    text: str | None = None
    image: _Image | None = None
    tool_use: _ToolUse | None = None
    tool_result: _ToolResult | None = None
    cache_point: Json | None = None
    reasoning_content: Json | None = None


class _Message(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    role: str
    content: list[_Block]


class _System(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    text: str | None = None
    cache_point: Json | None = None


class _Inference(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    stop_sequences: list[str] = []


class _Schema(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    json: Json


class _ToolSpec(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    name: str
    input_schema: _Schema
    description: str = ""


class _Tool(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    tool_spec: _ToolSpec | None = None


class _Choice(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    any: Json | None = None
    tool: Json | None = None


class _ToolConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    tools: list[_Tool]
    tool_choice: _Choice | None = None


class _Converse(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    messages: list[_Message] = []
    system: list[_System] = []
    inference_config: _Inference = _Inference()
    tool_config: _ToolConfig | None = None
    additional_model_request_fields: Json = {}


def chat_request(model: str, body: bytes) -> Json:
    """The body of `POST /v1/chat/completions`, streaming, with usage. Raises EmulatedError (400)."""
    try:
        request = msgspec.json.decode(body, type=_Converse)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _invalid(f"The request is not valid: {error}.") from error
    if not request.messages:
        raise _invalid("The request has no messages.")
    inference = request.inference_config
    chat: Json = {
        "model": model,
        "messages": [*_system(request.system), *(part for said in request.messages for part in _message(said))],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": inference.max_tokens,
        "temperature": inference.temperature,
        "top_p": inference.top_p,
        "stop": inference.stop_sequences or None,
        **(_tools(request.tool_config) if request.tool_config is not None else {}),
        **request.additional_model_request_fields,
    }
    return {name: value for name, value in chat.items() if value is not None}


def _system(blocks: list[_System]) -> list[Json]:
    text = "\n".join(block.text for block in blocks if block.text is not None)
    return [{"role": "system", "content": text}] if text else []


def _message(message: _Message) -> Iterator[Json]:
    match message.role:
        case "user":
            yield from _user(message.content)
        case "assistant":
            yield _assistant(message.content)
        case role:
            raise _invalid(f"A message has the role {role!r}; it is user or assistant.")


def _user(blocks: list[_Block]) -> Iterator[Json]:
    # Results come first: a chat completion wants them right after the calls that asked for them.
    for block in blocks:
        if (result := block.tool_result) is not None:
            text = "\n".join(_result_text(content) for content in result.content)
            yield {"role": "tool", "tool_call_id": result.tool_use_id, "content": text}
    texts = [block.text for block in blocks if block.text is not None]
    images = [block.image for block in blocks if block.image is not None]
    if images:
        parts: list[Json] = [{"type": "text", "text": text} for text in texts]
        yield {"role": "user", "content": [*parts, *map(_image_part, images)]}
    elif texts:
        yield {"role": "user", "content": "\n".join(texts)}


def _image_part(image: _Image) -> Json:
    return {"type": "image_url", "image_url": {"url": f"data:image/{image.format};base64,{image.source.bytes}"}}


def _result_text(content: _ResultContent) -> str:
    return content.text if content.text is not None else json.dumps(content.json, ensure_ascii=False)


def _assistant(blocks: list[_Block]) -> Json:
    text = "\n".join(block.text for block in blocks if block.text is not None)
    calls = [
        {
            "id": use.tool_use_id,
            "type": "function",
            "function": {"name": use.name, "arguments": json.dumps(use.input, ensure_ascii=False)},
        }
        for block in blocks
        if (use := block.tool_use) is not None
    ]
    message: Json = {"role": "assistant", "content": text or None}
    return message | ({"tool_calls": calls} if calls else {})


def _tools(config: _ToolConfig) -> Json:
    specs = [tool.tool_spec for tool in config.tools if tool.tool_spec is not None]
    tools = [
        {
            "type": "function",
            "function": {"name": spec.name, "description": spec.description, "parameters": spec.input_schema.json},
        }
        for spec in specs
    ]
    choice: object = "auto"
    if config.tool_choice is not None and config.tool_choice.any is not None:
        choice = "required"
    elif config.tool_choice is not None and config.tool_choice.tool is not None:
        choice = {"type": "function", "function": {"name": config.tool_choice.tool.get("name", "")}}
    return {"tools": tools, "tool_choice": choice}


def _invalid(message: str) -> EmulatedError:
    return EmulatedError(message, code="ValidationException", status=400)
