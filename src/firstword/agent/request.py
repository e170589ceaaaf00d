"""What a payload asks for: an answer, or that a running one stops. Pure.

Every fault has a stable code and names its field. Knows nothing of conversations. Above it: the doors.
"""

import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from firstword.errors import RequestRefused
from firstword.protocol.codec import MAX_SPEED, MIN_SPEED
from firstword.protocol.incoming import repaired

__all__ = ["Ask", "Cancel", "Mode", "Request", "check_session_id", "parse"]

type Mode = Literal["bidi", "batch", "whole"]

_MODES: Final = get_args(Mode.__value__)
_MAX_ID_CHARS: Final = 256
_SESSION_ID_CHARS: Final = range(33, 257)


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Answer this prompt, aloud."""

    prompt: str
    mode: Mode = "bidi"
    voice: str | None = None
    speed: float | None = None
    pronunciations: Mapping[str, str] | None = None
    request_id: str


@dataclass(frozen=True, kw_only=True)
class Cancel:
    """Stop an answer: the one named, or the conversation's latest. `played_s` is how much of it was heard."""

    request_id: str | None = None
    played_s: float | None = None


type Request = Ask | Cancel


def parse(payload: Any, *, max_prompt_chars: int) -> Request:
    """The request in a decoded JSON payload. Raises RequestRefused with a code that names the fault."""
    if not isinstance(payload, Mapping):
        raise RequestRefused("The payload is not a JSON object.", code="bad_message")
    payload = repaired(payload)
    request_id = _text(payload, "request_id", max_chars=_MAX_ID_CHARS)
    action = payload.get("action")
    if action == "cancel":
        return Cancel(request_id=request_id, played_s=_number(payload, "played_s", 0.0, math.inf, request_id))
    if action is not None:
        raise RequestRefused("action must be cancel, or absent.", code="bad_message", request_id=request_id)
    return Ask(
        prompt=_prompt(payload, max_prompt_chars, request_id),
        mode=_mode(payload, request_id),
        voice=_text(payload, "voice", max_chars=_MAX_ID_CHARS),
        speed=_number(payload, "speed", MIN_SPEED, MAX_SPEED, request_id),
        pronunciations=_pronunciations(payload, request_id),
        request_id=request_id or f"r-{uuid.uuid4().hex[:12]}",
    )


def _pronunciations(payload: Mapping[str, Any], request_id: str | None) -> dict[str, str] | None:
    value = payload.get("pronunciations")
    if value is None:
        return None
    if not isinstance(value, Mapping) or not all(isinstance(said, str) for said in value.values()):
        raise RequestRefused(
            "pronunciations must be an object: words to respellings or /phonemes/.",
            code="bad_message",
            request_id=request_id,
        )
    return dict(value)


def check_session_id(session_id: str | None) -> None:
    """Raises RequestRefused unless it is absent or as long as the AgentCore runtime makes it."""
    if session_id is not None and len(session_id) not in _SESSION_ID_CHARS:
        raise RequestRefused(
            f"The runtime session id has {len(session_id)} characters; it must have 33 to 256.", code="bad_session_id"
        )


def _prompt(payload: Mapping[str, Any], max_chars: int, request_id: str | None) -> str:
    prompt = payload.get("prompt")
    if prompt is None or prompt == "" or (isinstance(prompt, str) and not prompt.strip()):
        raise RequestRefused("There is no prompt.", code="prompt_required", request_id=request_id)
    if not isinstance(prompt, str):
        raise RequestRefused("prompt must be a string.", code="bad_message", request_id=request_id)
    if len(prompt) > max_chars:
        raise RequestRefused(
            f"The prompt has {len(prompt)} characters; {max_chars} is the most.",
            code="prompt_too_long",
            request_id=request_id,
        )
    return prompt


def _mode(payload: Mapping[str, Any], request_id: str | None) -> Mode:
    mode = payload.get("mode", "bidi")
    if mode not in _MODES:
        raise RequestRefused(f"mode must be one of {', '.join(_MODES)}.", code="bad_mode", request_id=request_id)
    chosen: Mode = mode
    return chosen


def _text(payload: Mapping[str, Any], name: str, *, max_chars: int) -> str | None:
    value = payload.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= max_chars:
        raise RequestRefused(f"{name} must be a string of 1 to {max_chars} characters.", code="bad_message")
    return value


def _number(payload: Mapping[str, Any], name: str, least: float, most: float, request_id: str | None) -> float | None:
    value = payload.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        code = "bad_speed" if name == "speed" else "bad_message"
        wanted = f"from {least:g} to {most:g}" if most < math.inf else f"of at least {least:g}"
        raise RequestRefused(f"{name} must be a number {wanted}.", code=code, request_id=request_id)
    return float(value)
