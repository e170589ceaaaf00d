"""How OpenAI's clients ask for speech and are answered."""

import base64
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final

import msgspec
from starlette.responses import Response

from firstword.config import ServerSettings
from firstword.errors import FirstwordError
from firstword.protocol.sse import KEEP_ALIVE, encode_event
from firstword.server.bodies import Encoding
from firstword.server.invocation import Invocation, InvocationRefused, invocation_of, read_object
from firstword.server.metrics import Route
from firstword.server.openai.voices import OPENAI_VOICES
from firstword.server.replies import openai_error, openai_error_reply
from firstword.speech.items import Audio, Done, Failed, Item, SentenceBegun, Waiting, WordTimings

__all__ = ["OpenAiDialect"]

_THEIRS: Final = {
    "text": "input",
    "voice": "voice",
    "speed": "speed",
    "format": "response_format",
    "language": "language",
    "pronunciations": "pronunciations",
}
"""Our field, by its name there; the last two are ours alone."""
_TRANSPORTS: Final = {"audio": "binary", "sse": "sse"}
_BYTES_PER_FRAME: Final = 1_200
"""25 ms of PCM, the unit in which the model makes audio: an output token, if anything is."""


class OpenAiDialect:
    """A `posts.Dialect`."""

    route: Route = "openai"

    def read(self, body: bytes, settings: ServerSettings) -> Invocation:
        given = read_object(body)
        fields = {ours: given[theirs] for ours, theirs in _THEIRS.items() if theirs in given}
        fields["format"] = "mp3" if fields.get("format") is None else fields["format"]
        fields["voice"] = _voice(fields.get("voice"))
        fields["transport"] = _transport(given.get("stream_format"))
        if not isinstance(given.get("model", ""), str | None):
            raise InvocationRefused("model is a string.", field="model")
        try:
            return invocation_of(fields, settings)
        except InvocationRefused as refusal:
            raise refusal.renamed(_THEIRS) from refusal

    async def events(
        self,
        items: AsyncIterator[Item],
        asked: Invocation,
        *,
        request_id: str,  # noqa: ARG002  # OpenAI's events carry neither
        voice: str,  # noqa: ARG002
    ) -> AsyncGenerator[bytes]:
        encoding, pcm_bytes = Encoding(asked), 0
        async for item in items:
            match item:
                case Audio(pcm=pcm):
                    pcm_bytes += len(pcm)
                    if data := await encoding.encode(pcm):
                        yield _delta(data)
                case Waiting() if pcm_bytes:
                    yield KEEP_ALIVE
                case Failed(error=error) if pcm_bytes:
                    yield _event("error", error=openai_error(error))
                case Failed(error=error):
                    raise error
                case Done():
                    if data := await encoding.flush():
                        yield _delta(data)
                    yield _event("speech.audio.done", usage=_usage(len(asked.text), pcm_bytes))
                case SentenceBegun() | WordTimings() | Waiting():
                    pass

    def refuse(
        self,
        error: FirstwordError,
        *,
        field: str | None,
        request_id: str | None,  # noqa: ARG002  # its errors carry none
    ) -> Response:
        return openai_error_reply(error, field=field)


def _voice(given: Any) -> Any:
    """Our voice for a name, or for an object with an `id`; anything else as it is, to be refused as a voice of ours."""
    name = given.get("id") if isinstance(given, dict) else given
    return OPENAI_VOICES.get(name, name) if isinstance(name, str) else given


def _transport(stream_format: Any) -> str:
    name = "audio" if stream_format is None else stream_format
    if not isinstance(name, str) or name not in _TRANSPORTS:
        raise InvocationRefused("stream_format is audio or sse.", field="stream_format")
    return _TRANSPORTS[name]


def _delta(data: bytes) -> bytes:
    return _event("speech.audio.delta", audio=base64.b64encode(data).decode())


def _usage(chars: int, pcm_bytes: int) -> dict[str, int]:
    """There are no tokens to bill: code points of the text, frames of the model."""
    frames = -(-pcm_bytes // _BYTES_PER_FRAME)
    return {"input_tokens": chars, "output_tokens": frames, "total_tokens": chars + frames}


def _event(kind: str, **fields: Any) -> bytes:
    """Data alone, as OpenAI sends it: the type stands in it."""
    return encode_event(msgspec.json.encode({"type": kind, **fields}).decode())
