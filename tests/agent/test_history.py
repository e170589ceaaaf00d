"""A conversation keeps what was heard: no more, no half tool call, user and assistant in turn."""

from typing import Any

import pytest

from firstword.agent.history import answering, keep_heard

type Message = dict[str, Any]


def _user(text: str) -> Message:
    return {"role": "user", "content": [{"text": text}]}


def _assistant(text: str) -> Message:
    return {"role": "assistant", "content": [{"text": text}]}


_CALL: Message = {
    "role": "assistant",
    "content": [{"text": "Let me look."}, {"toolUse": {"toolUseId": "1", "name": "clock", "input": {}}}],
}
_RESULT: Message = {"role": "user", "content": [{"toolResult": {"toolUseId": "1", "content": [{"text": "12:00"}]}}]}
_EARLIER = [_user("Hi"), _assistant("Hello.")]


def test_an_answer_is_cut_at_what_was_heard() -> None:
    messages = [*_EARLIER, _user("Sky?"), _assistant("It is blue. Very blue.")]

    assert keep_heard(messages, ["It is blue. Very blue."], 11) == [*_EARLIER, _user("Sky?"), _assistant("It is blue.")]


def test_an_answer_still_being_written_is_kept_as_far_as_heard() -> None:
    assert keep_heard([_user("Sky?")], ["It is blue. Ve"], 5) == [_user("Sky?"), _assistant("It is")]


def test_of_an_unheard_answer_nothing_is_kept() -> None:
    assert keep_heard([*_EARLIER, _user("Sky?"), _assistant("Blue.")], ["Blue."], 0) == [*_EARLIER, _user("Sky?")]


@pytest.mark.parametrize("written", [[_CALL, _RESULT, _assistant("It is noon.")], [_CALL, _RESULT], [_CALL]])
def test_a_cut_before_a_tool_call_drops_call_and_result(written: list[Message]) -> None:
    kept = keep_heard([_user("Time?"), *written], ["Let me look.", " It is noon."], 3)

    assert kept == [_user("Time?"), _assistant("Let")]


def test_a_cut_after_a_tool_call_keeps_call_and_result() -> None:
    messages = [_user("Time?"), _CALL, _RESULT, _assistant("It is noon. Good day.")]

    kept = keep_heard(messages, ["Let me look.", " It is noon. Good day."], 24)

    assert kept == [_user("Time?"), _CALL, _RESULT, _assistant("It is noon.")]


def test_a_tool_call_without_words_does_not_count_as_heard() -> None:
    silent = {"role": "assistant", "content": _CALL["content"][1:]}

    assert keep_heard([_user("Time?"), silent, _RESULT], ["", "It is"], 0) == [_user("Time?")]


def test_everything_heard_is_everything_kept() -> None:
    messages = [*_EARLIER, _user("Time?"), _CALL, _RESULT, _assistant("It is noon.")]

    kept = keep_heard(messages, ["Let me look.", " It is noon."], 24)

    assert kept == messages


def test_an_unanswered_question_is_asked_together_with_the_next() -> None:
    history, content = answering([*_EARLIER, _user("Sky?")], "I mean at night.")

    assert history == _EARLIER
    assert content == [{"text": "Sky?"}, {"text": "I mean at night."}]


def test_an_answered_question_is_left_alone() -> None:
    assert answering(_EARLIER, "Sky?") == (_EARLIER, [{"text": "Sky?"}])
