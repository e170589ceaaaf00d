"""Every error code of the speech protocol and what it means. Stable: a code is added, never changed or reused."""

from typing import Final

__all__ = ["CODES"]

CODES: Final = {
    "bad_json": "the frame or body is not JSON",
    "bad_message": "JSON, but no message: unknown type, a field missing or of the wrong type, a request after `close`",
    "text_required": "the text is missing, empty or blank",
    "text_too_long": "longer than `max_text_chars` (HTTP 413)",
    "unknown_voice": "no such voice, or a blend that means nothing",
    "bad_speed": "speed is not a number from 0.5 to 2.0",
    "bad_language": "the language is unknown, or not spoken by this server",
    "bad_format": "the audio format or sample rate is not offered; the message lists what is",
    "bad_pronunciation": "a pronunciation is empty, or holds a symbol that the voice does not know (it is named)",
    "duplicate_request_id": "this id has been used in the session; the first use is not touched",
    "text_timeout": "no `text_delta` came for `text_timeout_s`: what came is spoken and completed (not terminal)",
    "overloaded": "full: sessions, queued requests or characters, or the wait is too long; retry later (HTTP 503)",
    "going_away": "the server stopped before the answer was finished; reconnect (HTTP 503)",
    "engine_failed": "the voice failed (HTTP 500)",
    "internal": "a fault of the server (HTTP 500)",
    "request_stale": "`request_timestamp` is older than the limit (HTTP 408)",
    "body_timeout": "the body did not come to its end in time (HTTP 408)",
    "body_too_long": "the body is longer than `max_message_bytes` (HTTP 413)",
    "bad_content_type": "the body is not `application/json` (HTTP 415)",
    "unauthorized": "a key is asked for and none of the known ones was given (HTTP 401)",
    "not_found": "nothing is served at this path (HTTP 404)",
    "method_not_allowed": "not with this method (HTTP 405)",
}
