"""A conversation's messages (Strands' form) cut to what was heard. Pure: lists in, lists out.

The listener's side of a conversation is the true one: what the model wrote and nobody heard was never said. Above it:
`conversations`.
"""

from collections.abc import Sequence
from typing import Any

__all__ = ["Message", "answering", "keep_heard"]

type Message = dict[str, Any]


def answering(messages: Sequence[Message], prompt: str) -> tuple[list[Message], list[dict[str, Any]]]:
    """The history and the content to ask with.

    A question that got no word of an answer is asked again together with the new one, because models want user and
    assistant to take turns.
    """
    history, content = list(messages), [{"text": prompt}]
    while history and history[-1]["role"] == "user" and _is_question(history[-1]):
        content = [*({"text": block["text"]} for block in history.pop()["content"] if "text" in block), *content]
    return history, content


def keep_heard(messages: Sequence[Message], turns: Sequence[str], char_end: int) -> list[Message]:
    """The history with its last answer cut at `char_end` of its text.

    `turns` are the texts of the model's turns that make up the answer (a tool call ends a turn); messages may lack the
    last, which was still being written. Tool calls and results stay as far as something after them was heard.
    """
    start = max((at for at, message in enumerate(messages) if _is_question(message)), default=-1)
    kept = list(messages[: start + 1])
    rest = list(messages[start + 1 :])
    for text in turns:
        if char_end <= len(text):
            heard = text[:char_end].strip()
            return [*kept, {"role": "assistant", "content": [{"text": heard}]}] if heard else _whole_pairs(kept)
        char_end -= len(text)
        while rest and rest[0]["role"] == "assistant":
            kept.append(rest.pop(0))
        while rest and rest[0]["role"] == "user":
            kept.append(rest.pop(0))
    return _whole_pairs(kept)


def _whole_pairs(messages: list[Message]) -> list[Message]:
    """Without a tool call that has no result, or a result that nothing was said about, at the end."""
    while messages and not _is_question(messages[-1]) and not _is_said(messages[-1]):
        messages = messages[:-1]
    return messages


def _is_question(message: Message) -> bool:
    return bool(message["role"] == "user" and not any("toolResult" in block for block in message["content"]))


def _is_said(message: Message) -> bool:
    return bool(message["role"] == "assistant" and not any("toolUse" in block for block in message["content"]))
