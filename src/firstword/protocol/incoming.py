"""JSON as it really comes from other people's programs, taken so that nothing typed is lost.

A browser that cuts a text between two UTF-16 units sends half an emoji (`"\\ud83d"`), and many writers print `NaN`.
The fast decoder takes neither, and neither is worth refusing a frame whose request could then not be told.
Pure values. Above it: the codec, the session, and the HTTP routes that read a body.
"""

import json
from typing import Any, Final

import msgspec

__all__ = ["decode_json", "joined", "repaired"]

_REPLACEMENT: Final = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


def decode_json(frame: str | bytes) -> Any:
    """The value of a UTF-8 JSON text; strings may hold lone surrogates, `NaN` and the infinities come as their names.

    Raises ValueError if it is not JSON, RecursionError if it is nested too deep.
    """
    try:
        return msgspec.json.decode(frame)
    except (msgspec.DecodeError, UnicodeError):
        text = frame if isinstance(frame, str) else frame.decode()
        return json.loads(text, parse_constant=str)


def repaired(value: Any) -> Any:
    """The same JSON value with U+FFFD for each lone surrogate, one for one."""
    match value:
        case str():
            return value if value.isascii() else value.translate(_REPLACEMENT)
        case list():
            return [repaired(item) for item in value]
        case dict():
            return {repaired(name): repaired(item) for name, item in value.items()}
        case _:
            return value


def joined(text: str) -> tuple[str, str]:
    """The text with its surrogate pairs joined and lone ones repaired, and a first half at its end, kept for the next.

    `text` is what came, after the half that was kept before.
    """
    if text.isascii():
        return text, ""
    half = text[-1] if "\ud800" <= text[-1] < "\udc00" else ""
    whole = text[: len(text) - len(half)]
    return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"), half
