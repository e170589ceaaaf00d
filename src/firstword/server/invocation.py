"""What a POST to /invocations asks for, read from its JSON and checked field by field. Pure, given the time."""

import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

from firstword.codecs.formats import audio_format
from firstword.config import ServerSettings
from firstword.errors import CodecError, RequestRefused
from firstword.kokoro.synthesizer import VoiceOptions
from firstword.protocol.codec import MAX_SPEED, MIN_SPEED
from firstword.protocol.incoming import decode_json, repaired

__all__ = ["Invocation", "InvocationRefused", "invocation_of", "read_invocation", "read_object"]

_FIELD: Final = re.compile(r" - at `\$\.(\w+)")


class InvocationRefused(RequestRefused):
    """Names the field at fault, where one is."""

    def __init__(self, message: str, *, code: str = "bad_message", field: str | None = None, hint: str = "") -> None:
        super().__init__(message, code=code, hint=hint)
        self.field = field

    def renamed(self, names: Mapping[str, str]) -> "InvocationRefused":
        """The same, where the fields go by other names."""
        name = names.get(self.field or "", self.field)
        message = self.message.replace(f"{self.field}: ", f"{name}: ", 1)
        return InvocationRefused(message, code=self.code, field=name, hint=self.hint)


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    voice: str | None = None
    speed: float = 1.0
    language: str | None = None
    request_id: str | None = None
    trim: bool = True
    stream: bool = True
    transport: Literal["binary", "sse"] = "binary"
    format: str = "wav"
    sample_rate: int | None = None
    timings: bool = False
    pronunciations: dict[str, str] | None = None
    request_timestamp: float | str | None = None

    def options(self, default_voice: str) -> VoiceOptions:
        voice = default_voice if self.voice is None else self.voice
        return VoiceOptions(voice=voice, speed=self.speed, language=self.language, trim=self.trim)


def read_invocation(body: bytes, settings: ServerSettings, *, now_s: Callable[[], float] = time.time) -> Invocation:
    """The request in `body`. Raises InvocationRefused, which names the field that is wrong."""
    return invocation_of(read_object(body), settings, now_s=now_s)


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object that a body is. Raises InvocationRefused if it is none."""
    try:
        fields = repaired(decode_json(body))
    except (ValueError, RecursionError) as error:
        raise InvocationRefused("The body is not JSON.", code="bad_json", hint="Send one JSON object.") from error
    if not isinstance(fields, dict):
        raise InvocationRefused("The body is JSON, but not an object.")
    return fields


def invocation_of(
    fields: dict[str, Any], settings: ServerSettings, *, now_s: Callable[[], float] = time.time
) -> Invocation:
    """The request that these fields are; what is null is not there. Raises InvocationRefused."""
    try:
        asked = msgspec.convert({name: value for name, value in fields.items() if value is not None}, Invocation)
    except msgspec.ValidationError as error:
        raise _refused(str(error), fields) from error
    _check_text(asked, settings)
    _check_format(asked)
    if asked.request_id is not None and not 0 < len(asked.request_id) <= 256:
        raise InvocationRefused("request_id is a string of 1 to 256 characters.", field="request_id")
    if not MIN_SPEED <= asked.speed <= MAX_SPEED:
        raise InvocationRefused(f"speed is a number from {MIN_SPEED} to {MAX_SPEED}.", code="bad_speed", field="speed")
    if asked.request_timestamp is not None:
        _check_age(asked.request_timestamp, settings, now_s())
    return asked


def _refused(message: str, fields: dict[str, Any]) -> InvocationRefused:
    if fields.get("text") is None:
        return InvocationRefused("There is no text to say.", code="text_required", field="text")
    found = _FIELD.search(message)
    field = found.group(1) if found else None
    code = "bad_speed" if field == "speed" else "bad_message"
    return InvocationRefused(f"{field or 'The body'}: {message.partition(' - at ')[0]}.", code=code, field=field)


def _check_text(asked: Invocation, settings: ServerSettings) -> None:
    if not asked.text.strip():
        raise InvocationRefused("There is no text to say.", code="text_required", field="text")
    if len(asked.text) > settings.max_text_chars:
        raise InvocationRefused(
            f"The text is longer than {settings.max_text_chars} characters.",
            code="text_too_long",
            field="text",
            hint="Send it as several requests.",
        )


def _check_format(asked: Invocation) -> None:
    field = "format"
    try:
        chosen = audio_format(asked.format)
        field = "sample_rate"
        chosen.rate_hz(asked.sample_rate)
    except CodecError as error:
        raise InvocationRefused(error.message, code="bad_format", field=field) from error
    if asked.transport == "sse" and not asked.stream:
        raise InvocationRefused("Server-sent events are always a stream.", field="stream")
    if asked.timings and asked.transport == "binary":
        raise InvocationRefused(
            "Timings have no place in a binary body.", field="timings", hint='Ask for "transport": "sse".'
        )


def _check_age(stamp: float | str, settings: ServerSettings, now_s: float) -> None:
    age_s = now_s - _epoch_s(stamp)
    if age_s > settings.max_request_age_s:
        raise InvocationRefused(
            f"The request is {age_s:.0f} s old; the limit is {settings.max_request_age_s:.0f} s.",
            code="request_stale",
            field="request_timestamp",
        )


def _epoch_s(stamp: float | str) -> float:
    """Seconds since 1970, from a number of them or from ISO 8601 (without a zone: UTC)."""
    if isinstance(stamp, str):
        try:
            moment = datetime.fromisoformat(stamp)
        except ValueError as error:
            raise InvocationRefused(
                "request_timestamp is neither seconds since 1970 nor an ISO 8601 time.", field="request_timestamp"
            ) from error
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return stamp
