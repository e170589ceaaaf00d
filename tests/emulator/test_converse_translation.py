"""Converse to chat completion and back, as values."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.emulator.bedrock.answer import ConverseEvents, converse_answer
from firstword.emulator.bedrock.request import chat_request
from firstword.errors import EmulatedError


def _chat(**request: Any) -> dict[str, Any]:
    return chat_request("model-x", json.dumps({"messages": [_said("user", {"text": "hi"})], **request}).encode())


def _said(role: str, *content: Any) -> dict[str, Any]:
    return {"role": role, "content": list(content)}


def _events(*chunks: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    events = ConverseEvents()
    return [*events.start(), *(event for chunk in chunks for event in events.feed(chunk)), *events.finish(7)]


def _delta(finish_reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def _call(index: int, arguments: str, **first: Any) -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": first["name"]} if "name" in first else {})
    return {"index": index, "function": function} | ({"id": first["id"]} if "id" in first else {})


def test_system_inference_settings_and_additional_fields_are_carried_over() -> None:
    chat = _chat(
        system=[{"text": "Be brief."}, {"cachePoint": {"type": "default"}}],
        inferenceConfig={"maxTokens": 50, "temperature": 0.2, "topP": 0.9, "stopSequences": ["\n\n"]},
        additionalModelRequestFields={"seed": 1},
    )
    assert chat == {
        "model": "model-x",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 50,
        "temperature": 0.2,
        "top_p": 0.9,
        "stop": ["\n\n"],
        "seed": 1,
    }


def test_a_tool_round_trip_is_carried_over_results_first() -> None:
    use = {"toolUseId": "t1", "name": "clock", "input": {"zone": "UTC"}}
    result = {"toolUseId": "t1", "content": [{"text": "noon"}, {"json": {"h": 12}}], "status": "success"}
    chat = _chat(
        messages=[
            _said("user", {"text": "time?"}),
            _said(
                "assistant",
                {"reasoningContent": {"reasoningText": {"text": "hm"}}},
                {"text": "Look."},
                {"toolUse": use},
            ),
            _said("user", {"text": "and?"}, {"toolResult": result}),
        ]
    )
    assert chat["messages"][1:] == [
        {
            "role": "assistant",
            "content": "Look.",
            "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": "clock", "arguments": '{"zone": "UTC"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "t1", "content": 'noon\n{"h": 12}'},
        {"role": "user", "content": "and?"},
    ]


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        (None, "auto"),
        ({"auto": {}}, "auto"),
        ({"any": {}}, "required"),
        ({"tool": {"name": "clock"}}, {"type": "function", "function": {"name": "clock"}}),
    ],
)
def test_tools_and_the_choice_of_one_are_carried_over(choice: Any, wanted: Any) -> None:
    spec = {"name": "clock", "description": "Tells time.", "inputSchema": {"json": {"type": "object"}}}
    chat = _chat(toolConfig={"tools": [{"toolSpec": spec}], "toolChoice": choice})
    assert chat["tools"] == [
        {
            "type": "function",
            "function": {"name": "clock", "description": "Tells time.", "parameters": {"type": "object"}},
        }
    ]
    assert chat["tool_choice"] == wanted


def test_an_image_becomes_a_data_url() -> None:
    image = {"format": "png", "source": {"bytes": "aGk="}}
    chat = _chat(messages=[_said("user", {"text": "what?"}, {"image": image})])
    assert chat["messages"][0]["content"][1] == {
        "type": "image_url",
        "image_url": {"url": "data:image/png;base64,aGk="},
    }


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"messages": []}',
        b'{"messages": [{"role": "robot", "content": []}]}',
        b'{"messages": [{"role": "user", "content": [{"document": {}}]}]}',
        b'{"messages": [{"role": "user"}]}',
    ],
)
def test_what_is_not_a_converse_request_is_a_validation_error(body: bytes) -> None:
    with pytest.raises(EmulatedError) as caught:
        chat_request("m", body)
    assert (caught.value.status, caught.value.code) == (400, "ValidationException")


def test_text_is_one_block_with_its_deltas_usage_and_stop_reason() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
    assert _events(
        _delta(role="assistant", content=""), _delta(content="He"), _delta("stop", content="llo"), usage
    ) == [
        ("messageStart", {"role": "assistant"}),
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "He"}}),
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "llo"}}),
        ("contentBlockStop", {"contentBlockIndex": 0}),
        ("messageStop", {"stopReason": "end_turn"}),
        (
            "metadata",
            {"usage": {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}, "metrics": {"latencyMs": 7}},
        ),
    ]


def test_tool_calls_after_text_are_blocks_of_their_own_with_their_input_in_pieces() -> None:
    events = _events(
        _delta(content="Look."),
        _delta(tool_calls=[_call(0, "", id="a", name="clock")]),
        _delta(tool_calls=[_call(0, '{"z"')]),
        _delta(tool_calls=[_call(0, ": 1}")]),
        _delta("tool_calls", tool_calls=[_call(1, "{}", id="b", name="sum")]),
    )
    assert [(kind, event["contentBlockIndex"]) for kind, event in events if "contentBlockIndex" in event] == [
        ("contentBlockDelta", 0),
        ("contentBlockStop", 0),
        ("contentBlockStart", 1),
        ("contentBlockDelta", 1),
        ("contentBlockDelta", 1),
        ("contentBlockStop", 1),
        ("contentBlockStart", 2),
        ("contentBlockDelta", 2),
        ("contentBlockStop", 2),
    ]
    answer = converse_answer(events)
    assert answer["stopReason"] == "tool_use"
    assert answer["output"]["message"]["content"] == [
        {"text": "Look."},
        {"toolUse": {"toolUseId": "a", "name": "clock", "input": {"z": 1}}},
        {"toolUse": {"toolUseId": "b", "name": "sum", "input": {}}},
    ]


def test_reasoning_is_a_block_before_the_text() -> None:
    answer = converse_answer(_events(_delta(reasoning_content="hm"), _delta(content="Yes.")))
    assert answer["output"]["message"]["content"] == [
        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
        {"text": "Yes."},
    ]


@pytest.mark.parametrize(
    ("reason", "wanted"),
    [("stop", "end_turn"), ("length", "max_tokens"), ("content_filter", "content_filtered"), (None, "end_turn")],
)
def test_stop_reasons_are_bedrocks(reason: str | None, wanted: str) -> None:
    assert ("messageStop", {"stopReason": wanted}) in _events(_delta(reason, content="x"))


def test_an_input_that_is_not_json_is_the_models_error() -> None:
    with pytest.raises(EmulatedError, match="not JSON"):
        converse_answer(_events(_delta(tool_calls=[_call(0, "{", id="a", name="clock")])))


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=20))
def test_whatever_the_cuts_the_text_is_whole(pieces: list[str]) -> None:
    answer = converse_answer(_events(*(_delta(content=piece) for piece in pieces)))
    assert answer["output"]["message"]["content"] == [{"text": "".join(pieces)}]
